// Selects paths by a list of globs: `*`, `?`, `**`, `[a-z]`, `{a,b}` and `\` as in ignore files. A glob without a slash
// matches the name alone, a glob that matches a folder includes everything in it, `!` excludes, and the last match decides.
// The time to match is proportional to the lengths of glob and path: no pattern can make it slow.

import { err, ok, type Result } from '@plugboard/base';

type Token =
  | { readonly kind: 'char'; readonly char: string }
  | { readonly kind: 'one' }
  | { readonly kind: 'class'; readonly isNegated: boolean; readonly ranges: readonly string[] }
  /** Any characters within a name. */
  | { readonly kind: 'star' }
  /** Any characters, including slashes. */
  | { readonly kind: 'deep' };

interface Alternative {
  readonly tokens: readonly Token[];
  /** For the most common kind, `*.ts`: the ending to compare. */
  readonly ending: string | undefined;
}

interface Glob {
  readonly isExclusion: boolean;
  readonly isFolderOnly: boolean;
  readonly byName: boolean;
  readonly alternatives: readonly Alternative[];
}

export type GlobFilter = (path: string) => boolean;

const MOST_GLOBS = 100;
const LONGEST_GLOB = 500;
const MOST_ALTERNATIVES = 256;

/** The error states which glob is wrong, and why. */
export function globFilter(
  globs: readonly string[],
  { most = MOST_GLOBS }: { readonly most?: number } = {},
): Result<GlobFilter, string> {
  if (globs.length > most) return err(`more than ${most} globs`);
  const compiled: Glob[] = [];
  for (const text of globs) {
    const glob = compile(text);
    if (!glob.ok) return err(`the glob ${JSON.stringify(text.slice(0, 100))} ${glob.error}`);
    compiled.push(glob.value);
  }
  const hasExclusion = compiled.some(({ isExclusion }) => isExclusion);
  const inclusions = compiled.filter(({ isExclusion }) => !isExclusion);
  const otherwise = compiled.every(({ isExclusion }) => isExclusion);
  return ok((path) => {
    if (hasExclusion && isBelowExcluded(compiled, path)) return false;
    const last = compiled.findLast((glob) => fits(glob, path, 'file'));
    if (last !== undefined) return !last.isExclusion;
    return otherwise || inclusions.some((glob) => includesFolderOf(glob, path));
  });
}

function isBelowExcluded(globs: readonly Glob[], path: string): boolean {
  return foldersOf(path).some(
    (folder) => globs.findLast((glob) => fits(glob, folder, 'folder'))?.isExclusion === true,
  );
}

/** Whether the glob matches a folder that contains the path. */
function includesFolderOf({ byName, alternatives }: Glob, path: string): boolean {
  const names = byName ? path.split('/').slice(0, -1) : [];
  return alternatives.some(({ tokens, ending }) => {
    if (!byName) return matches(tokens, path, 'folder above');
    return names.some((name) =>
      ending === undefined ? matches(tokens, name) : name.endsWith(ending),
    );
  });
}

/** The folders that contain a path, the outermost first. */
function foldersOf(path: string): readonly string[] {
  const folders: string[] = [];
  for (let slash = path.indexOf('/'); slash !== -1; slash = path.indexOf('/', slash + 1)) {
    folders.push(path.slice(0, slash));
  }
  return folders;
}

function fits(glob: Glob, path: string, kind: 'file' | 'folder'): boolean {
  if (glob.isFolderOnly && kind === 'file') return false;
  const text = glob.byName ? path.slice(path.lastIndexOf('/') + 1) : path;
  return glob.alternatives.some(({ tokens, ending }) =>
    ending === undefined ? matches(tokens, text) : text.endsWith(ending),
  );
}

function compile(text: string): Result<Glob, string> {
  if (text.length > LONGEST_GLOB) return err(`is longer than ${LONGEST_GLOB} characters`);
  const isExclusion = text.startsWith('!');
  // People and shells write `./lib` for `/lib`.
  const positive = (isExclusion ? text.slice(1) : text).replace(/^\.\//, '/');
  const isFolderOnly = positive.endsWith('/');
  const trimmed = isFolderOnly ? positive.slice(0, -1) : positive;
  if (/^!?\.\/?$/.test(text)) return ok(everything(isExclusion));
  if (trimmed === '') return err('is empty');
  const byName = !trimmed.includes('/');
  const expanded = expandBraces(trimmed.startsWith('/') ? trimmed.slice(1) : trimmed);
  if (expanded === undefined) return err('has braces that do not pair, or too many of them');
  const alternatives: Alternative[] = [];
  for (const plain of expanded) {
    const tokens = tokensOf(plain);
    if (tokens === undefined) return err('has a [ without its ]');
    const isEnding = byName && /^\*[^*?[\\]+$/.test(plain);
    alternatives.push({ tokens, ending: isEnding ? plain.slice(1) : undefined });
  }
  return ok({ isExclusion, isFolderOnly, byName, alternatives });
}

/** `.` and `./` are the root. */
function everything(isExclusion: boolean): Glob {
  const alternatives = [{ tokens: [{ kind: 'deep' } as const], ending: undefined }];
  return { isExclusion, isFolderOnly: false, byName: false, alternatives };
}

/** `a{b,c}` expands to `ab` and `ac`. */
function expandBraces(text: string): readonly string[] | undefined {
  const open = indexOutside(text, '{');
  if (open === -1) return indexOutside(text, '}') === -1 ? [text] : undefined;
  const parts: string[] = [];
  let depth = 0;
  let from = open + 1;
  for (let at = open; at < text.length; at += 1) {
    const char = text[at];
    if (char === '\\') at += 1;
    else if (char === '{') depth += 1;
    else if (char === ',' && depth === 1) {
      parts.push(text.slice(from, at));
      from = at + 1;
    } else if (char === '}') {
      depth -= 1;
      if (depth > 0) continue;
      parts.push(text.slice(from, at));
      return combine(text.slice(0, open), parts, text.slice(at + 1));
    }
  }
  return undefined;
}

function combine(
  before: string,
  parts: readonly string[],
  after: string,
): readonly string[] | undefined {
  const all: string[] = [];
  for (const part of parts) {
    const expanded = expandBraces(before + part + after);
    if (expanded === undefined || all.length + expanded.length > MOST_ALTERNATIVES)
      return undefined;
    all.push(...expanded);
  }
  return all;
}

function indexOutside(text: string, wanted: string): number {
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === wanted) return at;
  }
  return -1;
}

