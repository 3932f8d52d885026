// Limits on what clients send, and on what the gateway keeps for them.

import type { Server, ServerOptions } from 'node:http';
import type { BodyRoom } from './body-room.ts';
import type { GuardOptions } from './http-guard.ts';

export interface HttpLimits {
  readonly bodyBytes: number;
  /** For all unanswered requests of one principal, over all fronts. */
  readonly bodiesBytes: number;
  /** For headers and body together. */
  readonly requestMs: number;
  /** How much may wait for a client to read; beyond it, the client is disconnected. */
  readonly unreadBytes: number;
  /** A client that reads nothing of a complete response for this time is disconnected. */
  readonly unreadMs: number;
  /** The interval of the comment that detects dead streams. */
  readonly beatMs: number;
  /** Messages of a session that belong to no request: waiting for a stream, or kept to be sent again. */
  readonly kept: number;
  readonly keptBytes: number;
  readonly sessions: number;
  readonly sessionsOfPrincipal: number;
  /** A session ends after this time without a request or a stream. */
  readonly idleMs: number;
  /** A session ends after this time if nothing follows `initialize`. */
  readonly followUpMs: number;
  /** The connections to servers are closed after this time once the client has closed its stream. */
  readonly awayMs: number;
  /** How many such sessions of a principal keep connections; beyond it, the least recently used lose theirs. */
  readonly awayOfPrincipal: number;
}

export const HTTP_LIMITS: HttpLimits = {
  bodyBytes: 16 * 1024 * 1024,
  bodiesBytes: 256 * 1024 * 1024,
  requestMs: 30_000,
  unreadBytes: 16 * 1024 * 1024,
  unreadMs: 60_000,
  beatMs: 20_000,
  kept: 1000,
  keptBytes: 1024 * 1024,
  sessions: 10_000,
  sessionsOfPrincipal: 2500,
  idleMs: 30 * 60_000,
  followUpMs: 60_000,
  awayMs: 2 * 60_000,
  awayOfPrincipal: 32,
};

export interface FrontOptions {
  readonly guard: GuardOptions;
  readonly limits: HttpLimits;
  readonly room: BodyRoom;
}

/** Whether one more client may connect; `principals` are those of the connected clients. */
export function hasRoom(
  principals: readonly string[],
  principal: string,
  { sessions, sessionsOfPrincipal }: HttpLimits,
): boolean {
  const own = principals.filter((each) => each === principal).length;
  return principals.length < sessions && own < sessionsOfPrincipal;
}

/** The options of `node:http` that enforce the limits. TCP keep-alive detects dead peers. */
export function serverOptions({ requestMs }: HttpLimits): ServerOptions {
  return {
    requestTimeout: requestMs,
    headersTimeout: requestMs,
    connectionsCheckingInterval: Math.ceil(requestMs / 4),
    keepAlive: true,
    keepAliveInitialDelay: 60_000,
  };
}

/** Closes a server and all its connections. */
export async function closeServer(server: Server): Promise<void> {
  const closing = new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  server.closeAllConnections();
  await closing;
}
