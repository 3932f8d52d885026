import { rm } from 'node:fs/promises';
import { Scope } from '@plugboard/base';
import { verifies } from '@plugboard/testkit';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { eachLine } from '../../src/output/each-line.ts';
import type { Results } from '../../src/output/index.ts';
import { type GivenOutput, givenOutput, text } from './output-cases.ts';

const LINES = Array.from({ length: 30_000 }, (_, index) => `line ${index + 1}`);

async function savedText(
  { fit, output }: GivenOutput,
  whole: string,
): Promise<{ results: Results; id: string }> {
  const parts = await fit([text(whole)]);
  const note = parts.at(-1);
  const [, id = ''] = /id (\w+)/.exec(note?.kind === 'note' ? note.text : '') ?? [];
  return { results: output.results, id };
}

describe('a result that was left out', () => {
  it('is read by lines and by characters, with word of where to go on', async () => {
    verifies('OUT-02');
    await using scope = new Scope();
    const { results, id } = await savedText(await givenOutput(scope), LINES.join('\n'));
    expect([
      await results.read(id, { from: 20_000, lines: 2 }),
      await results.read(id, { from: 29_999, lines: 10 }),
      await results.read(id, { characters: 13 }),
      await results.read(id, { from: 7, characters: 6 }),
    ]).toEqual([
      { kind: 'text', text: 'line 20000\nline 20001', next: 20_002 },
      { kind: 'text', text: 'line 29999\nline 30000' },
      { kind: 'text', text: 'line 1\nline 2', next: 13 },
      { kind: 'text', text: 'line 2', next: 13 },
    ]);
    const pages: string[] = [];
    for (let from: number | undefined = 0; from !== undefined;) {
      const page = await results.read(id, { from, characters: 99_999 });
      if (page.kind !== 'text') throw new Error(page.kind);
      pages.push(page.text);
      from = page.next;
    }
    expect(pages.join('')).toBe(LINES.join('\n'));
  });

  it('is searched for a word and by a tame expression', async () => {
    verifies('OUT-02');
    await using scope = new Scope();
    const { results, id } = await savedText(await givenOutput(scope), LINES.join('\n'));
    const around = {
      line: 29_999,
      text: 'line 29999',
      before: ['line 29998'],
      after: ['line 30000'],
    };
    expect([
      await results.search(id, { pattern: 'line 29999', context: 1 }),
      await results.search(id, { pattern: '^line 2999[9]$', as: 'regex', context: 1 }),
      await results.search(id, { pattern: 'line 2999[9]', context: 1 }),
      await results.search(id, { pattern: 'line 1', most: 1, context: 0 }),
      await results.search(id, { pattern: '(a+)+$', as: 'regex' }),
      await results.search(id, { pattern: '[', as: 'regex' }),
      await results.search(id, { pattern: '' }),
    ]).toEqual([
      { kind: 'matches', matches: [around], end: 'all' },
      { kind: 'matches', matches: [around], end: 'all' },
      { kind: 'matches', matches: [], end: 'all' },
      {
        kind: 'matches',
        matches: [{ line: 1, text: 'line 1', before: [], after: [] }],
        end: 'more',
      },
      { kind: 'bad-pattern' },
      { kind: 'bad-pattern' },
      { kind: 'bad-pattern' },
    ]);
  });

  it('is found in a line without end', async () => {
    await using scope = new Scope();
    const whole = `${'x'.repeat(300_000)}needle${'y'.repeat(300_000)}`;
    const { results, id } = await savedText(await givenOutput(scope), whole);
    for (const as of ['text', 'regex'] as const) {
      expect(await results.search(id, { pattern: 'needle', as })).toMatchObject({
        matches: [{ line: 1, text: expect.stringContaining('needle') as string }],
      });
    }
  });

  it('is not found at what only looks like the start or the end of a line', async () => {
    await using scope = new Scope();
    const whole = [
      `${'x'.repeat(128)}needle${'y'.repeat(300)}`,
      `${'x'.repeat(250)}needle${'y'.repeat(300)}`,
    ];
    const { results, id } = await savedText(
      await givenOutput(scope),
      [...whole, ...LINES].join('\n'),
    );
    const found = { kind: 'matches', end: 'all' };
    expect([
      await results.search(id, { pattern: '^needle', as: 'regex' }),
      await results.search(id, { pattern: 'needle$', as: 'regex' }),
    ]).toEqual([
      { ...found, matches: [] },
      { ...found, matches: [] },
    ]);
  });

  it('can be read by its id only, and only while it is there', async () => {
    await using scope = new Scope();
    const given = await givenOutput(scope);
    const { results, id } = await savedText(given, LINES.join('\n'));
    const file = results.get(id);
    await rm(file?.path ?? '');
    const [sound] = await given.fit([{ type: 'audio', data: 'AAAA', mimeType: 'audio/wav' }]);
    const binary = sound?.kind === 'audio' ? sound.file : undefined;
    expect([
      await results.read('../../etc/passwd'),
      await results.read(id),
      await results.read(binary?.id ?? ''),
    ]).toEqual([{ kind: 'unknown-id' }, { kind: 'gone', file }, { kind: 'binary', file: binary }]);
  });
});

describe('lines of a text in pieces', () => {
  it('are those of the text, however it is cut', async () => {
    const pieces = fc.array(fc.string({ unit: fc.constantFrom('a', '\n'), maxLength: 5 }));
    await fc.assert(
      fc.asyncProperty(pieces, async (cut) => {
        const lines: string[] = [];
        for await (const line of eachLine(inPieces(cut))) lines.push(line);
        const whole = cut.join('');
        const expected = whole.split('\n');
        expect(lines).toEqual(
          whole === '' || whole.endsWith('\n') ? expected.slice(0, -1) : expected,
        );
      }),
    );
  });
});

async function* inPieces(pieces: readonly string[]): AsyncGenerator<string> {
  yield* pieces;
}
