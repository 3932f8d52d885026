// The sessions of legacy clients over HTTP: each has its own server object and id, and is closed when the client ends it,
// after a long time without requests, or when there are too many.

import { randomUUID } from 'node:crypto';
import {
  type McpServer,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { Clock } from '@plugboard/base';

interface Session {
  readonly server: McpServer;
  readonly transport: WebStandardStreamableHTTPServerTransport;
  usedAt: number;
  /** The number of open streams for notifications. */
  listening: number;
}

export interface SessionOptions {
  readonly clock: Clock;
  /** Creates a server object. */
  readonly create: () => McpServer;
}

const MOST_SESSIONS = 100;
const IDLE_MS = 30 * 60_000;

export class LegacySessions {
  readonly #options: SessionOptions;
  readonly #sessions = new Map<string, Session>();

  constructor(options: SessionOptions) {
    this.#options = options;
  }

  get count(): number {
    return this.#sessions.size;
  }

  /** Answers `initialize`. */
  async open(request: Request, body: unknown): Promise<Response> {
    await this.#sweep();
    const server = this.#options.create();
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (id) => {
        this.#sessions.set(id, {
          server,
          transport,
          usedAt: this.#options.clock.elapsed(),
          listening: 0,
        });
      },
    });
    const { onclose } = server.server;
    server.server.onclose = () => {
      onclose?.();
      if (transport.sessionId !== undefined) this.#sessions.delete(transport.sessionId);
    };
    await server.connect(transport);
    const response = await transport.handleRequest(request, { parsedBody: body });
    // `initialize` was refused: no request can refer to this session.
    if (transport.sessionId === undefined) await server.close();
    return response;
  }

  /** `undefined` if there is no such session. */
  async answer(id: string, request: Request, body: unknown): Promise<Response | undefined> {
    const session = this.#sessions.get(id);
    if (session === undefined) return undefined;
    session.usedAt = this.#options.clock.elapsed();
    // Keeps the least recently used session first.
    this.#sessions.delete(id);
    this.#sessions.set(id, session);
    if (request.method === 'GET') this.#countListening(session, request.signal);
    return session.transport.handleRequest(
      request,
      body === undefined ? undefined : { parsedBody: body },
    );
  }

  async close(): Promise<void> {
    const all = [...this.#sessions.values()];
    await Promise.allSettled(all.map(({ server }) => server.close()));
    this.#sessions.clear();
  }

  /** A session with an open stream is not idle. */
  #countListening(session: Session, signal: AbortSignal): void {
    session.listening += 1;
    const stop = (): void => {
      session.listening -= 1;
      session.usedAt = this.#options.clock.elapsed();
    };
    signal.addEventListener('abort', stop, { once: true });
  }

  async #sweep(): Promise<void> {
    const now = this.#options.clock.elapsed();
    for (const { server, usedAt, listening } of [...this.#sessions.values()]) {
      const isIdle = listening === 0 && now - usedAt > IDLE_MS;
      if (isIdle || this.#sessions.size >= MOST_SESSIONS) await server.close();
    }
  }
}
