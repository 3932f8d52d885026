// Turns the declarations of a file into symbols: one for each name, with the names around it and its lines.

import type { Declaration, SymbolDefinition } from './chunk.ts';
import { lineFinder } from './line-finder.ts';

export function definitionsOf(
  text: string,
  declarations: readonly Declaration[],
): readonly SymbolDefinition[] {
  const lineAt = lineFinder(text);
  return declarations.flatMap((declaration) => {
    const { start, end, kind, symbol, names, nameOffsets = [] } = declaration;
    const prefix = names.length > 1 ? symbol.slice(0, symbol.lastIndexOf('.') + 1) : '';
    return names.map((name, number): SymbolDefinition => ({
      name,
      path: names.length > 1 ? prefix + name : symbol,
      kind,
      line: lineAt(nameOffsets[number] ?? start),
      startLine: lineAt(start),
      endLine: lineAt(Math.max(start, end - 1)),
    }));
  });
}
