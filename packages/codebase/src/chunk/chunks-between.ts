// Makes chunks from cuts and declarations: the lines of each, what is declared in it, and under which name it is known.
// Also adds the text that an embedder reads.

import type { Chunk, Declaration } from './chunk.ts';
import { lineFinder } from './line-finder.ts';
import { headOf, signatureOf } from './signature.ts';

export interface CutFile {
  readonly path: string;
  readonly text: string;
  /** Where chunks start, in order. */
  readonly cuts: readonly number[];
  readonly declarations: readonly Declaration[];
  /** The kind of a chunk that no declaration is in or around. */
  readonly otherwise: 'module' | 'lines';
}

export function chunksBetween(file: CutFile): readonly Chunk[] {
  const { path, text, cuts, declarations } = file;
  const lineAt = lineFinder(text);
  const head = headOf(path, text);
  const around: Declaration[] = [];
  let next = 0;
  return cuts.map((start, index): Chunk => {
    const end = cuts[index + 1] ?? text.length;
    const within: Declaration[] = [];
    leave(around, start);
    const outside = around.at(-1);
    for (; next < declarations.length; next += 1) {
      const declaration = declarations[next];
      if (declaration === undefined || declaration.start >= end) break;
      within.push(declaration);
      leave(around, declaration.start);
      around.push(declaration);
    }
    const known = principal(within, end) ?? outside;
    const place = {
      startLine: lineAt(start),
      endLine: lineAt(end - 1),
      start,
      end,
      kind: known?.kind ?? file.otherwise,
      ...(known === undefined ? {} : { symbol: known.symbol }),
      names: namesOf(within),
    };
    return { ...place, signature: signatureOf({ path, text, head, chunk: place }) };
  });
}

/** The outermost of the declarations; of several, the one that fills most of the chunk. */
function principal(within: readonly Declaration[], end: number): Declaration | undefined {
  const fills = ({ start, end: last }: Declaration): number => Math.min(last, end) - start;
  let best: Declaration | undefined;
  for (const one of within) {
    if (best === undefined || one.depth < best.depth) best = one;
    else if (one.depth === best.depth && fills(one) > fills(best)) best = one;
  }
  return best;
}

function leave(around: Declaration[], offset: number): void {
  for (let last = around.at(-1); last !== undefined && last.end <= offset; last = around.at(-1)) {
    around.pop();
  }
}

function namesOf(within: readonly Declaration[]): readonly string[] {
  return [...new Set(within.flatMap(({ names }) => names))];
}
