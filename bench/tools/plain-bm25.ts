// Plain BM25 over the name, description, parameters and server of a tool, as a baseline: k1 1.2, b .75, split names,
// light stemming, stop words.

import type { SetTool } from './tool-set.ts';

const K1 = 1.2;
const B = 0.75;

const STOP_WORDS = new Set(
  'a an and are as at be by can do for from has have how i if in into is it its me my of on or our please so that the their them then there these they this to us was we were what when where which who will with would you your'.split(
    ' ',
  ),
);

interface Posting {
  readonly tool: number;
  readonly count: number;
}

export class PlainBm25 {
  readonly #ids: readonly string[];
  readonly #lengths: readonly number[];
  readonly #average: number;
  readonly #postings = new Map<string, Posting[]>();

  constructor(tools: readonly SetTool[]) {
    this.#ids = tools.map(({ id }) => id);
    const words = tools.map((tool) => wordsOf(textOf(tool)));
    this.#lengths = words.map(({ length }) => length);
    this.#average = this.#lengths.reduce((sum, length) => sum + length, 0) / tools.length;
    words.forEach((each, tool) => {
      const counts = new Map<string, number>();
      for (const word of each) counts.set(word, (counts.get(word) ?? 0) + 1);
      for (const [word, count] of counts) {
        const postings = this.#postings.get(word) ?? [];
        postings.push({ tool, count });
        this.#postings.set(word, postings);
      }
    });
  }

  find(query: string, limit: number): readonly string[] {
    const scores = new Map<number, number>();
    for (const word of new Set(wordsOf(query))) {
      const postings = this.#postings.get(word) ?? [];
      const rest = this.#ids.length - postings.length;
      const rarity = Math.log(1 + (rest + 0.5) / (postings.length + 0.5));
      for (const { tool, count } of postings) {
        const norm = K1 * (1 - B + (B * this.#lengths[tool]!) / this.#average);
        const score = (rarity * count * (K1 + 1)) / (count + norm);
        scores.set(tool, (scores.get(tool) ?? 0) + score);
      }
    }
    return [...scores]
      .toSorted(([a, x], [b, y]) => y - x || a - b)
      .slice(0, limit)
      .map(([tool]) => this.#ids[tool]!);
  }
}

function textOf({ name, description = '', server, schema = {} }: SetTool): string {
  return [name, description, server, ...parameterTexts(schema)].join(' ');
}

function parameterTexts(schema: unknown): readonly string[] {
  if (typeof schema !== 'object' || schema === null || !('properties' in schema)) return [];
  return Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => {
    const { description } = (inner ?? {}) as { readonly description?: unknown };
    return [name, typeof description === 'string' ? description : '', ...parameterTexts(inner)];
  });
}

function wordsOf(text: string): readonly string[] {
  const words = text
    .replaceAll(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu);
  return (words ?? []).filter((word) => !STOP_WORDS.has(word)).map(stem);
}

function stem(word: string): string {
  if (word.length <= 3) return word;
  const singular = word.endsWith('ies')
    ? `${word.slice(0, -3)}y`
    : word.endsWith('s') && !word.endsWith('ss')
      ? word.slice(0, -1)
      : word;
  return singular.replace(/(?<=.{3})(?:ing|ed)$/, '');
}
