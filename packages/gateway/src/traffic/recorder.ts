// Records the traffic of a gateway: the latest requests of clients with their messages, bounded by number and memory, and
// statistics since the start. It reports changes at most a few times a second.

import { atTurnEnd, type Clock, Emitter } from '@plugboard/base';
import type { Era } from '@plugboard/host/relay';
import {
  type BegunRequest,
  CallRecord,
  type CallListener,
  type ServerPlaces,
} from './call-record.ts';
import type { CallDetail, CallView, ServerView } from '../console-api.ts';
import type { MessageRecord } from './message-record.ts';

export interface RecorderLimits {
  /** Messages to keep: 100,000 by default. */
  readonly messages: number;
  /** Approximate memory for them: 64 MiB by default. */
  readonly bytes: number;
}

const RECORDER_LIMITS: RecorderLimits = { messages: 100_000, bytes: 64 * 1024 * 1024 };

/** What has changed since the last report. It holds only the newest calls; `skipped` is the number of the others. */
export interface TrafficChange {
  readonly calls: readonly CallRecord[];
  readonly skipped: number;
}

export interface RecorderOptions {
  readonly clock: Clock;
  readonly limits?: Partial<RecorderLimits>;
  readonly onListenerError: (thrown: unknown) => void;
}

/** The statistics of one server. */
export type ServerFigures = Pick<ServerView, 'calls' | 'failed' | 'latencies'>;

/** Selects the calls to show. */
export interface CallQuery {
  /** Only calls of this principal; all by default. */
  readonly principal?: string | undefined;
  /** Only calls older than the one with this id. */
  readonly before?: string | undefined;
  readonly limit: number;
}

const REPORTED_AFTER_MS = 100;
/** Calls in one report. */
const MOST_REPORTED = 100;
const KEPT_LATENCIES = 40;
/** Calls to search before other work has its turn. */
const SEARCHED_AT_ONCE = 500;
/** How many empty places at the start of the list of calls are removed at once. */
const COMPACTED_AFTER = 10_000;

interface Figures {
  calls: number;
  failed: number;
  readonly latencies: (number | null)[];
}

export class Recorder implements CallListener, Disposable {
  readonly clock: Clock;
  readonly #limits: RecorderLimits;
  readonly #changes: Emitter<TrafficChange>;
  /** Oldest first, from `#first` on; the calls before it were dropped. */
  #calls: (CallRecord | undefined)[] = [];
  #first = 0;
  readonly #places = new Map<string, ServerPlaces>();
  readonly #servers = new Map<string, Figures>();
  #changed = new Set<CallRecord>();
  #reporting: Disposable | undefined;
  #count = 0;
  #messages = 0;
  #bytes = 0;

  constructor({ clock, limits, onListenerError }: RecorderOptions) {
    this.clock = clock;
    this.#limits = { ...RECORDER_LIMITS, ...limits };
    this.#changes = new Emitter(onListenerError);
  }

  begin(request: BegunRequest): CallRecord {
    this.#count += 1;
    const call = new CallRecord(this.#count, request, this);
    this.#calls.push(call);
    this.changed(call);
    return call;
  }

  on(listener: (change: TrafficChange) => void): Disposable {
    return this.#changes.on(listener);
  }

  /** How many calls are kept. */
  get size(): number {
    return this.#calls.length - this.#first;
  }

  server(name: string): ServerFigures {
    const known = this.#servers.get(name);
    return known === undefined
      ? { calls: 0, failed: 0, latencies: [] }
      : { ...known, latencies: [...known.latencies] };
  }

  /** Newest first. */
  calls(query: CallQuery): readonly CallView[] {
    return this.#select(query).map((call) => call.view());
  }

  /** The same with their messages, in which secrets are hidden. */
  details(query: CallQuery): readonly CallDetail[] {
    return this.#select(query).map((call) => call.detail());
  }

  #select({ principal, before, limit }: CallQuery): readonly CallRecord[] {
    const found: CallRecord[] = [];
    const newest = before === undefined ? this.#count : Math.min(this.#count, Number(before) - 1);
    for (let number = newest; found.length < limit; number -= 1) {
      const call = this.#at(number);
      if (call === undefined) break;
      if (belongsTo(call, principal)) found.push(call);
    }
    return found;
  }

  /** The ids of calls whose messages contain a text, newest first. Other work has its turn in between. */
  async search(text: string, { principal, limit }: CallQuery): Promise<readonly string[]> {
    const wanted = text.toLowerCase();
    const found: string[] = [];
    let searched = 0;
    for (let number = this.#count; found.length < limit; number -= 1) {
      const call = this.#at(number);
      if (call === undefined) break;
      if (belongsTo(call, principal) && call.has(wanted)) found.push(call.id);
      searched += 1;
      if (searched % SEARCHED_AT_ONCE === 0) await new Promise<void>(atTurnEnd);
    }
    return found;
  }

  /** `undefined` if it is no longer kept, or belongs to another principal. */
  call(id: string, principal?: string): CallDetail | undefined {
    const call = this.#at(Number(id));
    return call !== undefined && belongsTo(call, principal) ? call.detail() : undefined;
  }

  /** Finds a call by its number; numbers have no gaps. */
  #at(number: number): CallRecord | undefined {
    return this.#calls[this.#calls.length - 1 - (this.#count - number)];
  }

  changed(call: CallRecord): void {
    if (this.#changes.size === 0) return;
    // Moved to the end, since only the newest are reported.
    this.#changed.delete(call);
    this.#changed.add(call);
    this.#reporting ??= this.clock.after(REPORTED_AFTER_MS, () => this.#report());
  }

  kept(message: MessageRecord): void {
    this.#messages += 1;
    this.#bytes += message.weight;
    if (this.#messages > this.#limits.messages || this.#bytes > this.#limits.bytes) this.#drop();
  }

  served(server: string, ms: number | null): void {
    const figures = this.#servers.get(server) ?? { calls: 0, failed: 0, latencies: [] };
    this.#servers.set(server, figures);
    figures.calls += 1;
    if (ms === null) figures.failed += 1;
    figures.latencies.push(ms);
    if (figures.latencies.length > KEPT_LATENCIES) figures.latencies.shift();
  }

  placesOf(server: string, era: Era): ServerPlaces {
    const key = `${era} ${server}`;
    const known = this.#places.get(key) ?? {
      toServer: { hop: 'server', direction: 'to-server', era, server },
      toClient: { hop: 'server', direction: 'to-client', era, server },
    };
    this.#places.set(key, known);
    return known;
  }

  [Symbol.dispose](): void {
    this.#reporting?.[Symbol.dispose]();
  }

  /** Drops the oldest calls until there is room. */
  #drop(): void {
    const { messages, bytes } = this.#limits;
    while (this.#messages > messages || this.#bytes > bytes) {
      const call = this.#calls[this.#first];
      if (call === undefined) return;
      this.#calls[this.#first] = undefined;
      this.#first += 1;
      this.#messages -= call.kept;
      this.#bytes -= call.weight;
      call.isDropped = true;
    }
    if (this.#first < COMPACTED_AFTER) return;
    this.#calls = this.#calls.slice(this.#first);
    this.#first = 0;
  }

  #report(): void {
    this.#reporting = undefined;
    const changed = [...this.#changed];
    this.#changed = new Set();
    const calls = changed.slice(-MOST_REPORTED);
    this.#changes.emit({ calls, skipped: changed.length - calls.length });
  }
}

function belongsTo(call: CallRecord, principal: string | undefined): boolean {
  return principal === undefined || call.client.principal === principal;
}
