export { type CompactionResult, Compactor } from './compactor.ts';