function tokensOf(text: string): readonly Token[] | undefined {
  const tokens: Token[] = [];
  for (let at = 0; at < text.length;) {
    const char = text[at] ?? '';
    if (char === '*') {
      const isDeep = text[at + 1] === '*' && (at === 0 || text[at - 1] === '/');
      const after = text[at + 2];
      if (isDeep && (after === '/' || after === undefined)) {
        tokens.push({ kind: 'deep' });
        // `**/` also matches nothing at all, so its slash is part of the token; see `matches`.
        at += after === '/' ? 3 : 2;
        continue;
      }
      tokens.push({ kind: 'star' });
      at += 1;
    } else if (char === '?') {
      tokens.push({ kind: 'one' });
      at += 1;
    } else if (char === '[') {
      const found = classAt(text, at);
      if (found === undefined) return undefined;
      tokens.push(found.token);
      at = found.end;
    } else {
      const escaped = char === '\\' && at + 1 < text.length;
      tokens.push({ kind: 'char', char: escaped ? (text[at + 1] ?? '') : char });
      at += escaped ? 2 : 1;
    }
  }
  return tokens;
}

function classAt(
  text: string,
  start: number,
): { readonly token: Token; readonly end: number } | undefined {
  let at = start + 1;
  const isNegated = text[at] === '!' || text[at] === '^';
  if (isNegated) at += 1;
  const ranges: string[] = [];
  for (let isFirst = true; at < text.length; isFirst = false) {
    if (text[at] === ']' && !isFirst) {
      return { token: { kind: 'class', isNegated, ranges }, end: at + 1 };
    }
    if (text[at] === '\\' && at + 1 < text.length) at += 1;
    const from = text[at] ?? '';
    const isRange = text[at + 1] === '-' && at + 2 < text.length && text[at + 2] !== ']';
    ranges.push(isRange ? from + (text[at + 2] ?? '') : from + from);
    at += isRange ? 3 : 1;
  }
  return undefined;
}

/** Follows all reachable places of the glob at once. */
function matches(
  tokens: readonly Token[],
  text: string,
  what: 'path' | 'folder above' = 'path',
): boolean {
  let places = new Uint8Array(tokens.length + 1);
  let next = new Uint8Array(tokens.length + 1);
  places[0] = 1;
  skipEmpty(tokens, places, 'start of a name');
  for (const char of text) {
    if (what === 'folder above' && char === '/' && places[tokens.length] === 1) return true;
    next.fill(0);
    for (const [place, token] of tokens.entries()) {
      if (places[place] === 0) continue;
      if (token.kind === 'deep' || (token.kind === 'star' && char !== '/')) next[place] = 1;
      else if (accepts(token, char)) next[place + 1] = 1;
    }
    [places, next] = [next, places];
    skipEmpty(tokens, places, char === '/' ? 'start of a name' : 'within a name');
  }
  return what === 'path' && places[tokens.length] === 1;
}

/** Skips tokens that can match nothing; one pass is enough, since it only moves forwards. */
function skipEmpty(
  tokens: readonly Token[],
  places: Uint8Array,
  where: 'start of a name' | 'within a name',
): void {
  for (const [place, { kind }] of tokens.entries()) {
    if (places[place] === 0) continue;
    const isLast = place === tokens.length - 1;
    const canBeEmpty =
      kind === 'star' || (kind === 'deep' && (isLast || where === 'start of a name'));
    if (canBeEmpty) places[place + 1] = 1;
  }
}

function accepts(token: Token, char: string): boolean {
  switch (token.kind) {
    case 'char':
      return token.char === char;
    case 'one':
      return char !== '/';
    case 'class': {
      const isIn = token.ranges.some((range) => char >= (range[0] ?? '') && char <= range.slice(1));
      return char !== '/' && isIn !== token.isNegated;
    }
    case 'star':
    case 'deep':
      return false;
    default:
      return token satisfies never;
  }
}
