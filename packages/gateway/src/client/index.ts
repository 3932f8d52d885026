export {
  type Client,
  clientName,
  deskFor,
  type Exchange,
  GIVEN_UP,
  type Lack,
  lackOf,
  MOST_QUESTIONS,
  type Parked,
  QUESTION,
  TOO_MANY_QUESTIONS,
  withDesk,
} from './client.ts';
export { type ClientFacts, Clients, type KnownClient } from './clients.ts';
export { Desk } from './desk.ts';
export { ModernCalls } from './modern-calls.ts';
export { type Audience, mayRead, type Reader } from './reader.ts';
export { Seal } from './sealed-state.ts';
export { listenerErrorLog, TroubleLog } from './trouble-log.ts';
