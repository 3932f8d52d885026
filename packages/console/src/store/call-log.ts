// The calls known to the page, oldest first. A call changes while it runs, and history is loaded from the newest to the
// oldest. Readers subscribe to `version`.

import { type ReadonlySignal, signal } from '@preact/signals';
import type { CallView } from '@plugboard/gateway/console-api';

/** An entry of the log. The object stays the same as long as the call is kept. */
export interface LoggedCall {
  call: CallView;
  /** The text for searches, in lower case. Created by the first search. */
  haystack: string | undefined;
}

const MOST_CALLS = 100_000;
/** Drops count calls at once, so that a full log is not shifted for every call. */
const DROPPED = 5_000;

export class CallLog {
  readonly #version = signal(0);
  #calls: LoggedCall[] = [];
  #byId = new Map<string, LoggedCall>();

  /** Increases with every change. */
  get version(): ReadonlySignal<number> {
    return this.#version;
  }

  /** Oldest first. Changed in place: read it again when `version` changes. */
  get calls(): readonly LoggedCall[] {
    return this.#calls;
  }

  get oldest(): string | undefined {
    return this.#calls[0]?.call.id;
  }

  find(id: string): LoggedCall | undefined {
    return this.#byId.get(id);
  }

  /** Adds new calls and updates known ones. */
  put(calls: readonly CallView[]): void {
    if (calls.length === 0) return;
    for (const call of calls) {
      const known = this.#byId.get(call.id);
      if (known === undefined) this.#append(call);
      else {
        known.call = call;
        known.haystack = undefined;
      }
    }
    if (this.#calls.length > MOST_CALLS) this.#drop(this.#calls.length - MOST_CALLS + DROPPED);
    this.#version.value += 1;
  }

  /**
   * Adds a page of recorded calls, newest first. Does not overwrite what the feed reported, unless a call has ended since.
   * Returns how count calls have changed.
   */
  putPage(page: readonly CallView[]): number {
    const unknown: LoggedCall[] = [];
    let ended = 0;
    for (const call of page) {
      const known = this.#byId.get(call.id);
      if (known === undefined) unknown.push({ call, haystack: undefined });
      else if (known.call.ms === undefined && call.ms !== undefined) {
        known.call = call;
        ended += 1;
      }
    }
    const room = Math.max(0, MOST_CALLS - this.#calls.length);
    const added = unknown.slice(0, room).toReversed();
    for (const entry of added) this.#byId.set(entry.call.id, entry);
    if (added.length > 0) {
      this.#calls = [...added, ...this.#calls].toSorted((a, b) => a.call.at - b.call.at);
    }
    if (added.length + ended > 0) this.#version.value += 1;
    return added.length + ended;
  }

  clear(): void {
    this.#calls = [];
    this.#byId = new Map();
    this.#version.value += 1;
  }

  #append(call: CallView): void {
    const entry: LoggedCall = { call, haystack: undefined };
    this.#byId.set(call.id, entry);
    this.#calls.push(entry);
    // Move calls that were reported out of order to their place.
    for (let at = this.#calls.length - 1; at > 0; at -= 1) {
      const before = this.#calls[at - 1];
      if (before === undefined || before.call.at <= call.at) break;
      this.#calls[at] = before;
      this.#calls[at - 1] = entry;
    }
  }

  #drop(count: number): void {
    for (const { call } of this.#calls.slice(0, count)) this.#byId.delete(call.id);
    this.#calls = this.#calls.slice(count);
  }
}
