// Log lines about servers that fail and clients that are refused. However often the same event occurs, it is logged
// once a minute, with the number of times since the last line.

import { type Clock, type LogFields, type Logger, Seldom } from '@plugboard/base';
import { failureText, shortageOf } from '@plugboard/host/relay';

type Failure = Parameters<typeof failureText>[0];

const LONGEST_REASON = 500;

/** Not failures of the server: it may not be used, or the gateway cancelled. */
const NOT_FAILURES: ReadonlySet<Failure['kind']> = new Set([
  'disabled',
  'untrusted',
  'blocked',
  'cancelled',
]);

/** Logs what a listener of an `Emitter` threw. */
export function listenerErrorLog(logger: Logger): (thrown: unknown) => void {
  return (thrown) => logger.log('error', 'a listener threw', { reason: String(thrown) });
}

export class TroubleLog {
  readonly #logger: Logger;
  readonly #seldom: Seldom;
  readonly #failing = new Map<string, Failure>();

  constructor(clock: Clock, logger: Logger) {
    this.#logger = logger;
    this.#seldom = new Seldom(clock);
  }

  /** A server did not start, or ended by itself. */
  failed(server: string, failure: Failure): void {
    if (NOT_FAILURES.has(failure.kind)) return;
    this.#failing.set(server, failure);
    const reason = failureText(failure).slice(0, LONGEST_REASON);
    const next = shortageOf(failure) ?? `plugboard doctor ${server}`;
    this.#log(`${failure.kind} ${server}`, 'a server failed', { server, reason, next });
  }

  /** The server answered, or its configuration changed. */
  recovered(server: string): void {
    this.#failing.delete(server);
  }

  /** Why the last connection to the server failed; `undefined` if it works. */
  failureOf(server: string): Failure | undefined {
    return this.#failing.get(server);
  }

  /** The line holds nothing that the client sent. */
  refused({ status, reason }: { readonly status: number; readonly reason: string }): void {
    this.#log(`${status} ${reason}`, 'refused a client', { status, reason });
  }

  #log(key: string, message: string, fields: LogFields): void {
    this.#seldom.tell(key, (count) => this.#logger.log('warn', message, { ...fields, count }));
  }
}
