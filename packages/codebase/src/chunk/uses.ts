// Finds where names are used in a text: each identifier outside comments and strings that is neither bound in an enclosing
// function nor the name of a declaration. Records how a name is used, so that `save` of `model.save()` is distinguished
// from a function `save`. Names are compared by their text; they are not resolved.

import type { QueryCapture, Tree } from 'web-tree-sitter';
import { type Declaration, OF_MODULE, USE_KINDS, type Uses } from './chunk.ts';
import { importedNames } from './imported-names.ts';
import { lineFinder } from './line-finder.ts';
import type { SyntaxFacts } from './syntax-facts.ts';

export interface UsesSource {
  readonly tree: Tree;
  readonly text: string;
  readonly facts: SyntaxFacts;
  readonly declarations: readonly Declaration[];
  /** A file that takes too long has no uses. */
  readonly isLate: () => boolean;
}

/** Uses of one name in one file; a file with more is generated. */
const MOST_OF_NAME = 2048;
/** How many of the preceding scopes that bind a name are examined for a use of it. */
const MOST_SCOPES = 32;
const LONGEST_NAME = 120;
const IDENTIFIER = /[A-Za-z_$\u0080-\uffff][\w$\u0080-\uffff]*/g;
const DIGIT = /\d/;
const SPACE = /\s/;
const NAME_PART = /[\w$\u0080-\uffff]/;
/** A call: between the name and the parenthesis there may be type arguments, `!` of a macro or `?.`. */
const CALL = /[ \t]*(?:!|\?\.)?(?:::)?(?:<[\w$ ,.:|&[\]]{0,80}>)?[ \t]*\(/y;

/** `x = …`, `x: T = …`, but not a comparison or an arrow. */
const ASSIGNED = /[ \t]*(?::[^=\n(){}]{1,80})?=(?![=>])/y;

export function usesIn({ tree, text, facts, declarations, isLate }: UsesSource): Uses {
  const captures = facts.query.captures(tree.rootNode, { progressCallback: isLate });
  if (isLate()) return new Map();
  const marks = marksIn(captures, text);
  const declared = new Set(declarations.flatMap(({ nameOffsets = [] }) => nameOffsets));
  const uses = new Map<string, number[]>();
  const lineAt = lineFinder(text);
  let skip = 0;
  IDENTIFIER.lastIndex = 0;
  for (let found = IDENTIFIER.exec(text); found !== null; found = IDENTIFIER.exec(text)) {
    const at = found.index;
    while ((marks.skipped[skip]?.end ?? Infinity) <= at) skip += 1;
    const next = marks.skipped[skip];
    if (next !== undefined && next.start <= at) {
      IDENTIFIER.lastIndex = Math.max(next.end, IDENTIFIER.lastIndex);
      continue;
    }
    const name = found[0];
    if (
      name.length > LONGEST_NAME ||
      name === '$' ||
      DIGIT.test(text.charAt(at - 1)) ||
      declared.has(at)
    )
      continue;
    const floor = marks.skipped[skip - 1]?.end ?? 0;
    const { kind, root } = useOfName({ text, at, floor }, marks);
    if (kind === BARE && (facts.keywords.has(name) || isLocal(marks, name, at))) continue;
    CALL.lastIndex = at + name.length;
    ASSIGNED.lastIndex = CALL.lastIndex;
    const use = lineAt(at) * 16 + (ASSIGNED.test(text) ? 8 : 0) + (CALL.test(text) ? 4 : 0) + kind;
    const module = marks.imported.get(root ?? (kind === BARE ? name : ''));
    const key = module === undefined ? name : name + OF_MODULE + module;
    const known = uses.get(key);
    if (known === undefined) uses.set(key, [use]);
    else if (known.at(-1) !== use && known.length < MOST_OF_NAME) known.push(use);
  }
  return uses;
}

const BARE = USE_KINDS.indexOf('bare');
const MEMBER = USE_KINDS.indexOf('member');
const QUALIFIED = USE_KINDS.indexOf('qualified');
const KEY = USE_KINDS.indexOf('key');

interface Span {
  readonly start: number;
  readonly end: number;
}

interface Marks {
  readonly skipped: readonly Span[];
  readonly keys: ReadonlySet<number>;
  /** The scopes that bind each local name. */
  readonly locals: ReadonlyMap<string, readonly Span[]>;
  /** The module of each imported name; `undefined` if it is beside the file. */
  readonly imported: ReadonlyMap<string, string | undefined>;
}

/** Captures are in the order of the text, outer nodes before inner ones. */
function marksIn(captures: readonly QueryCapture[], text: string): Marks {
  const skipped: Span[] = [];
  const keys = new Set<number>();
  const locals = new Map<string, Span[]>();
  const imported = new Map<string, string | undefined>();
  const scopes: Span[] = [];
  for (const { name, node } of captures) {
    const span = { start: node.startIndex, end: node.endIndex };
    while ((scopes.at(-1)?.end ?? Infinity) <= span.start) scopes.pop();
    if (name === 'skip') skipped.push(span);
    else if (name === 'key') keys.add(span.start);
    else if (name === 'scope') scopes.push(span);
    else if (name === 'import') {
      for (const one of importedNames(text.slice(span.start, span.end))) imported.set(...one);
    } else {
      const scope = scopes.at(-1);
      const word = text.slice(span.start, span.end);
      // A name bound outside of all scopes belongs to the module.
      if (scope === undefined) continue;
      const known = locals.get(word);
      if (known === undefined) locals.set(word, [scope]);
      else if (known.at(-1) !== scope) known.push(scope);
    }
  }
  return { skipped, keys, locals, imported };
}

function isLocal({ locals }: Marks, name: string, at: number): boolean {
  const scopes = locals.get(name) ?? [];
  let low = 0;
  let high = scopes.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((scopes[middle]?.start ?? 0) <= at) low = middle + 1;
    else high = middle;
  }
  return scopes
    .slice(Math.max(0, low - MOST_SCOPES), low)
    .some(({ start, end }) => at >= start && at < end);
}

