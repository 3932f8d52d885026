export { tokensOfMessage, tokensOfText } from './token-estimate.ts';
export { type CompactionResult, Compactor } from './compactor.ts';
