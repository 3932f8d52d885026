// Weighs how strongly a text addresses the model rather than explaining the tool. Each sentence is searched for signs, and
// the signs of neighbouring sentences are added up, each kind once: a single odd word is harmless, and an attack is
// found whatever its wording. Pure.

import { contextOf } from './context.ts';
import { findPattern, type Pattern, PatternIndex, patternsOf } from './pattern.ts';
import { type TextReading, readingOf, type Sentence, type Token } from './reading.ts';
import { CONCEAL } from './rules/conceal.ts';
import { EXFILTRATION } from './rules/exfiltration.ts';
import { OVERRIDE } from './rules/override.ts';
import { ROLE } from './rules/role.ts';
import { type Rule, SIDE_KINDS, type SignKind } from './rules/rule.ts';
import { STEER } from './rules/steer.ts';
import { addHinted, type FoundShape, shapesIn } from './shapes.ts';
import { Presence, type Term, VOCABULARY } from './vocabulary.ts';

export type Weights = ReadonlyMap<SignKind, number>;

export interface WeighedSentence {
  readonly text: string;
  readonly number: number;
  /** Already lowered by the context. */
  readonly weights: Weights;
}

export const DANGER = 8.5;
const NOTICE = 7;
/** How many sentences are weighed together. */
const NEIGHBOURS = 4;
/** The maximum length of a sentence in a finding. */
const LONGEST = 1000;

export const RULES: readonly Rule[] = [...OVERRIDE, ...CONCEAL, ...ROLE, ...EXFILTRATION, ...STEER];
const MAIN = new PatternIndex(
  RULES.filter(({ sign }) => !SIDE_KINDS.has(sign)).flatMap(patternsOf),
);
const SIDE = new PatternIndex(RULES.filter(({ sign }) => SIDE_KINDS.has(sign)).flatMap(patternsOf));

/** Returns the sentences with signs. `plain` is a result of `plainText`. */
export function weighSentences(plain: string): readonly WeighedSentence[] {
  const reading = readingOf(plain);
  present.clear();
  for (const { tokens } of reading.sentences) {
    for (const { terms } of tokens) for (const term of terms) present.add(term);
  }
  const hinted = addHinted(present, reading.marks);
  const main = MAIN.among(present);
  if (main.length === 0) return NOTHING;
  const sentences = withShapes(reading, plain, wantedShapes(hinted, main));
  const found = sentences.map((sentence) => ({ sentence, signs: new Map<SignKind, Sign>() }));
  for (const { sentence, signs } of found) search(sentence, main, signs);
  const signed = found.filter(({ signs }) => signs.size > 0);
  if (signed.length === 0) return NOTHING;
  if (mostOf(signed) < FEWEST)
    return signed.map(({ sentence, signs }) => unlowered(sentence, signs, plain));
  const side = SIDE.among(present);
  const whole = withShapes(reading, plain, new Set(hinted));
  return whole.flatMap((sentence) => {
    const known = found.find((each) => each.sentence.start === sentence.start);
    const signs = known?.signs ?? new Map<SignKind, Sign>();
    search(sentence, side, signs);
    return signs.size === 0 ? [] : [lowered(sentence, signs, { reading, plain })];
  });
}

/** Side kinds add at most the weight of the main kinds, so with less than this they cannot lead to a notice. */
const FEWEST = NOTICE / 2;

function mostOf(found: readonly { readonly signs: ReadonlyMap<SignKind, Sign> }[]): number {
  let sum = 0;
  for (const { signs } of found) for (const { weight } of signs.values()) sum += weight;
  return sum;
}

/** Whether the text that was last weighed has words with which an attack could begin. */
export function couldBegin(): boolean {
  return present.hasAny(BEGINNINGS);
}

const BEGINNINGS = [
  'DROP',
  'TELL_PLAINLY',
  'SECRET',
  'PRIVATE',
  'conversation',
  'ssh',
  'env',
  'aws',
].map((name) => VOCABULARY.term(name));
const NOTHING: readonly WeighedSentence[] = [];
const present = new Presence();

function wantedShapes(hinted: readonly Term[], patterns: readonly Pattern[]): ReadonlySet<Term> {
  return new Set(
    hinted.filter((term) =>
      patterns.some(({ parts }) => parts.some(({ terms }) => terms.includes(term))),
    ),
  );
}

interface Sign {
  readonly weight: number;
  readonly position: number;
}

