import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type JsonObject, Scope } from '@plugboard/base';
import { filesystem, scriptedServer, tempFolder, verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { type CallOutcome, toModelText } from '../../src/host/index.ts';
import { givenHost } from './given-host.ts';

const LONG = 'a line of a log\n'.repeat(1800);

function textTool(name: string, _meta: JsonObject = {}) {
  return { name, _meta, result: { content: [{ type: 'text', text: LONG }] } };
}

const server = scriptedServer({
  tools: [
    textTool('log'),
    textTool('short'),
    textTool('long', { 'anthropic/maxResultSizeChars': 400_000 }),
    {
      name: 'sum',
      outputSchema: { type: 'object', properties: { sum: { type: 'number' } } },
      result: { content: [], structuredContent: { sum: 'three' } },
    },
  ],
});

function lengthOf(outcome: CallOutcome): number {
  return toModelText(outcome).length;
}

describe('the result of a call', () => {
  it('keeps to the budget of its tool, of its server, of the program, in this order', async () => {
    verifies('OUT-02');
    await using scope = new Scope();
    const output = { maxCharacters: 6000, tools: { short: { maxCharacters: 2000 } } };
    const servers = { plain: server, set: { ...server, output } };
    const host = await givenHost(scope, servers, { output: { maxCharacters: 10_000 } });
    const call = (name: string, tool: string) => host.call({ server: name, tool }, {});
    const lengths = [
      lengthOf(await call('plain', 'log')),
      lengthOf(await call('plain', 'long')),
      lengthOf(await call('set', 'log')),
      lengthOf(await call('set', 'long')),
      lengthOf(await call('set', 'short')),
    ];
    const upTo = [10_000, LONG.length, 6000, 6000, 2000];
    expect(lengths.map((length, index) => length <= (upTo[index] ?? 0))).toEqual(
      upTo.map(() => true),
    );
    expect(lengths.map((length, index) => length > (upTo[index] ?? 0) / 2)).toEqual(
      upTo.map(() => true),
    );
    expect(lengths[1]).toBe(LONG.length);
  });

  it('names the file to the model, which can be read and searched through the host', async () => {
    verifies('OUT-02');
    await using scope = new Scope();
    const host = await givenHost(scope, { plain: server }, { output: { maxCharacters: 9000 } });
    const told = toModelText(await host.call({ server: 'plain', tool: 'log' }, {}));
    const [, path = '', id = ''] = /in the file (\S+) \(\d+ bytes, id (\w+)\)/.exec(told) ?? [];
    expect(await readFile(path, 'utf8')).toBe(LONG);
    expect([
      await host.results.read(id, { from: { line: 1800 }, lines: 5 }),
      await host.results.search(id, { pattern: 'error' }),
    ]).toEqual([
      { kind: 'text', text: 'a line of a log', start: { line: 1800, character: 28_784 } },
      { kind: 'matches', matches: [] },
    ]);
  });

  it('that violates its output schema is still a result, with a note', async () => {
    verifies('OUT-04');
    await using scope = new Scope();
    const host = await givenHost(scope, { plain: server });
    const outcome = await host.call({ server: 'plain', tool: 'sum' }, {});
    expect(outcome).toEqual({
      kind: 'result',
      server: 'plain',
      tool: 'sum',
      parts: [
        {
          kind: 'structured',
          value: { sum: 'three' },
          problems: [{ path: '/sum', message: 'must be number' }],
        },
      ],
      structured: { sum: 'three' },
    });
    expect(toModelText(outcome)).toContain("not what the tool's output schema promises");
  });

  it('of a published server that sends its text twice is delivered once, and complete for programs', async () => {
    verifies('OUT-01');
    await using scope = new Scope();
    const folder = scope.use(await tempFolder());
    const words = 'first line\n\n"quoted"\tand the last\n';
    const pixel =
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
    await writeFile(join(folder.path, 'notes.txt'), words);
    await writeFile(join(folder.path, 'dot.png'), Buffer.from(pixel, 'base64'));
    const host = await givenHost(scope, {
      files: { ...filesystem(folder.path), roots: false },
    });
    const read = (tool: string, name: string) =>
      host.call({ server: 'files', tool }, { path: join(folder.path, name) });
    const text = await read('read_text_file', 'notes.txt');
    expect(text).toMatchObject({ kind: 'result', structured: { content: words } });
    expect(toModelText(text)).toBe(words);
    expect(await read('read_media_file', 'dot.png')).toMatchObject({
      kind: 'result',
      parts: [{ kind: 'image', mimeType: 'image/png', data: pixel }],
      structured: { content: [{ type: 'image', mimeType: 'image/png', data: pixel }] },
    });
  });
});
