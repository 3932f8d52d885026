// Files that speak of the same things as the code without being it: tests, examples, documents, what a
// program wrote, lists of what others declare. They go behind, unless the question asks for them.

import type { Query } from '../words/index.ts';
import { stem } from '../words/index.ts';
import type { ChunkRef } from '../store/index.ts';

interface SideKind {
  readonly is: (chunk: ChunkRef) => boolean;
  /** What is left of the score. */
  readonly factor: number;
  /** Words of a question that asks for such files. */
  readonly askedBy: ReadonlySet<string>;
}

/** Folders that lie beside the code in every language. */
const ASIDE =
  /(?:^|\/)(?:examples?|samples?|demos?|fixtures?|tests?|__tests__|__mocks__|spec|testdata|test_data|benchmarks?|vendor|third_party)\//i;
const PROSE = new Set(['markdown', 'asciidoc', 'restructuredtext', 'text']);
const DATA = new Set(['json', 'yaml', 'toml', 'ini', 'xml']);

const KINDS: readonly SideKind[] = [
  { is: ({ traits }) => traits.isTest, factor: 0.4, askedBy: stems('test tests spec specs') },
  {
    is: ({ traits, path }) => !traits.isTest && ASIDE.test(path),
    factor: 0.6,
    askedBy: stems('example sample demo fixture test benchmark vendor'),
  },
  {
    is: ({ language }) => PROSE.has(language),
    factor: 0.6,
    askedBy: stems('readme changelog document documentation docs guide markdown'),
  },
  {
    is: ({ language }) => DATA.has(language),
    factor: 0.6,
    askedBy: stems('json yaml toml ini xml configuration config settings workflow'),
  },
  {
    is: ({ traits }) => traits.isReexport,
    factor: 0.6,
    askedBy: stems('export exports reexport index entry public'),
  },
  { is: ({ traits }) => traits.isGenerated, factor: 0.6, askedBy: stems('generated') },
  {
    is: ({ traits }) => traits.isDeclaration,
    factor: 0.7,
    askedBy: stems('declaration declarations typings'),
  },
];

/** What is left of each candidate's score, from 0 to 1. */
export function sideFactors(query: Query, chunks: readonly ChunkRef[]): readonly number[] {
  const counted = KINDS.filter(({ askedBy }) => !query.words.some(({ term }) => askedBy.has(term)));
  return chunks.map((chunk) =>
    counted.reduce((left, { is, factor }) => (is(chunk) ? left * factor : left), 1),
  );
}

function stems(words: string): ReadonlySet<string> {
  return new Set(words.split(' ').map(stem));
}
