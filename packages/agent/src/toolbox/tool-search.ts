// Finds tools by words, for models that cannot be shown all of them. Rare words count more than common ones, and a word
// in a tool's name more than one in its description. Pure.

import type { HostTool } from '@plugboard/host';

interface IndexedTool {
  readonly tool: HostTool;
  readonly weights: ReadonlyMap<string, number>;
}

const NAME_WEIGHT = 3;
const TITLE_WEIGHT = 2;

/** The best first; tools that share no word with the question are left out. */
export function searchTools(
  tools: readonly HostTool[],
  query: string,
  most: number,
): readonly HostTool[] {
  const indexed = tools.map(index);
  const wanted = [...new Set(searchWords(query))];
  const rarity = new Map(
    wanted.map((word) => {
      const holders = indexed.filter(({ weights }) => weightOf(weights, word) > 0).length;
      return [word, Math.log(1 + tools.length / (1 + holders))];
    }),
  );
  return indexed
    .map(({ tool, weights }) => ({
      tool,
      score: wanted.reduce(
        (sum, word) => sum + weightOf(weights, word) * (rarity.get(word) ?? 0),
        0,
      ),
    }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, most)
    .map(({ tool }) => tool);
}

function index(tool: HostTool): IndexedTool {
  const weights = new Map<string, number>();
  const add = (text: string, weight: number): void => {
    for (const word of searchWords(text))
      weights.set(word, Math.max(weights.get(word) ?? 0, weight));
  };
  add(`${tool.server} ${tool.tool}`, NAME_WEIGHT);
  add(tool.title ?? '', TITLE_WEIGHT);
  add(tool.description, 1);
  const { properties } = tool.inputSchema;
  if (typeof properties === 'object' && properties !== null)
    add(Object.keys(properties).join(' '), 1);
  return { tool, weights };
}

/** A longer word that begins with it counts half. */
function weightOf(weights: ReadonlyMap<string, number>, word: string): number {
  const exact = weights.get(word);
  if (exact !== undefined) return exact;
  if (word.length < 4) return 0;
  let best = 0;
  for (const [other, weight] of weights) {
    if (other.startsWith(word)) best = Math.max(best, weight / 2);
  }
  return best;
}

/** `createPullRequests` is create, pull, request. */
function searchWords(text: string): readonly string[] {
  const words = text
    .replaceAll(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .match(/[\p{L}\d]+/gu);
  return (words ?? []).map((word) => (word.length > 3 ? word.replace(/s$/, '') : word));
}
