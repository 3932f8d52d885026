// The door of `structure`: finds code by its shape.

export type { StructureMatch } from './structure-program.ts';
export { StructureSearch } from './structure-search.ts';
