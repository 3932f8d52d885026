// What a client is told if it is not admitted, or asks for something that does not exist.

import type { Verdict } from './http-guard.ts';
import type { Refusal } from './http-reply.ts';

export function notHere(reason: string): Refusal {
  return { status: 404, reason };
}

export const TOO_MANY: Refusal = { status: 503, reason: 'There are too many sessions' };

/** Of what one token may have under way; short enough for the end of a WebSocket. */
export const TOO_MUCH =
  'Too much of this token is being worked on. Wait for an answer, or send less at a time.';

/** The refusal for a verdict of the guard. */
export function refusalOf(verdict: Extract<Verdict, { readonly kind: 'refused' }>): Refusal {
  const headers = verdict.status === 401 ? { 'WWW-Authenticate': 'Bearer' } : {};
  return { ...verdict, headers };
}
