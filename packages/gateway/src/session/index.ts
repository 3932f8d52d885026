export { GatewayCore } from './core.ts';
export {
  LegacySession,
  type LegacySessionPorts,
  type Outgoing,
  type RequestWay,
} from './legacy-session.ts';
export { answerModern, isModern } from './modern-request.ts';
