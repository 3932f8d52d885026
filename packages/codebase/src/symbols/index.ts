// The door of `symbols`: finds the symbols that a tree declares, and their uses.

export { type PackedSymbols, packSymbols } from './file-symbols.ts';
export { parseNamePath } from './name-path.ts';
export { type MappedSymbol } from './repository-map.ts';
export { signatureAt } from './signature-text.ts';
export { type SymbolFile } from './symbol-database.ts';
export { type FoundSymbol, SymbolIndex, type SymbolUse } from './symbol-index.ts';
export { SymbolStore } from './symbol-store.ts';
