// Sessions of legacy clients over HTTP: each has an id that cannot be guessed and is of one principal, a stream that the
// client may open, and the streams of its requests.

import { randomBytes } from 'node:crypto';
import type { Clock } from '@plugboard/base';
import type { Endpoint } from '../endpoint/index.ts';
import type { RequestId } from '../message/index.ts';
import { type GatewayCore, LegacySession, type Outgoing } from '../session/index.ts';
import type { EventStream } from './event-stream.ts';
import type { HttpReply } from './http-reply.ts';
import { HTTP_LIMITS } from './limits.ts';

export class HttpSession implements AsyncDisposable {
  readonly id = randomBytes(24).toString('base64url');
  readonly principal: string;
  readonly endpoint: Endpoint;
  readonly session: LegacySession;
  readonly #replies = new Map<RequestId, HttpReply>();
  readonly #waiting: Outgoing[] = [];
  #stream: EventStream | undefined;
  /** In the clock's elapsed time. */
  lastUse = 0;

  constructor(core: GatewayCore, endpoint: Endpoint, principal: string) {
    this.principal = principal;
    this.endpoint = endpoint;
    this.session = new LegacySession({
      core,
      endpoint,
      principal,
      send: (message, about) => this.#send(message, about),
    });
  }

  get isIdle(): boolean {
    return this.#stream?.isOpen !== true && this.session.running === 0;
  }

  /** What belongs to a request goes where its answer goes. */
  during(id: RequestId, reply: HttpReply): Disposable {
    this.#replies.set(id, reply);
    return { [Symbol.dispose]: () => void this.#replies.delete(id) };
  }

  /** The client's stream for all else; a new one takes the place of the last. */
  attach(stream: EventStream): void {
    this.#stream?.end();
    this.#stream = stream;
    for (const message of this.#waiting.splice(0)) stream.send({ jsonrpc: '2.0', ...message });
  }

  #send(message: Outgoing, about: RequestId | undefined): void {
    const reply = about === undefined ? undefined : this.#replies.get(about);
    if (reply?.send(message) === 'sent') return;
    if (this.#stream?.isOpen === true) {
      this.#stream.send({ jsonrpc: '2.0', ...message });
      return;
    }
    this.#waiting.push(message);
    if (this.#waiting.length > HTTP_LIMITS.waiting) this.#waiting.shift();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stream?.end();
    await this.session[Symbol.asyncDispose]();
  }
}

export class HttpSessions implements AsyncDisposable {
  readonly #core: GatewayCore;
  readonly #clock: Clock;
  readonly #sessions = new Map<string, HttpSession>();
  readonly #leaving = new Set<Promise<void>>();
  #sweep: Disposable | undefined;

  constructor(core: GatewayCore) {
    this.#core = core;
    this.#clock = core.options.clock;
  }

  get size(): number {
    return this.#sessions.size;
  }

  /** `undefined` where there are too many. */
  create(endpoint: Endpoint, principal: string): HttpSession | undefined {
    if (this.#sessions.size >= HTTP_LIMITS.sessions) return undefined;
    return new HttpSession(this.#core, endpoint, principal);
  }

  /** Once it was initialized. */
  keep(session: HttpSession): void {
    session.lastUse = this.#clock.elapsed();
    this.#sessions.set(session.id, session);
    this.#sweep ??= this.#clock.after(HTTP_LIMITS.idleMs / 4, () => this.#sweepIdle());
  }

  /** A session of another principal, or at another address, is none. */
  find(id: unknown, endpoint: Endpoint, principal: string): HttpSession | undefined {
    const session = typeof id === 'string' ? this.#sessions.get(id) : undefined;
    if (session?.principal !== principal || session.endpoint !== endpoint) return undefined;
    session.lastUse = this.#clock.elapsed();
    return session;
  }

  end(session: HttpSession): Promise<void> {
    this.#sessions.delete(session.id);
    const leaving = session[Symbol.asyncDispose]().finally(() => this.#leaving.delete(leaving));
    this.#leaving.add(leaving);
    return leaving;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#sweep?.[Symbol.dispose]();
    for (const session of this.#sessions.values()) void this.end(session);
    await Promise.all(this.#leaving);
  }

  #sweepIdle(): void {
    this.#sweep = undefined;
    const now = this.#clock.elapsed();
    for (const session of this.#sessions.values()) {
      if (!session.isIdle) session.lastUse = now;
      else if (now - session.lastUse >= HTTP_LIMITS.idleMs) void this.end(session);
    }
    if (this.#sessions.size > 0) {
      this.#sweep = this.#clock.after(HTTP_LIMITS.idleMs / 4, () => this.#sweepIdle());
    }
  }
}
