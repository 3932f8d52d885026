export type { Effect } from './effect.ts';
export { onKey } from './on-key.ts';
