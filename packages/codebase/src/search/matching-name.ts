// Finds the name, of those that a chunk declares, that fits a question best. A chunk is shown under its first name, but the
// question may be about another one.

import type { ChunkRef } from '../store/index.ts';
import { identifierWords, type Query } from '../words/index.ts';
import { fitTo } from './fit.ts';

/** The name is `undefined` if the first one fits as well as any other. */
export function matchingName(query: Query): (chunk: ChunkRef) => string | undefined {
  const fit = fitTo(query);
  const symbols = new Set(query.symbols);
  const fitOf = (name: string): number => (symbols.has(name) ? 2 : fit(identifierWords(name)));
  return ({ names, symbol = '' }) => {
    const first = symbol.slice(symbol.lastIndexOf('.') + 1);
    let best: { readonly name: string | undefined; readonly fit: number } = {
      name: undefined,
      fit: first === '' ? 0 : fitOf(first),
    };
    for (const name of names) {
      const nameFit = fitOf(name);
      if (nameFit > best.fit && name !== first) best = { name, fit: nameFit };
    }
    return best.name;
  };
}