interface Place {
  readonly text: string;
  readonly at: number;
  /** The end of the preceding comment or string: a full stop in it is not a dot. */
  readonly floor: number;
}

/** How a name is used, and the imported name that qualifies it. */
interface UseOfName {
  readonly kind: number;
  readonly root?: string;
}

function useOfName({ text, at, floor }: Place, { keys, imported }: Marks): UseOfName {
  if (keys.has(at)) return { kind: KEY };
  // `#name` and `@name` are members with a prefix.
  const mark = text.charAt(at - 1);
  const dot = dotBefore(text, mark === '#' ? at - 1 : at);
  if (dot === undefined || dot < floor) {
    return { kind: mark === '@' && NAME_PART.test(text.charAt(at - 2)) ? MEMBER : BARE };
  }
  const root = chainRoot(text, dot);
  const isModule = text.charAt(dot) === ':' || imported.has(root);
  return isModule ? { kind: QUALIFIED, root } : { kind: MEMBER };
}

/** The start of the `.`, `->` or `::` before a name. */
function dotBefore(text: string, at: number): number | undefined {
  const last = spacesBefore(text, at);
  const mark = text.charAt(last - 1);
  if (mark === '.') return text.charAt(last - 2) === '.' ? undefined : last - 1;
  if (mark === '>' && text.charAt(last - 2) === '-') return last - 2;
  return mark === ':' && text.charAt(last - 2) === ':' ? last - 2 : undefined;
}

/** The first name of `a.b?.c`, given its last dot; empty if the chain starts with a call or the like. */
function chainRoot(text: string, lastDot: number): string {
  let dot = lastDot;
  for (let steps = 0; steps < 8; steps += 1) {
    let end = spacesBefore(text, dot);
    if (text.charAt(end - 1) === '?' || text.charAt(end - 1) === '!') end -= 1;
    let start = end;
    while (start > 0 && end - start <= LONGEST_NAME && NAME_PART.test(text.charAt(start - 1))) {
      start -= 1;
    }
    const before = dotBefore(text, start);
    if (before === undefined || start === end) return text.slice(start, end);
    dot = before;
  }
  return '';
}

function spacesBefore(text: string, at: number): number {
  let before = at;
  while (before > 0 && SPACE.test(text.charAt(before - 1))) before -= 1;
  return before;
}
