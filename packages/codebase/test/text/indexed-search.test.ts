import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { systemClock } from '@plugboard/base';
import { tempFolder, times, verifies } from '@plugboard/testkit';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { listFiles, Root } from '../../src/scan/index.ts';
import { TextSearch, type TextQuery, TrigramIndex } from '../../src/text/index.ts';

const signal = new AbortController().signal;

/** Few letters, so that patterns are found; with letters that change their length with their case. */
const letters = fc.constantFrom(...'abcABCks _.(é\u212a\u017fK');
const word = fc.string({ unit: letters, minLength: 0, maxLength: 12 });
const line = fc.oneof(word, fc.constantFrom('function abc', 'class Back', 'abcabc\r', 'cab(a.c)'));
const text = fc.array(line, { maxLength: 12 }).map((lines) => Buffer.from(lines.join('\n')));
const content = fc.oneof(
  { weight: 12, arbitrary: text },
  { weight: 1, arbitrary: text.map((bytes) => Buffer.concat([bytes, Buffer.from([0]), bytes])) },
  {
    weight: 1,
    arbitrary: text.map((bytes) => Buffer.from(`\ufeff${bytes.toString('utf8')}`, 'utf16le')),
  },
  { weight: 1, arbitrary: text.map((bytes) => Buffer.concat([Buffer.from([0xff, 0xc3]), bytes])) },
);
const name = fc.constantFrom(
  'a.ts',
  'b.ts',
  'c.py',
  'abc.md',
  '.hidden.ts',
  'left-out.log',
  'kept.log',
);
const folder = fc.constantFrom('', 'src/', 'src/deep/', 'build/', 'test/', '.git2/');
const tree = fc.dictionary(
  fc.tuple(folder, name).map(([a, b]) => a + b),
  content,
  {
    minKeys: 1,
    maxKeys: 12,
  },
);

const regexPiece = fc.constantFrom(
  'abc',
  'a',
  'b',
  'c',
  'k',
  's',
  '.',
  'a+',
  'b*',
  '(ab|ca)',
  '[aA]',
  '[abc]',
  '\\b',
  '\\w',
  '\\.',
  '(?i)',
  '(?i:ABC)',
  '(?:abc)?',
  'a{2}',
  '(abc){1,2}',
  '^',
  '$',
  '\\s',
  'é',
  '\\x61',
  '[^a]',
  '(?P<n>cab)',
  'abc|cab',
  '\\(',
  '_',
  'S',
  'K',
);
const query: fc.Arbitrary<TextQuery> = fc
  .record({
    how: fc.oneof(
      fc
        .string({ unit: letters, minLength: 1, maxLength: 6 })
        .map((pattern) => ({ pattern, regex: false })),
      fc
        .array(regexPiece, { minLength: 1, maxLength: 5 })
        .map((pieces) => ({ pattern: pieces.join(''), regex: true })),
    ),
    case: fc.constantFrom('smart', 'sensitive', 'insensitive'),
    word: fc.boolean(),
    globs: fc.constantFrom([], ['*.ts'], ['!src'], ['src/**'], ['**/a.*', '!deep/'], ['{a,b}.ts']),
    contextLines: fc.constantFrom(0, 2),
  })
  .map(({ how, ...rest }) => ({ ...how, ...rest, maxResults: 1000 }));

function write(root: string, files: Readonly<Record<string, Buffer>>): void {
  for (const [path, bytes] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), bytes);
  }
}

async function opened(path: string): Promise<Root> {
  const root = await Root.open(path);
  if (!root.ok) throw new Error(root.error.message);
  return root.value;
}

describe('a search with an index', () => {
  verifies('COD-03');

  it('finds the same as a search without one, also after files changed', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          tree,
          changes: tree,
          queries: fc.array(query, { minLength: 6, maxLength: 12 }),
        }),
        async ({ tree: files, changes, queries }) => {
          await using place = await tempFolder();
          const path = join(place.path, 'tree');
          write(path, { '.gitignore': Buffer.from('build/\n*.log\n!kept.log\n'), ...files });
          symlinkSync('/etc', join(path, 'link'));
          const root = await opened(path);
          await using index = await TrigramIndex.open({
            root,
            folder: join(place.path, 'index'),
          });
          await index.update(listFiles(root, signal));
          await index.settled();
          const plain = new TextSearch({ root, clock: systemClock });
          const indexed = new TextSearch({ root, clock: systemClock, index });
          const compare = async (): Promise<void> => {
            for (const one of queries) {
              expect(await indexed.page(one), JSON.stringify(one)).toEqual(await plain.page(one));
            }
          };
          await compare();
          write(path, changes);
          const gone = Object.keys(files).slice(0, 2);
          for (const file of gone) rmSync(join(path, file));
          const listed: string[] = [];
          for await (const file of listFiles(root, signal)) listed.push(file.path);
          index.tell(
            Object.keys(changes).filter((file) => listed.includes(file)),
            gone,
          );
          await compare();
        },
      ),
      { numRuns: times(5, 12) },
    );
  });
});
