export {
  type Client,
  clientName,
  deskFor,
  type Exchange,
  lackOf,
  type Parked,
  QUESTION,
  withDesk,
} from './client.ts';
export { type ClientFacts, Clients, type KnownClient } from './clients.ts';
export { Desk } from './desk.ts';
export { ModernCalls } from './modern-calls.ts';
export { type Audience, mayRead, type Reader } from './reader.ts';
export { Seal } from './sealed-state.ts';
export { listenerErrorLog, TroubleLog } from './trouble-log.ts';
