import { link, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Scope } from '@plugboard/base';
import { ManualClock, tempFolder, verifies } from '@plugboard/testkit';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Results, SavedFile } from '../../src/output/index.ts';
import { readPage } from '../../src/output/read-page.ts';
import { textRows } from '../../src/output/text-rows.ts';
import { type GivenOutput, outputIn, text } from './output-cases.ts';

/** The place of a line of `LINES`. */
function at(line: number): { line: number; character: number } {
  return { line, character: LINES.slice(0, line - 1).join('\n').length + 1 };
}

const LINES = Array.from({ length: 30_000 }, (_, index) => `line ${index + 1}`);

/** The clock stands still, so that a search never times out. */
async function given(scope: Scope): Promise<GivenOutput> {
  const { path } = scope.use(await tempFolder());
  return outputIn(path, {}, { clock: new ManualClock() });
}

async function savedText(
  { fit, output }: GivenOutput,
  whole: string,
): Promise<{ results: Results; id: string }> {
  const parts = await fit([text(whole)]);
  const note = parts.at(-1);
  const [, id = ''] = /id (\w+)/.exec(note?.kind === 'note' ? note.text : '') ?? [];
  return { results: output.results, id };
}

describe('a stored result', () => {
  it('is read by lines and by characters, with the place to continue', async () => {
    verifies('OUT-02');
    await using scope = new Scope();
    const { results, id } = await savedText(await given(scope), LINES.join('\n'));
    expect([
      await results.read(id, { from: { line: 3 }, lines: 2 }),
      await results.read(id, { from: { line: 29_999 }, lines: 10 }),
      await results.read(id, { characters: 14 }),
      await results.read(id, { from: { character: 7 }, characters: 6 }),
      await results.read(id, { from: { line: 30_001 } }),
    ]).toEqual([
      {
        kind: 'text',
        text: 'line 3\nline 4',
        start: { line: 3, character: 14 },
        next: { line: 5, character: 28 },
      },
      { kind: 'text', text: 'line 29999\nline 30000', start: at(29_999) },
      {
        kind: 'text',
        text: 'line 1\nline 2',
        start: { line: 1, character: 0 },
        next: { line: 3, character: 14 },
      },
      {
        kind: 'text',
        text: 'line 2',
        start: { line: 2, character: 7 },
        next: { line: 2, character: 13 },
      },
      { kind: 'text', text: '', start: { line: 30_000, character: LINES.join('\n').length } },
    ]);
    const pages: string[] = [];
    for (let from: { character: number } | undefined = { character: 0 }; from !== undefined;) {
      const page = await results.read(id, { from, characters: 99_999 });
      if (page.kind !== 'text') throw new Error(page.kind);
      pages.push(page.text);
      from = page.next;
    }
    expect(pages.join('\n')).toBe(LINES.join('\n'));
  });

  it('is searched for a word and by a safe regular expression', async () => {
    verifies('OUT-02');
    await using scope = new Scope();
    const { results, id } = await savedText(await given(scope), LINES.join('\n'));
    const around = {
      ...at(29_999),
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
      { kind: 'matches', matches: [around] },
      { kind: 'matches', matches: [around] },
      { kind: 'matches', matches: [] },
      {
        kind: 'matches',
        matches: [{ line: 1, character: 0, text: 'line 1', before: [], after: [] }],
        next: { character: 7 },
      },
      { kind: 'bad-pattern' },
      { kind: 'bad-pattern' },
      { kind: 'bad-pattern' },
    ]);
  });

  it('is searched in a line without end', async () => {
    await using scope = new Scope();
    const whole = `${'x'.repeat(300_000)}needle${'y'.repeat(300_000)}`;
    const { results, id } = await savedText(await given(scope), whole);
    for (const as of ['text', 'regex'] as const) {
      expect(await results.search(id, { pattern: 'needle', as })).toMatchObject({
        matches: [{ line: 1, text: expect.stringContaining('needle') as string }],
      });
    }
  });

  it('has no false line starts or ends in a search', async () => {
    await using scope = new Scope();
    const whole = [
      `${'x'.repeat(128)}needle${'y'.repeat(300)}`,
      `${'x'.repeat(250)}needle${'y'.repeat(300)}`,
    ];
    const { results, id } = await savedText(await given(scope), [...whole, ...LINES].join('\n'));
    expect([
      await results.search(id, { pattern: '^needle', as: 'regex' }),
      await results.search(id, { pattern: 'needle$', as: 'regex' }),
    ]).toEqual([
      { kind: 'matches', matches: [] },
      { kind: 'matches', matches: [] },
    ]);
  });

  it('is searched from where the previous search ended, also within one line', async () => {
    verifies('OUT-07');
    await using scope = new Scope();
    const places = [0, 70_000, 1_500_000, 1_999_000];
    const line = [...'x'.repeat(2_000_000)];
    for (const place of places) line.splice(place, 6, ...'needle');
    const { results, id } = await savedText(await given(scope), line.join(''));
    for (const as of ['text', 'regex'] as const) {
      const found: number[] = [];
      for (let from: { character: number } | undefined = { character: 0 }; from !== undefined;) {
        const part = await results.search(id, { pattern: 'needle', as, from, most: 1 });
        if (part.kind !== 'matches') throw new Error(part.kind);
        found.push(...part.matches.map(({ character }) => character));
        from = part.next;
      }
      expect(found).toEqual(places);
    }
  });

  it('is searched without case if the pattern has no capital, on request', async () => {
    await using scope = new Scope();
    const { results, id } = await savedText(await given(scope), LINES.join('\n'));
    const matches = async (pattern: string, as: 'text' | 'regex') => {
      const found = await results.search(id, { pattern, as, case: 'smart', context: 0 });
      return found.kind === 'matches' ? found.matches.map(({ line }) => line) : found.kind;
    };
    expect([
      await matches('line 29999', 'text'),
      await matches(String.raw`^\S+ 29999`, 'regex'),
      await matches('LINE 29999', 'text'),
      await matches('Line 29999', 'regex'),
    ]).toEqual([[29_999], [29_999], [], []]);
  });

  it('is named by its id or by the path in the note, and by nothing else', async () => {
    verifies('OUT-07');
    await using scope = new Scope();
    const own = await given(scope);
    const { results, id } = await savedText(own, LINES.join('\n'));
    const { path = '' } = results.get(id) ?? {};
    expect(await results.read(path, { lines: 1 })).toMatchObject({ text: 'line 1' });
    await writeFile(join(own.folder, 'results', 'aaaaaaaaaaaaaaaa.txt'), 'of nobody');
    const others = [
      '/etc/passwd',
      '../../etc/passwd',
      join(own.folder, 'results', 'aaaaaaaaaaaaaaaa.txt'),
      'aaaaaaaaaaaaaaaa',
      path.replace('/results/', '/results/../results/'),
      `${path}/`,
      '',
      'constructor',
    ];
    for (const other of others) {
      expect(await results.read(other)).toEqual({ kind: 'unknown' });
      expect(await results.search(other, { pattern: 'a' })).toEqual({ kind: 'unknown' });
    }
  });

  it('belongs to one host, until another takes it over', async () => {
    verifies('OUT-07');
    await using scope = new Scope();
    const first = await given(scope);
    const { results, id } = await savedText(first, LINES.join('\n'));
    const file = results.get(id) as SavedFile;
    const { output: second } = outputIn(first.folder);
    expect([
      await second.results.read(id, { lines: 1 }),
      await second.results.read(file.path, { lines: 1 }),
    ]).toEqual([{ kind: 'unknown' }, { kind: 'unknown' }]);
    const outside = join(first.folder, 'secret.txt');
    await writeFile(outside, 'secret');
    second.results.adopt([
      { ...file, id: 'aaaaaaaaaaaaaaaa' },
      { ...file, path: outside },
      { ...file, id: '../secret', path: join(first.folder, 'results/../secret.txt'), bytes: 6 },
    ]);
    expect(second.results.all).toEqual([]);
    second.results.adopt([file]);
    expect(await second.results.read(id, { lines: 1 })).toMatchObject({ text: 'line 1' });
  });

  it.each([
    ['a link', (path: string, other: string) => symlink(other, path)],
    ['a second name of another file', (path: string, other: string) => link(other, path)],
    ['another file', (path: string, other: string) => rename(other, path)],
  ])('is not read if %s is in its place', async (_, replace) => {
    verifies('OUT-07');
    await using scope = new Scope();
    const own = await given(scope);
    const { results, id } = await savedText(own, LINES.join('\n'));
    const file = results.get(id) as SavedFile;
    const other = join(own.folder, 'secret.txt');
    await writeFile(other, 'secret');
    await rm(file.path);
    await replace(file.path, other);
    expect(await results.read(id)).toEqual({ kind: 'gone', file });
    expect(await results.search(id, { pattern: 'secret' })).toEqual({ kind: 'gone', file });
  });

  it('is not read through a link in the place of its folder', async () => {
    verifies('OUT-07');
    await using scope = new Scope();
    const own = await given(scope);
    const { results, id } = await savedText(own, LINES.join('\n'));
    await using elsewhere = await tempFolder();
    await rename(join(own.folder, 'results'), join(elsewhere.path, 'results'));
    await symlink(join(elsewhere.path, 'results'), join(own.folder, 'results'));
    expect(await readFile(results.get(id)?.path ?? '', 'utf8')).toContain('line 1');
    expect(await results.read(id)).toMatchObject({ kind: 'gone' });
  });

  it('is not shown if it is binary, whatever its type says', async () => {
    verifies('OUT-07');
    await using scope = new Scope();
    const own = await given(scope);
    const blob = (bytes: readonly number[]) => Buffer.from(bytes).toString('base64');
    const parts = await own.fit(
      [blob([0x74, 0, 0x78]), blob([0x63, 0xe9, 0x0a]), blob([0x63, 0xc3, 0xa9, 0x0a])].map(
        (data, index) => ({
          type: 'resource',
          resource: { uri: `file:///${index}`, mimeType: 'application/x-thing', blob: data },
        }),
      ),
    );
    const ids = parts.map((part) => ('file' in part ? (part.file?.id ?? '') : ''));
    expect(await Promise.all(ids.map((id) => own.output.results.read(id)))).toMatchObject([
      { kind: 'binary' },
      { kind: 'binary' },
      { kind: 'text', text: 'cé' },
    ]);
  });

  it('stops being read when its caller aborts', async () => {
    await using scope = new Scope();
    const { results, id } = await savedText(await given(scope), LINES.join('\n'));
    const signal = AbortSignal.abort(new Error('given up'));
    await expect(results.read(id, { signal })).rejects.toThrow('given up');
    await expect(results.search(id, { pattern: 'a', signal })).rejects.toThrow('given up');
  });

  it('can be read only while it exists', async () => {
    await using scope = new Scope();
    const own = await given(scope);
    const { results, id } = await savedText(own, LINES.join('\n'));
    const file = results.get(id);
    await rm(file?.path ?? '');
    const [sound] = await own.fit([{ type: 'audio', data: 'AAAA', mimeType: 'audio/wav' }]);
    const binary = sound?.kind === 'audio' ? sound.file : undefined;
    expect([
      await results.read('../../etc/passwd'),
      await results.read(id),
      await results.read(binary?.id ?? ''),
    ]).toEqual([{ kind: 'unknown' }, { kind: 'gone', file }, { kind: 'binary', file: binary }]);
  });
});

