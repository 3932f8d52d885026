// Fits the texts of a result into its budget: small parts stay whole, and the large ones share the remaining room. The
// caller stores the complete result. Pure.

import type { Json } from '@plugboard/base';
import { estimateTokens, MOST_TOKENS_PER_CHARACTER } from './estimate-tokens.ts';
import type { ResultLimits } from './budget.ts';
import type { TextKind } from './for-model.ts';
import { jsonInText } from './json-in-text.ts';
import { jsonLength } from './json-length.ts';
import type { Part } from './part.ts';
import { shortenText } from './shorten-text.ts';
import { shortenValue } from './shorten-value.ts';
import { tableText } from './table-text.ts';
import { problemWords, partText } from './to-text.ts';

export type CountTokens = (text: string) => number;

/** The smallest share of the room that is worth showing. */
const LEAST_SHARE = 200;
/** Links and names of binaries cannot be cut; longer ones are left out. */
const LONGEST_FIXED = 2000;
const MOST_TRIES = 20;

/** Whether all parts fit unchanged. */
export function fits(
  parts: readonly Part[],
  { maxCharacters, maxTokens }: ResultLimits,
  countTokens: CountTokens | undefined,
): boolean {
  const characters = lengthOfAll(parts, maxCharacters);
  if (characters > maxCharacters) return false;
  if (countTokens === undefined && characters * MOST_TOKENS_PER_CHARACTER <= maxTokens) return true;
  return tokensOfAll(parts, maxTokens, countTokens) <= maxTokens;
}

/** Cuts the parts until they fit. */
export function cutToFit(
  parts: readonly Part[],
  {
    limits: { maxCharacters, maxTokens },
    countTokens,
    texts,
  }: {
    readonly limits: ResultLimits;
    readonly countTokens: CountTokens | undefined;
    readonly texts: TextKind;
  },
): readonly Part[] {
  const lists = texts === 'data' ? listsIn(parts) : NO_LISTS;
  let characters = maxCharacters;
  for (let tries = 0; tries < MOST_TRIES && characters >= LEAST_SHARE; tries += 1) {
    const cut = cutParts(parts, characters, lists);
    const tokens = tokensOfAll(cut, Number.POSITIVE_INFINITY, countTokens);
    if (tokens <= maxTokens) return cut;
    characters = Math.floor(characters * Math.min(0.9, (0.97 * maxTokens) / tokens));
  }
  return [];
}

/** The values of texts that are shown as tables, by part. */
type Lists = ReadonlyMap<Part, Json>;

const NO_LISTS: Lists = new Map();

/** Finds texts that a model gets as tables, and that are therefore not cut as text. */
function listsIn(parts: readonly Part[]): Lists {
  return new Map(
    parts.flatMap((part) => {
      const value = part.kind === 'text' ? jsonInText(part.text) : undefined;
      return value === undefined || tableText(value) === undefined ? [] : [[part, value] as const];
    }),
  );
}

function cutParts(parts: readonly Part[], most: number, lists: Lists): readonly Part[] {
  const kept = withoutSurplus(parts, most);
  const lengths = kept.map((part) => lengthOf(part, most));
  const fixed = lengths.filter((_, index) => !isCuttable(kept[index]));
  const room = most - kept.length - fixed.reduce((sum, length) => sum + length, 0);
  const share = fairShare(
    lengths.filter((_, index) => isCuttable(kept[index])),
    Math.max(0, room),
  );
  return kept.map((part) => shortenPart(part, share, lists.get(part)));
}

/** The first parts, and the last one, which has the structured content. */
function withoutSurplus(parts: readonly Part[], most: number): readonly Part[] {
  const count = Math.max(1, Math.floor(most / LEAST_SHARE));
  const some = parts.length <= count ? parts : [...parts.slice(0, count - 1), ...parts.slice(-1)];
  let fixed = 0;
  return some.filter((part) => {
    if (isCuttable(part)) return true;
    const length = lengthOf(part, LONGEST_FIXED);
    if (length > LONGEST_FIXED || fixed + length > most / 2) return false;
    fixed += length;
    return true;
  });
}

/** The largest length to which parts can be cut so that all of them fit into the room. */
function fairShare(lengths: readonly number[], room: number): number {
  let left = room;
  let others = lengths.length;
  for (const length of lengths.toSorted((a, b) => a - b)) {
    if (length * others > left) return Math.floor(left / others);
    left -= length;
    others -= 1;
  }
  return Number.POSITIVE_INFINITY;
}

function shortenPart(part: Part, most: number, list: Json | undefined): Part {
  switch (part.kind) {
    case 'text':
      if (list === undefined || part.text.length <= most) {
        return { ...part, text: shortenText(part.text, most) };
      }
      return { ...part, text: JSON.stringify(shortenValue(list, most), undefined, 2) };
    case 'structured': {
      const room = most - problemWords(part.problems).length;
      return { ...part, value: shortenValue(part.value, room) };
    }
    case 'resource':
      if (part.body.kind !== 'text') return part;
      return { ...part, body: { kind: 'text', text: shortenText(part.body.text, most) } };
    case 'image':
    case 'audio':
    case 'link':
    case 'note':
    case 'file':
      return part;
    default:
      return part satisfies never;
  }
}

function isCuttable(part: Part | undefined): boolean {
  if (part === undefined) return false;
  if (part.kind === 'resource') return part.body.kind === 'text';
  return part.kind === 'text' || part.kind === 'structured';
}

function lengthOfAll(parts: readonly Part[], most: number): number {
  let length = parts.length - 1;
  for (const part of parts) {
    if (length > most) return length;
    length += lengthOf(part, most);
  }
  return length;
}

/** Exact up to `most`. */
function lengthOf(part: Part, most: number): number {
  if (part.kind === 'text') return part.text.length;
  if (part.kind === 'structured') {
    return jsonLength(part.value, most) + problemWords(part.problems).length;
  }
  if (part.kind === 'resource' && part.body.kind === 'text') return part.body.text.length;
  return partText(part).length;
}

function tokensOfAll(
  parts: readonly Part[],
  most: number,
  countTokens: CountTokens | undefined,
): number {
  let tokens = 0;
  for (const part of parts) {
    if (tokens > most) return tokens;
    const text = partText(part);
    tokens += 1 + (ownCount(text, countTokens) ?? estimateTokens(text, most));
  }
  return tokens;
}

/** The program's own count; `undefined` if it has none, or one that is not a number. */
function ownCount(text: string, countTokens: CountTokens | undefined): number | undefined {
  if (countTokens === undefined) return undefined;
  try {
    const counted = countTokens(text);
    return Number.isFinite(counted) && counted >= 0 ? counted : undefined;
  } catch {
    // A tokenizer that throws on a hostile text must not fail the call.
    return undefined;
  }
}
