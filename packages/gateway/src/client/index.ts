export { canBeAsked, type Client, type Exchange, isAskable } from './client.ts';
export { ModernCalls } from './modern-calls.ts';
export { Seal } from './sealed-state.ts';
