// Files about the same subjects as the code that are not the code itself: tests, examples, documents, generated files,
// re-exports. They rank lower, unless the question asks for them.

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

/** Folders that lie beside the code in every language, and files that are called after what they are to others. */
const ASIDE =
  /(?:^|\/)(?:examples?|samples?|demos?|fixtures?|__fixtures__|tests?|__tests__|__mocks__|spec|testdata|test_data|benchmarks?|stories|migrations?|vendor|vendored|third_party|node_modules|docs?|documentation|website|features|e2e)\/|[._-](?:examples?|samples?|stories|min)\.[^/]+$/i;
const PROSE = new Set(['markdown', 'asciidoc', 'restructuredtext', 'text']);
const DATA = new Set(['json', 'yaml', 'toml', 'ini', 'xml']);

const TEST_WORDS = stems('test tests spec specs');

const KINDS: readonly SideKind[] = [
  { is: isTest, factor: 0.4, askedBy: TEST_WORDS },
  {
    is: (chunk) => !isTest(chunk) && ASIDE.test(chunk.path),
    factor: 0.6,
    askedBy: stems(
      'example sample demo fixture test benchmark story migration vendor document documentation docs feature website',
    ),
  },
  {
    is: ({ language }) => PROSE.has(language),
    factor: 0.4,
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

/** Who says `test` otherwise, as in "how test files are found", wants the code that does it, and not tests of it. */
const ASKS_FOR_TESTS =
  /\b(?:tests?|specs?|test cases?)\s+(?:for|of|that|which|on|around|covering)\b|\b(?:tests?|specs?|tested)\W*$/i;
const MENTIONED = 0.5;

/** In Rust tests stand below the code, in their own module. */
const RUST_TESTS = /(?:^|\.)tests(?:\.|$)/;

function isTest({ traits, language, symbol = '' }: ChunkRef): boolean {
  return traits.isTest || (language === 'rust' && RUST_TESTS.test(symbol));
}

/** What is left of each candidate's score, from 0 to 1. */
export function sideFactors(query: Query, chunks: readonly ChunkRef[]): readonly number[] {
  const said = new Set(query.words.map(({ term }) => term));
  const factors = KINDS.map(({ is, factor, askedBy }) => {
    const words = [...askedBy].filter((term) => said.has(term));
    const isMention = words.length > 0 && words.every((term) => TEST_WORDS.has(term));
    const left = words.length === 0 ? factor : 1;
    return {
      is,
      factor: isMention && !ASKS_FOR_TESTS.test(query.text) ? factor ** MENTIONED : left,
    };
  });
  return chunks.map((chunk) =>
    factors.reduce((left, { is, factor }) => (is(chunk) ? left * factor : left), 1),
  );
}

function stems(words: string): ReadonlySet<string> {
  return new Set(words.split(' ').map(stem));
}
