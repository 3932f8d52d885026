// Prices and context windows of models on the date below, as published by their providers. Other models have no price,
// which is better than a wrong one.

import type { Instant } from '@plugboard/base';
import type { Usage } from '../conversation/index.ts';

/** When the prices were looked up. */
export const PRICES_OF = '2026-11-15';

/** US dollars per million tokens. */
interface Price {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  /** By default, the price of other input. */
  readonly cacheWrite?: number;
}

interface KnownModel {
  /** The provider and the beginning of the model's name. */
  readonly name: string;
  readonly contextTokens: number;
  readonly price?: Price;
  /** An announced change. */
  readonly later?: { readonly from: string; readonly price: Price };
  /** Requests with more input than that cost more as a whole. */
  readonly long?: { readonly above: number; readonly input: number; readonly output: number };
}

const MILLION = 1_000_000;

/** Claude's usual ratios: reading costs a tenth, writing a quarter more. */
const claude = (input: number, output: number): Price => ({
  input,
  output,
  cacheRead: input / 10,
  cacheWrite: input * 1.25,
});

const ABOVE_272K = { above: 272_000, input: 2, output: 1.5 };

/** Facts about a model, to choose one. */
export interface ModelFacts {
  readonly name: string;
  readonly contextTokens: number;
  /** US dollars per million tokens; `undefined` if unknown. */
  readonly price: { readonly input: number; readonly output: number } | undefined;
}

/** The models whose full name is known, by provider. */
export function knownModels(): readonly ModelFacts[] {
  return KNOWN.filter(({ name }) => /\d/u.test(name)).map(({ name, contextTokens, price }) => ({
    name,
    contextTokens,
    price,
  }));
}

/** The longest name that fits wins. */
const KNOWN: readonly KnownModel[] = [
  { name: 'anthropic/claude-fable-5-1', contextTokens: MILLION, price: claude(10, 50) },
  {
    name: 'anthropic/claude-opus-5-5',
    contextTokens: MILLION,
    price: { input: 4, output: 20, cacheRead: 0.2, cacheWrite: 5 },
  },
  { name: 'anthropic/claude-opus-5', contextTokens: MILLION, price: claude(5, 25) },
  { name: 'anthropic/claude-sonnet-5', contextTokens: MILLION, price: claude(2, 10) },
  { name: 'anthropic/claude-haiku-5-5', contextTokens: MILLION },
  { name: 'anthropic/claude-haiku-4-5', contextTokens: 200_000, price: claude(1, 5) },
  { name: 'anthropic/claude-sonnet-4', contextTokens: 200_000, price: claude(3, 15) },
  { name: 'anthropic/claude-opus-4-5', contextTokens: 200_000, price: claude(5, 25) },
  { name: 'anthropic/claude', contextTokens: 200_000 },
  {
    name: 'openai/gpt-6.1-sol',
    contextTokens: 922_000,
    price: { input: 2, output: 10, cacheRead: 0.1 },
    long: ABOVE_272K,
  },
  {
    name: 'openai/gpt-6-sol',
    contextTokens: 922_000,
    price: { input: 2, output: 10, cacheRead: 0.2, cacheWrite: 2.5 },
    long: ABOVE_272K,
  },
  {
    name: 'openai/gpt-6-luna',
    contextTokens: 922_000,
    price: { input: 0.1, output: 0.5, cacheRead: 0.01, cacheWrite: 0.125 },
    long: ABOVE_272K,
  },
  { name: 'openai/gpt-6', contextTokens: 272_000 },
  { name: 'openai/gpt-5', contextTokens: 272_000 },
  { name: 'openai/gpt-4.1', contextTokens: MILLION },
  { name: 'openai/o', contextTokens: 200_000 },
  { name: 'openai/', contextTokens: 128_000 },
  {
    name: 'google/gemini-4-argon',
    contextTokens: 1_048_576,
    price: { input: 2, output: 10, cacheRead: 0.1 },
    later: { from: '2026-12-01', price: { input: 4, output: 20, cacheRead: 0.2 } },
  },
  {
    name: 'google/gemini-3.8-flash',
    contextTokens: 1_048_576,
    price: { input: 0.75, output: 3.75, cacheRead: 0.075 },
    later: { from: '2027-01-01', price: { input: 1.5, output: 7.5, cacheRead: 0.15 } },
  },
  { name: 'google/gemini', contextTokens: 1_048_576 },
];

/** If the size is unknown: small enough for local models. */
const UNKNOWN_CONTEXT = 32_000;

export function contextTokensOf(name: string): number {
  return knownModel(name)?.contextTokens ?? UNKNOWN_CONTEXT;
}

/** In US dollars; `undefined` if the price is not known. */
export function costOf(name: string, usage: Usage, now: Instant): number | undefined {
  const known = knownModel(name);
  if (known?.price === undefined) return undefined;
  const { later, long } = known;
  const price = later !== undefined && now >= Date.parse(later.from) ? later.price : known.price;
  const isLong = long !== undefined && usage.inputTokens > long.above;
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = usage;
  const fresh = Math.max(0, inputTokens - cacheReadTokens - cacheWriteTokens);
  const input =
    fresh * price.input +
    cacheReadTokens * price.cacheRead +
    cacheWriteTokens * (price.cacheWrite ?? price.input);
  const output = outputTokens * price.output;
  return (input * (isLong ? long.input : 1) + output * (isLong ? long.output : 1)) / MILLION;
}

function knownModel(name: string): KnownModel | undefined {
  return KNOWN.filter((known) => name.startsWith(known.name)).toSorted(
    (one, other) => other.name.length - one.name.length,
  )[0];
}
