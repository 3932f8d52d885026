// Lowers files that are about the same subjects as the code but are not the code itself: tests, examples, documents,
// generated files, re-exports. A question that asks for such files does not lower them.

import type { Query } from '../words/index.ts';
import { stem } from '../words/index.ts';
import type { ChunkRef } from '../store/index.ts';

interface SideKind {
  readonly is: (chunk: ChunkRef) => boolean;
  /** The factor for the score. */
  readonly factor: number;
  /** Words of questions about such files. */
  readonly words: ReadonlySet<string>;
}

/** Folders beside the code in every language, and files named after their purpose for other code. */
const ASIDE =
  /(?:^|\/)(?:examples?|samples?|demos?|fixtures?|__fixtures__|tests?|__tests__|__mocks__|spec|testdata|test_data|benchmarks?|stories|migrations?|vendor|vendored|third_party|node_modules|docs?|documentation|website|features|e2e)\/|[._-](?:examples?|samples?|stories|min)\.[^/]+$/i;
const PROSE = new Set(['markdown', 'asciidoc', 'restructuredtext', 'text']);
const DATA = new Set(['json', 'yaml', 'toml', 'ini', 'xml']);

const TEST_WORDS = stems('test tests spec specs');

const KINDS: readonly SideKind[] = [
  { is: isTest, factor: 0.4, words: TEST_WORDS },
  {
    is: (chunk) => !isTest(chunk) && ASIDE.test(chunk.path),
    factor: 0.6,
    words: stems(
      'example sample demo fixture test benchmark story migration vendor document documentation docs feature website',
    ),
  },
  {
    is: ({ language }) => PROSE.has(language),
    factor: 0.4,
    words: stems('readme changelog document documentation docs guide markdown'),
  },
  {
    is: ({ language }) => DATA.has(language),
    factor: 0.6,
    words: stems('json yaml toml ini xml configuration config settings workflow'),
  },
  {
    is: ({ traits }) => traits.isReexport,
    factor: 0.6,
    words: stems('export exports reexport index entry public'),
  },
  { is: ({ traits }) => traits.isGenerated, factor: 0.6, words: stems('generated') },
  {
    is: ({ traits }) => traits.isDeclaration,
    factor: 0.7,
    words: stems('declaration declarations typings'),
  },
];

/** Any other use of `test`, as in "how test files are found", is about the code, and not about its tests. */
const IS_ABOUT_TESTS =
  /\b(?:tests?|specs?|test cases?)\s+(?:for|of|that|which|on|around|covering)\b|\b(?:tests?|specs?|tested)\W*$/i;
const MENTIONED = 0.5;

/** In Rust, tests follow the code in their own module. */
const RUST_TESTS = /(?:^|\.)tests(?:\.|$)/;

function isTest({ traits, language, symbol = '' }: ChunkRef): boolean {
  return traits.isTest || (language === 'rust' && RUST_TESTS.test(symbol));
}

/** The factor for the score of each candidate, from 0 to 1. */
export function sideFactors(query: Query, chunks: readonly ChunkRef[]): readonly number[] {
  const terms = new Set(query.words.map(({ term }) => term));
  const kinds = KINDS.map(({ is, factor, words }) => {
    const found = [...words].filter((term) => terms.has(term));
    if (found.length === 0) return { is, factor };
    const isMention = found.every((term) => TEST_WORDS.has(term));
    return { is, factor: isMention && !IS_ABOUT_TESTS.test(query.text) ? factor ** MENTIONED : 1 };
  });
  return chunks.map((chunk) =>
    kinds.reduce((product, { is, factor }) => (is(chunk) ? product * factor : product), 1),
  );
}

function stems(words: string): ReadonlySet<string> {
  return new Set(words.split(' ').map(stem));
}
