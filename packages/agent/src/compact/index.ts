export { type Compacted, Compactor } from './compactor.ts';
