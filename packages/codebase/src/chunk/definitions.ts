// What is declared in a file, as symbols: one for each name, with the names around it and the lines that it takes.

import type { Declaration, SymbolDefinition } from './chunk.ts';

export function definitionsOf(
  text: string,
  declarations: readonly Declaration[],
): readonly SymbolDefinition[] {
  const lineAt = lineFinder(text);
  return declarations.flatMap((declaration) => {
    const { start, end, kind, symbol, names, nameOffsets = [] } = declaration;
    const around = names.length > 1 ? symbol.slice(0, symbol.lastIndexOf('.') + 1) : '';
    return names.map((name, number): SymbolDefinition => ({
      name,
      path: names.length > 1 ? around + name : symbol,
      kind,
      line: lineAt(nameOffsets[number] ?? start),
      startLine: lineAt(start),
      endLine: lineAt(Math.max(start, end - 1)),
    }));
  });
}

/** Which line an offset is in, from 1. */
function lineFinder(text: string): (offset: number) => number {
  const feeds: number[] = [];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) feeds.push(at);
  return (offset) => {
    let low = 0;
    let high = feeds.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((feeds[middle] ?? 0) < offset) low = middle + 1;
      else high = middle;
    }
    return low + 1;
  };
}
