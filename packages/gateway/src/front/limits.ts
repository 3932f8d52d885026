// How much a client may send, and how much is kept for it.

import type { Server, ServerOptions } from 'node:http';
import type { BodyRoom } from './body-room.ts';
import type { GuardOptions } from './http-guard.ts';

export interface HttpLimits {
  readonly bodyBytes: number;
  /** Of all requests of one principal that are not answered yet, over whichever front. */
  readonly bodiesBytes: number;
  /** For headers and body together. */
  readonly requestMs: number;
  /** How much may wait to be read by a client; beyond that it is disconnected. */
  readonly unreadBytes: number;
  /** A client that reads nothing of a complete answer for so long is cut off. */
  readonly unreadMs: number;
  /** Something is sent on each stream in this time, so that one that leads nowhere is found. */
  readonly beatMs: number;
  /**
   * Messages of a session that belong to no request: those that wait for a stream, and those that can be sent again.
   */
  readonly kept: number;
  readonly keptBytes: number;
  readonly sessions: number;
  readonly sessionsOfPrincipal: number;
  /** A session without a request or a stream ends after this. */
  readonly idleMs: number;
  /** A session ends after this where nothing followed `initialize`. */
  readonly followUpMs: number;
  /** The connections to servers of a session whose client let go of its stream end after this. */
  readonly awayMs: number;
  /** Such sessions of one principal that still have connections: beyond it, those of the one that was unused the longest end. */
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

/** Whether one more may come, among the clients of these principals. */
export function hasRoom(
  principals: readonly string[],
  principal: string,
  { sessions, sessionsOfPrincipal }: HttpLimits,
): boolean {
  const own = principals.filter((each) => each === principal).length;
  return principals.length < sessions && own < sessionsOfPrincipal;
}

/** How `node:http` holds them. Peers that are gone silently are found by TCP. */
export function serverOptions({ requestMs }: HttpLimits): ServerOptions {
  return {
    requestTimeout: requestMs,
    headersTimeout: requestMs,
    connectionsCheckingInterval: Math.ceil(requestMs / 4),
    keepAlive: true,
    keepAliveInitialDelay: 60_000,
  };
}

/** Ends a server with all its connections. */
export async function closed(server: Server): Promise<void> {
  const closing = new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  server.closeAllConnections();
  await closing;
}
