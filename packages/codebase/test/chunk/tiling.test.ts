import { codePoint } from '@plugboard/testkit/code-point';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { processorMs, times, verifies } from '@plugboard/testkit';
import { type ChunkedFile, MOST_LENGTH } from '../../src/chunk/chunk.ts';
import { chunkText, type Way } from '../../src/chunk/chunk-text.ts';
import { Parsers } from '../../src/chunk/parsers.ts';
import { SAMPLES } from './samples.ts';

/** With some mistakes a parser never ends, and the file is cut by lines. Others take a hundredth of this. */
const MOST_MS = 5_000;
const parsers = new Parsers({ mostMs: MOST_MS });
const OTHER_PATHS = ['a.md', 'b.json', 'c.yaml', 'd.toml', 'e.kt', 'f.vue', 'g.html', 'h', 'i.rst'];

describe('the chunks of a file', () => {
  verifies('COD-05');

  it('cover any text without gaps or overlaps, whatever the file name', async () => {
    const path = fc.constantFrom(...Object.values(SAMPLES).map((one) => one.path), ...OTHER_PATHS);
    const piece = fc.oneof(
      fc.string({ unit: codePoint, maxLength: 40 }),
      fc.constantFrom('\n', '\r\n', '\r', '\uFEFF', '\uFFFD', '\uD800', '\uDC00', '\0', '  ', '\t'),
      fc.constantFrom(
        '# a\n',
        '```\n',
        'key: 1\n',
        '[t]\n',
        '<script>\n',
        '</script>\n',
        '"""',
        '/*',
      ),
      fc.constantFrom('{', '}', '(', ')', 'class A {', 'def f():\n  ', 'function f() {\n', ';\n'),
      fc.nat(3000).map((length) => 'x '.repeat(length)),
    );
    const text = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(''));
    await fc.assert(
      fc.asyncProperty(path, text, async (name, content) => {
        await expectTiling(name, content, 'syntax');
      }),
      { numRuns: times(60, 150) },
    );
  });

  it.each(Object.entries(SAMPLES))(
    'cover code in %s without gaps, also after random edits',
    async (_, sample) => {
      const long = `${sample.text}\n`.repeat(6);
      const edit = fc.record({
        at: fc.nat(long.length),
        length: fc.nat(120),
        insert: fc.constantFrom(
          '',
          '\n',
          '{',
          '}',
          '"',
          '/*',
          '*/',
          "'",
          '`',
          '\uFFFD',
          'é😀',
          '\n\n',
        ),
      });
      await fc.assert(
        fc.asyncProperty(fc.array(edit, { maxLength: 6 }), fc.boolean(), async (edits, isCrlf) => {
          const edited = edits.reduce(
            (text, { at, length, insert }) => text.slice(0, at) + insert + text.slice(at + length),
            long,
          );
          const text = isCrlf ? edited.replaceAll('\n', '\r\n') : edited;
          let file: ChunkedFile | undefined;
          const usedMs = await processorMs(async () => {
            file = await expectTiling(sample.path, text, 'syntax');
          });
          expect(file?.how).toBe(usedMs > MOST_MS ? 'lines' : 'syntax');
        }),
        { numRuns: times(10, 25) },
      );
    },
  );

  it('are none for an empty file, and one for a small file', async () => {
    expect(await chunkText({ path: 'a.ts', text: '' }, parsers, 'syntax')).toEqual({
      language: 'typescript',
      how: 'syntax',
      chunks: [],
      definitions: [],
      uses: new Map(),
    });
    expect(
      await chunkText({ path: 'a.ts', text: '\uFEFFlet a;\r\n' }, parsers, 'syntax'),
    ).toMatchObject({
      language: 'typescript',
      how: 'syntax',
      chunks: [
        {
          startLine: 1,
          endLine: 1,
          start: 0,
          end: 9,
          kind: 'constant',
          symbol: 'a',
          names: ['a'],
          signature: 'a. a',
        },
      ],
    });
  });

  it.each([
    ['JavaScript', 'deep.js', 'f(\n', ')\n', 20_000],
    ['Java', 'Deep.java', 'class A {\n', '}\n', 10_000],
    ['Rust', 'deep.rs', 'mod a {\n', '}\n', 10_000],
    ['CSS', 'deep.css', 'a {\n', '}\n', 10_000],
  ])('cover %s that is nested thousands of levels deep', async (_, path, open, close, depth) => {
    const { chunks } = await expectTiling(path, open.repeat(depth) + close.repeat(depth), 'syntax');
    expect(chunks.length).toBeGreaterThan(1);
  });

  it('never split a character', async () => {
    const text = `${'a'.repeat(MOST_LENGTH - 1)}😀${'b'.repeat(MOST_LENGTH - 3)}\r\n`;
    const { chunks } = await expectTiling('long.txt', text, 'syntax');
    expect(chunks.map(({ start, end }) => text.slice(start, end))).toEqual([
      'a'.repeat(MOST_LENGTH - 1),
      `😀${'b'.repeat(MOST_LENGTH - 3)}`,
      '\r\n',
    ]);
  });
});

async function expectTiling(path: string, text: string, way: Way): Promise<ChunkedFile> {
  const file = await chunkText({ path, text }, parsers, way);
  let offset = 0;
  for (const { start, end, startLine, endLine, names, signature } of file.chunks) {
    expect(start).toBe(offset);
    expect(end).toBeGreaterThan(start);
    expect(end - start).toBeLessThanOrEqual(MOST_LENGTH);
    expect([startLine, endLine]).toEqual([lineOf(text, start), lineOf(text, end - 1)]);
    expect(new Set(names).size).toBe(names.length);
    expect(signature.length).toBeLessThanOrEqual(1000);
    offset = end;
  }
  expect(offset).toBe(text.length);
  return file;
}

/** The line of an offset, by a simple count. */
function lineOf(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}
