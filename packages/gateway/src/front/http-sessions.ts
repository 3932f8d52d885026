// Sessions of legacy clients over HTTP. Each belongs to one principal, and has an id that cannot be guessed, a stream
// that the client may open, and the streams of its requests.

import { randomBytes } from 'node:crypto';
import type { Clock } from '@plugboard/base';
import type { Endpoint } from '../endpoint/index.ts';
import type { RpcReply, RpcRequest } from '../message/index.ts';
import {
  type ClientContext,
  type GatewayCore,
  LegacySession,
  type Outgoing,
  PendingWork,
  type RequestOptions,
} from '../session/index.ts';
import type { HttpReply } from './http-reply.ts';
import type { HttpLimits } from './limits.ts';
import { Outbox } from './outbox.ts';

export class HttpSession implements AsyncDisposable {
  readonly id = randomBytes(24).toString('base64url');
  readonly principal: string;
  readonly endpoint: Endpoint;
  readonly session: LegacySession;
  readonly outbox: Outbox;
  /** In the clock's elapsed time. */
  lastUse: number;
  /** Whether any request followed `initialize`. */
  isFollowedUp = false;

  constructor(context: ClientContext, limits: HttpLimits) {
    this.principal = context.principal;
    this.endpoint = context.endpoint;
    this.outbox = new Outbox(limits);
    this.lastUse = context.core.options.clock.elapsed();
    this.session = new LegacySession({ ...context, send: (message) => this.#send(message) });
  }

  get isIdle(): boolean {
    return !this.outbox.hasStream && this.session.running === 0;
  }

  /** The client closed its stream and is idle, so it is most likely gone: few clients end their session. */
  get isAway(): boolean {
    return this.outbox.hasLostStream && this.isIdle;
  }

  /** Sends messages that belong to the request with its reply. */
  request(
    request: RpcRequest,
    reply: HttpReply,
    { signal, headers }: Pick<RequestOptions, 'signal' | 'headers'>,
  ): Promise<RpcReply> {
    const send = (message: Outgoing): void => {
      if (reply.send(message) !== 'sent') this.#send(message);
    };
    return this.session.request(request, { signal, headers, send });
  }

  #send(message: Outgoing): void {
    this.outbox.send({ jsonrpc: '2.0', ...message });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.outbox.end();
    await this.session[Symbol.asyncDispose]();
  }
}

export class HttpSessions implements AsyncDisposable {
  readonly #core: GatewayCore;
  readonly #limits: HttpLimits;
  readonly #clock: Clock;
  readonly #sessions = new Map<string, HttpSession>();
  readonly #counts = new Map<string, number>();
  readonly #closing = new PendingWork();
  #sweep: Disposable | undefined;

  constructor(core: GatewayCore, limits: HttpLimits) {
    this.#core = core;
    this.#limits = limits;
    this.#clock = core.options.clock;
  }

  get size(): number {
    return this.#sessions.size;
  }

  /** `undefined` if there are too many. At the limit, a principal loses its own least recently used idle session. */
  create(endpoint: Endpoint, principal: string): HttpSession | undefined {
    const { sessions, sessionsOfPrincipal } = this.#limits;
    const isFull =
      this.#sessions.size >= sessions || this.#countOf(principal) >= sessionsOfPrincipal;
    const unused = isFull ? this.#leastUsed(principal) : undefined;
    if (unused !== undefined) void this.end(unused);
    else if (isFull) return undefined;
    this.#restOldest(principal);
    const context = { core: this.#core, endpoint, principal, front: 'http' } as const;
    const session = new HttpSession(context, this.#limits);
    this.#sessions.set(session.id, session);
    this.#counts.set(principal, this.#countOf(principal) + 1);
    this.#sweepLater();
    return session;
  }

  /** Finds only a session of this principal at this endpoint. */
  find(id: unknown, endpoint: Endpoint, principal: string): HttpSession | undefined {
    const session = typeof id === 'string' ? this.#sessions.get(id) : undefined;
    if (session?.principal !== principal || session.endpoint !== endpoint) return undefined;
    session.lastUse = this.#clock.elapsed();
    session.isFollowedUp = true;
    return session;
  }

  end(session: HttpSession): Promise<void> {
    const { id, principal } = session;
    if (this.#sessions.delete(id)) {
      const left = this.#countOf(principal) - 1;
      if (left > 0) this.#counts.set(principal, left);
      else this.#counts.delete(principal);
    }
    return this.#closing.add(session[Symbol.asyncDispose]());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const session of this.#sessions.values()) void this.end(session);
    this.#sweep?.[Symbol.dispose]();
    await this.#closing.ended();
  }

  #countOf(principal: string): number {
    return this.#counts.get(principal) ?? 0;
  }

  #leastUsed(principal: string): HttpSession | undefined {
    let found: HttpSession | undefined;
    for (const session of this.#sessions.values()) {
      if (session.principal !== principal || !session.isIdle) continue;
      if (found === undefined || session.lastUse < found.lastUse) found = session;
    }
    return found;
  }

  /** Bounds the servers that run for clients that are gone, however fast clients come and go. */
  #restOldest(principal: string): void {
    const away = [...this.#sessions.values()].filter(
      (session) => session.principal === principal && session.isAway && session.session.canRest,
    );
    const tooMany = away.length - this.#limits.awayOfPrincipal;
    if (tooMany <= 0) return;
    const oldest = away.toSorted((a, b) => a.lastUse - b.lastUse).slice(0, tooMany);
    for (const { session } of oldest) void this.#closing.add(session.rest());
  }

  #sweepLater(): void {
    const { idleMs, followUpMs, awayMs } = this.#limits;
    const soon = Math.min(idleMs, followUpMs, awayMs) / 4;
    this.#sweep ??= this.#clock.after(soon, () => this.#sweepIdle());
  }

  #sweepIdle(): void {
    this.#sweep = undefined;
    const now = this.#clock.elapsed();
    const { idleMs, followUpMs, awayMs } = this.#limits;
    for (const session of this.#sessions.values()) {
      const lifetime = session.isFollowedUp ? idleMs : followUpMs;
      const unused = now - session.lastUse;
      if (!session.isIdle) session.lastUse = now;
      else if (unused >= lifetime) void this.end(session);
      else if (unused >= awayMs && session.isAway) void this.#closing.add(session.session.rest());
    }
    if (this.#sessions.size > 0) this.#sweepLater();
  }
}
