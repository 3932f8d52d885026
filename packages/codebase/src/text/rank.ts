// Orders the files of a text search: first those that declare the search text, then those with a similar name; tests after
// other code, and generated or vendored files last. Pure and deterministic.

import type { FoundFile, FoundLine } from './ripgrep-output.ts';
import type { CheckedQuery } from './text-query.ts';

export interface RankedFile extends FoundFile {
  readonly score: number;
}

const DECLARES = 8;
const NAMED_LIKE_IT = 4;
const TEST = -6;
const VENDORED = -12;

const KEYWORDS =
  'function|class|def|fn|func|interface|type|struct|enum|trait|const|let|var|val|module|namespace|package|object|record|protocol|impl|macro|define';
const DECLARATION_BEFORE = new RegExp(`\\b(?:${KEYWORDS})\\*?\\s+(?:\\([^()]{0,80}\\)\\s*)?$`);
const DECLARATION = new RegExp(
  `^\\s*(?:(?:export|default|public|private|protected|static|abstract|async|pub|final)\\s+){0,5}(?:${KEYWORDS})\\b`,
);
const TEST_PATH =
  /(?:^|\/)(?:tests?|__tests__|specs?|fixtures?|mocks?|__mocks__|testdata)\/|[._-](?:test|spec)s?\.|(?:^|\/)test_|_test\./i;
const VENDORED_PATH =
  /(?:^|\/)(?:node_modules|vendor|third_party|dist|build|generated)\/|\.min\.|(?:^|\/)(?:package-lock\.json|yarn\.lock|pnpm-lock\.yaml|Cargo\.lock|go\.sum)$|\.(?:lock|map|snap|svg)$/i;

/** Negative if `a` is the better file. */
export function byRank(a: RankedFile, b: RankedFile): number {
  return b.score - a.score || (a.path < b.path ? -1 : Number(a.path > b.path));
}

export function ranked(file: FoundFile, query: CheckedQuery): RankedFile {
  const declares = file.matches.some((match) => isDeclaration(match, query));
  const score =
    (declares ? DECLARES : 0) +
    (isNamedLike(file.path, query) ? NAMED_LIKE_IT : 0) +
    (TEST_PATH.test(file.path) ? TEST : 0) +
    (VENDORED_PATH.test(file.path) ? VENDORED : 0);
  return { ...file, score };
}

function isDeclaration(line: FoundLine, query: CheckedQuery): boolean {
  if (query.isRegex) return DECLARATION.test(line.text);
  const at = columnOf(line, query);
  // Text further away is not part of the declaration.
  return at !== undefined && DECLARATION_BEFORE.test(line.text.slice(Math.max(0, at - 120), at));
}

/** The first position of a literal pattern in the line; unknown for a regex. */
export function columnOf({ text }: FoundLine, query: CheckedQuery): number | undefined {
  if (query.isRegex) return undefined;
  const isExact =
    query.caseRule === 'sensitive' || (query.caseRule === 'smart' && hasCapital(query));
  const at = isExact
    ? text.indexOf(query.pattern)
    : text.toLowerCase().indexOf(query.pattern.toLowerCase());
  return at === -1 ? undefined : at;
}

function hasCapital({ pattern }: CheckedQuery): boolean {
  return pattern !== pattern.toLowerCase();
}

const SHORTEST_NAME = 3;

function isNamedLike(path: string, { pattern, isRegex }: CheckedQuery): boolean {
  if (isRegex || pattern.length < SHORTEST_NAME) return false;
  const name = path.slice(path.lastIndexOf('/') + 1);
  return withoutSeparators(name).includes(withoutSeparators(pattern));
}

/** Makes `fooBar`, `foo-bar` and `foo_bar` equal. */
function withoutSeparators(name: string): string {
  const letters = name.toLowerCase().replace(/[-_\s]/g, '');
  return letters === '' ? name : letters;
}
