// Records the traffic of a gateway: the last requests of clients with their messages, bounded by number and memory, and
// statistics since the start. Changes are reported a few times a second, however many there are.

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
  /** Messages that are kept: 100,000, by default. */
  readonly messages: number;
  /** Memory that they may take, about: 64 MiB, by default. */
  readonly bytes: number;
}

const RECORDER_LIMITS: RecorderLimits = { messages: 100_000, bytes: 64 * 1024 * 1024 };

/** What has changed since the last time. Of many calls only the newest are told; `skipped` says how many are not. */
export interface TrafficChange {
  readonly calls: readonly CallRecord[];
  readonly skipped: number;
}

export interface RecorderOptions {
  readonly clock: Clock;
  readonly limits?: Partial<RecorderLimits>;
  readonly onListenerError: (thrown: unknown) => void;
}

/** What was asked of one server. */
export type ServerFigures = Pick<ServerView, 'calls' | 'failed' | 'latencies'>;

/** Which calls are shown to someone. */
export interface CallQuery {
  /** Only of this principal; all, by default. */
  readonly principal?: string | undefined;
  /** Older than this one. */
  readonly before?: string | undefined;
  readonly limit: number;
}

const TOLD_AFTER_MS = 100;
/** Of one telling. */
const MOST_TOLD = 100;
const KEPT_LATENCIES = 40;
/** Calls that are looked through before others have their turn. */
const SEARCHED_AT_ONCE = 500;
/** Empty places at the beginning of the list of calls. */
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
  /** Oldest first, from `#first` on; what is before it is dropped. */
  #calls: (CallRecord | undefined)[] = [];
  #first = 0;
  readonly #places = new Map<string, ServerPlaces>();
  readonly #servers = new Map<string, Figures>();
  #changed = new Set<CallRecord>();
  #telling: Disposable | undefined;
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
    return this.#chosen(query).map((call) => call.view());
  }

  /** The same with their messages, in which secrets are hidden. */
  details(query: CallQuery): readonly CallDetail[] {
    return this.#chosen(query).map((call) => call.detail());
  }

  #chosen({ principal, before, limit }: CallQuery): readonly CallRecord[] {
    const found: CallRecord[] = [];
    const newest = before === undefined ? this.#count : Math.min(this.#count, Number(before) - 1);
    for (let number = newest; found.length < limit; number -= 1) {
      const call = this.#at(number);
      if (call === undefined) break;
      if (isFor(call, principal)) found.push(call);
    }
    return found;
  }

  /** The ids of calls with a text in their messages, newest first. Others have their turn meanwhile. */
  async search(text: string, { principal, limit }: CallQuery): Promise<readonly string[]> {
    const wanted = text.toLowerCase();
    const found: string[] = [];
    let looked = 0;
    for (let number = this.#count; found.length < limit; number -= 1) {
      const call = this.#at(number);
      if (call === undefined) break;
      if (isFor(call, principal) && call.has(wanted)) found.push(call.id);
      looked += 1;
      if (looked % SEARCHED_AT_ONCE === 0) await new Promise<void>(atTurnEnd);
    }
    return found;
  }

  /** `undefined` if it is not kept any more, or is another principal's. */
  call(id: string, principal?: string): CallDetail | undefined {
    const call = this.#at(Number(id));
    return call !== undefined && isFor(call, principal) ? call.detail() : undefined;
  }

  /** Their numbers have no gaps. */
  #at(number: number): CallRecord | undefined {
    return this.#calls[this.#calls.length - 1 - (this.#count - number)];
  }

  changed(call: CallRecord): void {
    if (this.#changes.size === 0) return;
    // Again at the end: the newest are told.
    this.#changed.delete(call);
    this.#changed.add(call);
    this.#telling ??= this.clock.after(TOLD_AFTER_MS, () => this.#tell());
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
    this.#telling?.[Symbol.dispose]();
  }

  /** The oldest calls, until there is room. */
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

  #tell(): void {
    this.#telling = undefined;
    const changed = [...this.#changed];
    this.#changed = new Set();
    const calls = changed.slice(-MOST_TOLD);
    this.#changes.emit({ calls, skipped: changed.length - calls.length });
  }
}

function isFor(call: CallRecord, principal: string | undefined): boolean {
  return principal === undefined || call.client.principal === principal;
}
