// Which of the names that a chunk declares a question asks for. A chunk is shown under the first of its names; the
// requested one may be another.

import type { ChunkRef } from '../store/index.ts';
import { identifierWords, type Query } from '../words/index.ts';
import { fitTo } from './fit.ts';

/** `undefined` if the first name fits as well as any other. */
export function nameFor(query: Query): (chunk: ChunkRef) => string | undefined {
  const fit = fitTo(query);
  const asked = new Set(query.symbols);
  const fitOf = (name: string): number => (asked.has(name) ? 2 : fit(identifierWords(name)));
  return ({ names, symbol = '' }) => {
    const first = symbol.slice(symbol.lastIndexOf('.') + 1);
    let best: { readonly name: string | undefined; readonly fit: number } = {
      name: undefined,
      fit: first === '' ? 0 : fitOf(first),
    };
    for (const name of names) {
      const its = fitOf(name);
      if (its > best.fit && name !== first) best = { name, fit: its };
    }
    return best.name;
  };
}