const CUT = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', '\n'), maxLength: 5 }));

describe('a text read in pieces', () => {
  it('has the same rows as the whole, however it is cut', async () => {
    await fc.assert(
      fc.asyncProperty(CUT, async (cut) => {
        const lines: string[] = [];
        const whole = cut.join('');
        for await (const rows of textRows(inPieces(cut), 10)) {
          for (const row of rows) {
            expect(whole.slice(row.character, row.character + row.text.length)).toBe(row.text);
            expect(row.line).toBe(lines.length + 1);
            lines.push(row.text);
          }
        }
        const expected = whole.split('\n');
        expect(lines).toEqual(
          whole === '' || whole.endsWith('\n') ? expected.slice(0, -1) : expected,
        );
      }),
    );
  });

  it('is the same page by page as at once, however it is cut and read', async () => {
    const wish = fc.record({
      lines: fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined }),
      characters: fc.integer({ min: 1, max: 9 }),
    });
    await fc.assert(
      fc.asyncProperty(CUT, wish, async (cut, { lines, characters }) => {
        const whole = cut.join('');
        let read = '';
        for (let from: { character: number } | undefined = { character: 0 }; from;) {
          const page = await readPage(inPieces(cut), { from, lines, characters });
          expect(page.start.line).toBe(whole.slice(0, page.start.character).split('\n').length);
          expect(page.text.length).toBeLessThanOrEqual(characters);
          const end = page.next?.character ?? whole.length;
          const own = whole.slice(page.start.character, end);
          expect(page.text).toBe(own.endsWith('\n') ? own.slice(0, -1) : own);
          read += own;
          from = page.next;
        }
        expect(read).toBe(whole);
      }),
    );
  });
});

async function* inPieces(pieces: readonly string[]): AsyncGenerator<string> {
  yield* pieces;
}
