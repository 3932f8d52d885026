// Words in a definition that are meant for the model and not for using the tool. Each sentence is looked
// through for signs, and the signs of neighbouring sentences are added up, each kind once: so a single odd
// word does no harm, and an attack is found in whatever words it comes. What only speaks of such words (a
// scanner, a page on attacks) is not told apart with certainty; what reads like it weighs nothing. Pure.

import { disguisedIn } from './disguised-words.ts';
import { sentencesOf } from './plain-text.ts';
import { MAIN_SIGNS, SIDE_SIGNS } from './signs/all-signs.ts';
import type { SignGroup, SignKind } from './signs/sign.ts';
import { ALL_SORTS, SORT } from './signs/telling-words.ts';

export interface Injected {
  /** The sentence, as it is understood. */
  readonly sentence: string;
  readonly severity: 'danger' | 'notice';
}

const DANGER = 9;
const NOTICE = 7;
/** Sentences that are weighed together. */
const NEIGHBOURS = 4;
/** Nobody writes longer sentences for people to read; a pattern must not run over a whole book. */
const LONGEST = 1000;

/** `plain` is what `plainText` makes of a text, `sorts` the sorts of telling words in it. */
export function injectedIn(plain: string, sorts: number = ALL_SORTS): readonly Injected[] {
  if (sorts === 0) return [];
  const weighed = weighEach(sentencesOf(plain, LONGEST), sorts);
  const found = new Map<Weighed, Injected>();
  for (let first = 0; first < weighed.length; first += 1) {
    if (weighed[first]?.weights.size === 0) continue;
    const together = weighed.slice(first, first + NEIGHBOURS);
    const sum = total(together);
    if (sum < NOTICE) continue;
    for (const part of together) {
      if (part.weights.size === 0 || found.get(part)?.severity === 'danger') continue;
      const severity = sum >= DANGER ? 'danger' : 'notice';
      found.set(part, { sentence: part.sentence, severity });
    }
  }
  const disguised = (sorts & DISGUISED) === 0 ? undefined : disguisedIn(plain);
  if (disguised === undefined) return [...found.values()];
  return [...found.values(), { sentence: disguised, severity: 'danger' }];
}

/** Of these sorts are the words that a disguise leaves standing. */
const DISGUISED = SORT.drop | SORT.tell | SORT.prompt;

interface Weighed {
  readonly sentence: string;
  readonly weights: Map<SignKind, number>;
}

function weighEach(sentences: readonly string[], sorts: number): readonly Weighed[] {
  const mainSigns = MAIN_SIGNS.filter(({ needs }) => needs.some((set) => (set & sorts) === set));
  const weighed = sentences.map((sentence) => ({ sentence, weights: new Map<SignKind, number>() }));
  for (const each of weighed) weigh(each, mainSigns);
  if (weighed.every(({ weights }) => weights.size === 0)) return [];
  for (const each of weighed) weigh(each, SIDE_SIGNS);
  return weighed;
}

function weigh({ sentence, weights }: Weighed, groups: readonly SignGroup[]): void {
  for (const { signs, after } of groups) {
    for (const { kind, weight, pattern } of signs) {
      if ((weights.get(kind) ?? 0) >= weight) continue;
      if (after !== undefined && kind !== after && !weights.has(after)) break;
      const at = sentence.search(pattern);
      if (at >= 0 && !speaksOf(sentence, at)) weights.set(kind, weight);
    }
  }
}

/** Each kind once, with the most that any of the sentences gives it. */
function total(together: readonly Weighed[]): number {
  const most = new Map<SignKind, number>();
  for (const { weights } of together) {
    for (const [kind, weight] of weights) most.set(kind, Math.max(weight, most.get(kind) ?? 0));
  }
  let sum = 0;
  for (const weight of most.values()) sum += weight;
  return sum;
}

/** Whether what stands at this place is only quoted, described or looked for. */
function speaksOf(sentence: string, at: number): boolean {
  const before = sentence.slice(Math.max(0, at - 200), at);
  return SPEAKS_OF.some((pattern) => pattern.test(before));
}

const SPEAKS_OF = [
  /\b(?:detect|analy[sz]|check|flag|block|explain|identif|scan|guard|prevent|classif|recogni[sz]|report|search|test|evaluat|filter|warn|protect|document|descri|audit|assess|defend|mitigat|simulat|sanitiz|catch)\w*\b.{0,80}\b(?:that|which|when|whether|if|asks?|tr(?:ies|ying|y) to|attempts?|such as|like|against|as|contain(?:s|ing)?|phrases?|strings?|patterns?)\b.{0,40}$/,
  /\b(?:expected|sample|mock|example|canned|test|illustrative|training|simulated|fixture)s?\s(?:output|response|reply|replie|text|input|prompt|string|data|payload)s?\s?[:=].{0,160}$/,
];
