// Lists of objects from servers: tables for a model, and for programs and files what the server sent.

import { readFile } from 'node:fs/promises';
import { canonicalJson, type Json, Scope } from '@plugboard/base';
import { filesystem, scriptedServer, tempFolder, verifies } from '@plugboard/testkit';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { anthropicTools, answerContent, geminiTools, openAiChatTools } from '../../src/adapters.ts';
import { toModelText, type CallOutcome } from '../../src/host/index.ts';
import { toText } from '../../src/output/index.ts';
import { readTable } from '../output/read-table.ts';
import { givenHost } from './given-host.ts';

const rows = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    id: index,
    name: `Entry number ${index}`,
    state: index % 2 === 0 ? 'open' : null,
    ...(index % 5 === 0 ? {} : { owner: '007' }),
  }));

function tools(value: Json) {
  const sent = JSON.stringify(value);
  return [
    { name: 'structured', result: { content: [], structuredContent: { items: value } } },
    { name: 'list', result: { content: [{ type: 'text', text: sent }] } },
    { name: 'read_file', result: { content: [{ type: 'text', text: sent }] } },
    { name: 'failing', result: { content: [{ type: 'text', text: sent }], isError: true } },
  ];
}

const readBack = (told: string): string => canonicalJson(readTable(told));

describe.each(['legacy', 'modern'] as const)('a list of objects from a %s server', (era) => {
  const serverWith = (value: Json) => ({
    ...scriptedServer({ eras: [era], builtIns: [], tools: tools(value) }),
    protocol: era,
  });

  it('is a table for a model in every format, and unchanged for a program', async () => {
    verifies('OUT-09', 'OUT-05');
    await using scope = new Scope();
    const items = rows(40);
    const host = await givenHost(scope, { s: serverWith(items) });
    const outcome = await host.call({ server: 's', tool: 'structured' }, {});
    const all = canonicalJson({ items });
    expect(readBack(toModelText(outcome))).toBe(all);
    expect(outcome).toMatchObject({
      parts: [{ kind: 'structured', value: { items } }],
      structured: { items },
    });
    const [content] = answerContent(outcome).content;
    expect(readBack(content?.kind === 'text' ? content.text : '')).toBe(all);
    const block = { type: 'tool_use', id: '1', name: 'mcp__s__list', input: {} } as const;
    const [anthropic] = (await (await anthropicTools(host)).run(block)).content;
    expect(readBack(anthropic?.type === 'text' ? anthropic.text : '')).toBe(canonicalJson(items));
    const chat = await (
      await openAiChatTools(host)
    ).run({
      id: '1',
      type: 'function',
      function: { name: 'mcp__s__list', arguments: '' },
    });
    expect(readBack(chat.content)).toBe(canonicalJson(items));
    const gemini = await (
      await geminiTools(host)
    ).run({
      functionCall: { name: 'mcp__s__list' },
    });
    expect(JSON.stringify(gemini)).toContain('JSON with lists of objects as tables');
  });

  it('stays unchanged if it may be the text of a file, or is an error', async () => {
    verifies('OUT-09');
    await using scope = new Scope();
    const items = rows(40);
    const host = await givenHost(scope, { s: serverWith(items) });
    for (const tool of ['read_file', 'failing']) {
      const outcome = await host.call({ server: 's', tool }, {});
      expect(toModelText(outcome)).toBe(JSON.stringify(items));
      expect(answerContent(outcome).content).toEqual([
        { kind: 'text', text: JSON.stringify(items) },
      ]);
    }
  });

  it.each(['structured', 'list'])(
    'from the tool %s is cut to a table with its header if it is too long, and complete in its file',
    async (tool) => {
      verifies('OUT-09', 'OUT-02');
      await using scope = new Scope();
      const items = rows(250);
      const host = await givenHost(
        scope,
        { s: serverWith(items) },
        { output: { maxCharacters: 9000 } },
      );
      const outcome = await host.call({ server: 's', tool }, {});
      const told = toModelText(outcome).split('\n');
      const cut = readTable(told.slice(0, -1).join('\n'));
      const list = (tool === 'structured' ? (cut as { items: Json }).items : cut) as Json[];
      const mark = list.at(-1);
      const shown = list.length - 1;
      expect(shown).toBeGreaterThan(20);
      expect(list.slice(0, -1)).toEqual(items.slice(0, shown));
      expect(mark).toBe(`… ${items.length - shown} more items`);
      const [, path = '', id = ''] =
        /in the file (\S+) \(\d+ bytes, id (\w+)\)/.exec(told.at(-1) ?? '') ?? [];
      const kept = JSON.parse(await readFile(path, 'utf8')) as Json;
      expect(kept).toEqual(tool === 'structured' ? { items } : items);
      expect(await host.results.answer({ id, query: 'number 249' })).toMatchObject({
        isError: false,
        text: expect.stringContaining('Entry number 249') as string,
      });
      expect(partsText(outcome).length).toBeLessThanOrEqual(9000);
    },
  );
});

it('a JSON file that a published server reads stays unchanged', async () => {
  verifies('OUT-09');
  await using scope = new Scope();
  const folder = scope.use(await tempFolder());
  const words = JSON.stringify(rows(40), undefined, 2);
  const path = join(folder.path, 'rows.json');
  await folder.write('rows.json', words);
  const host = await givenHost(scope, { files: { ...filesystem(folder.path), roots: false } });
  const outcome = await host.call({ server: 'files', tool: 'read_text_file' }, { path });
  expect(toModelText(outcome)).toBe(words);
});

function partsText(outcome: CallOutcome): string {
  return outcome.kind === 'result' ? toText(outcome.parts) : '';
}
