export { type GuardOptions } from './http-guard.ts';
export { HttpFront } from './http-front.ts';
export { HTTP_LIMITS, type HttpLimits, serverOptions } from './limits.ts';
export { serveStdio } from './stdio-front.ts';
export { SseFront } from './sse-front.ts';
export { scopeAt } from './scope-at.ts';
export { WsFront } from './ws-front.ts';
