export { type Client, type Exchange, isAskable, lackOf } from './client.ts';
export { ModernCalls } from './modern-calls.ts';
export { Seal } from './sealed-state.ts';
