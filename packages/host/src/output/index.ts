export type { Part } from './part.ts';
export { toParts } from './to-parts.ts';
export { toText } from './to-text.ts';
