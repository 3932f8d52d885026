// Makes chunks from cuts and declarations: the lines of each chunk, the names that it declares, and its symbol. Also adds
// the text that an embedder reads.

import type { Chunk, Declaration } from './chunk.ts';
import { lineFinder } from './line-finder.ts';
import { headOf, signatureOf } from './signature.ts';

export interface CutFile {
  readonly path: string;
  readonly text: string;
  /** The offsets at which chunks start, in order. */
  readonly cuts: readonly number[];
  readonly declarations: readonly Declaration[];
  /** The kind of a chunk without a declaration in or around it. */
  readonly otherwise: 'module' | 'lines';
}

export function chunksBetween(file: CutFile): readonly Chunk[] {
  const { path, text, cuts, declarations } = file;
  const lineAt = lineFinder(text);
  const head = headOf(path, text);
  const enclosing: Declaration[] = [];
  let next = 0;
  return cuts.map((start, index): Chunk => {
    const end = cuts[index + 1] ?? text.length;
    const within: Declaration[] = [];
    leaveEnded(enclosing, start);
    const outside = enclosing.at(-1);
    for (; next < declarations.length; next += 1) {
      const declaration = declarations[next];
      if (declaration === undefined || declaration.start >= end) break;
      within.push(declaration);
      leaveEnded(enclosing, declaration.start);
      enclosing.push(declaration);
    }
    const main = mainDeclaration(within, end) ?? outside;
    const place = {
      startLine: lineAt(start),
      endLine: lineAt(end - 1),
      start,
      end,
      kind: main?.kind ?? file.otherwise,
      ...(main === undefined ? {} : { symbol: main.symbol }),
      names: namesOf(within),
    };
    return { ...place, signature: signatureOf({ path, text, head, chunk: place }) };
  });
}

/** The outermost declaration; of several, the one that fills most of the chunk. */
function mainDeclaration(within: readonly Declaration[], end: number): Declaration | undefined {
  const fills = ({ start, end: last }: Declaration): number => Math.min(last, end) - start;
  let best: Declaration | undefined;
  for (const one of within) {
    if (best === undefined || one.depth < best.depth) best = one;
    else if (one.depth === best.depth && fills(one) > fills(best)) best = one;
  }
  return best;
}

function leaveEnded(enclosing: Declaration[], offset: number): void {
  while ((enclosing.at(-1)?.end ?? Infinity) <= offset) enclosing.pop();
}

function namesOf(within: readonly Declaration[]): readonly string[] {
  return [...new Set(within.flatMap(({ names }) => names))];
}
