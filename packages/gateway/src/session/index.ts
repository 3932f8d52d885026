export { type ClientContext, GatewayCore } from './core.ts';
export { LegacySession, type Outgoing, type RequestOptions } from './legacy-session.ts';
export { answerModern, isModern } from './modern-request.ts';
export { PendingWork } from './pending-work.ts';