function search(
  { tokens }: Sentence,
  patterns: readonly Pattern[],
  signs: Map<SignKind, Sign>,
): void {
  for (const pattern of patterns) {
    const { sign, weight } = pattern.rule;
    if ((signs.get(sign)?.weight ?? 0) >= weight) continue;
    if (tokens.length < pattern.parts.length && pattern.isInOrder) continue;
    const position = findPattern(pattern, tokens);
    if (position !== undefined) signs.set(sign, { weight, position });
  }
}

/** Inserts shapes at their places among the words. */
function withShapes(
  { sentences, offsets }: TextReading,
  plain: string,
  wanted: ReadonlySet<Term>,
): readonly Sentence[] {
  const shapes = wanted.size === 0 ? [] : shapesIn(plain, wanted);
  if (shapes.length === 0) return sentences;
  const byNumber = sentences.map((sentence) => ({ ...sentence, tokens: [...sentence.tokens] }));
  for (const shape of shapes) place(shape, byNumber, offsets);
  for (const { tokens } of byNumber) tokens.sort((a, b) => a.position - b.position);
  return byNumber;
}

function place(
  { term, index }: FoundShape,
  sentences: Sentence[],
  offsets: readonly number[],
): void {
  const token: Token = { terms: [term], position: positionOf(index, offsets) };
  const at = sentences.findIndex(({ end }) => index < end);
  const sentence = sentences[at];
  if (sentence !== undefined && sentence.start <= index) {
    sentence.tokens.push(token);
    return;
  }
  const start = sentences[at - 1]?.end ?? 0;
  const end = sentence?.start ?? Number.MAX_SAFE_INTEGER;
  const number = sentence === undefined ? (sentences.at(-1)?.number ?? 0) + 1 : sentence.number - 1;
  const alone = { number, start, end, tokens: [token] };
  if (at < 0) sentences.push(alone);
  else sentences.splice(at, 0, alone);
}

/** The position of the word at an index, or of the next word. */
function positionOf(index: number, offsets: readonly number[]): number {
  let [low, high] = [0, offsets.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((offsets[middle] ?? 0) < index) low = middle + 1;
    else high = middle;
  }
  return low;
}

function unlowered(
  { start, end, number }: Sentence,
  signs: ReadonlyMap<SignKind, Sign>,
  plain: string,
): WeighedSentence {
  const weights = new Map<SignKind, number>();
  for (const [kind, { weight }] of signs) weights.set(kind, weight);
  return { text: plain.slice(start, Math.min(end, start + LONGEST)).trim(), number, weights };
}

function lowered(
  sentence: Sentence,
  signs: ReadonlyMap<SignKind, Sign>,
  { reading, plain }: { readonly reading: TextReading; readonly plain: string },
): WeighedSentence {
  const { start, end, number } = sentence;
  const weights = new Map<SignKind, number>();
  for (const [kind, { weight, position }] of signs) {
    const at = Math.max(start, reading.offsets[position] ?? start);
    weights.set(kind, weight * contextOf(plain, { start, at }));
  }
  return { text: plain.slice(start, Math.min(end, start + LONGEST)).trim(), number, weights };
}

/** The sum over all kinds, each with its highest weight in any of the sentences. */
export function sumOf(together: readonly Weights[]): number {
  const most = new Map<SignKind, number>();
  for (const weights of together) {
    for (const [kind, weight] of weights) most.set(kind, Math.max(weight, most.get(kind) ?? 0));
  }
  let main = 0;
  let side = 0;
  for (const [kind, weight] of most) {
    if (SIDE_KINDS.has(kind)) side += weight;
    else main += weight;
  }
  return main + Math.min(side, main);
}

export interface Injection {
  /** The sentence as plain text. */
  readonly sentence: string;
  readonly severity: 'danger' | 'notice';
}

/** The sentence at this index and those after it that are weighed with it. */
export function sentencesFrom(
  weighed: readonly WeighedSentence[],
  index: number,
): readonly WeighedSentence[] {
  const end = (weighed[index]?.number ?? 0) + NEIGHBOURS;
  return weighed.slice(index, index + NEIGHBOURS).filter(({ number }) => number < end);
}

export function injectedAmong(weighed: readonly WeighedSentence[]): readonly Injection[] {
  const found = new Map<WeighedSentence, Injection>();
  for (const index of weighed.keys()) {
    const together = sentencesFrom(weighed, index);
    const sum = sumOf(together.map(({ weights }) => weights));
    if (sum < NOTICE) continue;
    const severity = sum >= DANGER ? 'danger' : 'notice';
    for (const part of together) {
      if (found.get(part)?.severity === 'danger') continue;
      found.set(part, { sentence: part.text, severity });
    }
  }
  return [...found.values()];
}
