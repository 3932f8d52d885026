export { GatewayCore } from './core.ts';
export { LegacySession, type Outgoing } from './legacy-session.ts';
export { answerModern, isModern } from './modern-request.ts';
