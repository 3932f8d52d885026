// Compiles the patterns of rules and finds them among the words of a sentence. Takes time in proportion to the number of
// words. Pure.

import type { Token } from './reading.ts';
import type { Rule } from './rules/rule.ts';
import { type Presence, type Term, VOCABULARY } from './vocabulary.ts';

export interface Pattern {
  readonly rule: Rule;
  readonly parts: readonly Part[];
  readonly isInOrder: boolean;
}

interface Part {
  readonly terms: readonly Term[];
  /** The maximum distance in words from the part before it. */
  readonly within: number;
}

const NEAR = 3;
const FARTHER: Readonly<Record<string, number>> = { '..': 6, '...': 15 };
const ANYWHERE = 15;

export function patternsOf(rule: Rule): readonly Pattern[] {
  return rule.says.map((said) => {
    const isInOrder = !said.includes('&');
    const parts: Part[] = [];
    let within = NEAR;
    for (const piece of said.split(' ')) {
      if (piece === '&') continue;
      const farther = FARTHER[piece];
      if (farther !== undefined) {
        within = farther;
        continue;
      }
      const terms = piece.split('|').map((name) => VOCABULARY.term(name));
      parts.push({ terms, within: isInOrder ? within : ANYWHERE });
      within = NEAR;
    }
    return { rule, parts, isInOrder };
  });
}

const NONE: readonly Pattern[] = [];

/** Patterns by the terms of their rarest part. */
export class PatternIndex {
  readonly #byTerm: (Pattern[] | undefined)[] = [];

  constructor(patterns: readonly Pattern[]) {
    for (const pattern of patterns) {
      for (const term of rarestOf(pattern)) {
        const known = this.#byTerm[term];
        if (known === undefined) this.#byTerm[term] = [pattern];
        else known.push(pattern);
      }
    }
  }

  /** The patterns whose parts are all present. */
  among(present: Presence): readonly Pattern[] {
    let found: Pattern[] | undefined;
    for (const term of present.terms) {
      for (const pattern of this.#byTerm[term] ?? NONE) {
        if (!isPossible(pattern, present)) continue;
        found ??= [];
        if (!found.includes(pattern)) found.push(pattern);
      }
    }
    return found ?? NONE;
  }
}

function rarestOf({ parts }: Pattern): readonly Term[] {
  let rarest: readonly Term[] = [];
  let least = Number.POSITIVE_INFINITY;
  for (const { terms } of parts) {
    let breadth = 0;
    for (const term of terms) breadth += VOCABULARY.breadth(term);
    if (breadth < least) [rarest, least] = [terms, breadth];
  }
  return rarest;
}

function isPossible({ parts }: Pattern, present: Presence): boolean {
  for (const { terms } of parts) if (!present.hasAny(terms)) return false;
  return true;
}

/** The position of the first word of a match. */
export function findPattern(pattern: Pattern, tokens: readonly Token[]): number | undefined {
  return pattern.isInOrder ? inOrder(pattern, tokens) : together(pattern, tokens);
}

function has(token: Token, { terms }: Part): boolean {
  for (const term of token.terms) if (terms.includes(term)) return true;
  return false;
}

/** Tracks, part by part, where partial matches begin and end. */
function inOrder({ parts }: Pattern, tokens: readonly Token[]): number | undefined {
  const [first, ...rest] = parts;
  if (first === undefined) return undefined;
  let reached: { readonly start: number; readonly end: number }[] = [];
  for (const token of tokens) {
    if (has(token, first)) reached.push({ start: token.position, end: token.position });
  }
  if (reached.length === 0) return undefined;
  for (const part of rest) {
    const next: typeof reached = [];
    let last = -1;
    for (const token of tokens) {
      while (last + 1 < reached.length && (reached[last + 1]?.end ?? 0) < token.position) last += 1;
      const before = reached[last];
      if (before === undefined || token.position - before.end > part.within) continue;
      if (has(token, part)) next.push({ start: before.start, end: token.position });
    }
    if (next.length === 0) return undefined;
    reached = next;
  }
  return reached[0]?.start;
}

/** The last position from which all parts are near. */
function together({ parts }: Pattern, tokens: readonly Token[]): number | undefined {
  for (let index = tokens.length - 1; index >= 0; index -= 1) {
    const position = tokens[index]?.position ?? 0;
    const near: Token[] = [];
    for (let at = index; at < tokens.length; at += 1) {
      const token = tokens[at];
      if (token === undefined || token.position - position > ANYWHERE) break;
      near.push(token);
    }
    if (parts.every((part) => near.some((token) => has(token, part)))) return position;
  }
  return undefined;
}
