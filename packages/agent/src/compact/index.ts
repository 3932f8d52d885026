export { tokensOfMessage, tokensOfText } from './token-estimate.ts';
export { type CompactionResult, Compactor, type RequestContext } from './compactor.ts';
