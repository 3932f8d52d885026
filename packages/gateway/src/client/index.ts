export { type Client, type Exchange, isAskable, type Lack, lackOf } from './client.ts';
export { ModernCalls } from './modern-calls.ts';
export { Seal } from './sealed-state.ts';
