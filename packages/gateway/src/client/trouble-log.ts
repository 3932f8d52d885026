// Log lines about servers that fail and clients that are refused. However often the same event occurs, it is logged
// once a minute, with the number of times since the last line.

import type { Clock, LogFields, Logger } from '@plugboard/base';
import { failureText } from '@plugboard/host/relay';

type Failure = Parameters<typeof failureText>[0];

const AGAIN_AFTER_MS = 60_000;
/** Different troubles that are remembered. */
const MOST_KNOWN = 1000;
const LONGEST_REASON = 500;

/** No failures of a server: it may not be used, or it was left. */
const NO_TROUBLE: ReadonlySet<Failure['kind']> = new Set([
  'disabled',
  'untrusted',
  'blocked',
  'cancelled',
]);

export class TroubleLog {
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #known = new Map<string, { saidAt: number; since: number }>();

  constructor(clock: Clock, logger: Logger) {
    this.#clock = clock;
    this.#logger = logger;
  }

  /** A server did not start, or ended by itself. */
  failed(server: string, failure: Failure): void {
    if (NO_TROUBLE.has(failure.kind)) return;
    const reason = failureText(failure).slice(0, LONGEST_REASON);
    const next = `plugboard doctor ${server}`;
    this.#say(`${failure.kind} ${server}`, 'a server failed', { server, reason, next });
  }

  /** Of what the client sent, nothing is told. */
  refused({ status, reason }: { readonly status: number; readonly reason: string }): void {
    this.#say(`${status} ${reason}`, 'refused a client', { status, reason });
  }

  #say(key: string, message: string, fields: LogFields): void {
    const now = this.#clock.elapsed();
    const known = this.#known.get(key);
    const count = (known?.since ?? 0) + 1;
    if (known !== undefined && now - known.saidAt < AGAIN_AFTER_MS) {
      known.since = count;
      return;
    }
    if (this.#known.size >= MOST_KNOWN) this.#known.clear();
    this.#known.set(key, { saidAt: now, since: 0 });
    this.#logger.log('warn', message, { ...fields, count });
  }
}
