// Keeps a store up to date with its gateway: exchanges the token, loads the state, follows the feed, and starts again after an
// interruption. `link` is the status.

import { type ReadonlySignal, signal } from '@preact/signals';
import type { CallView, ConsoleEvent, ConsoleState } from '@plugboard/gateway/console-api';
import { Feed } from '../feed/feed.ts';
import { type Answer, endSession, get, openSession } from '../feed/request.ts';
import type { ConsoleStore } from './console-store.ts';

export type Link = 'connecting' | 'live' | 'offline' | 'signed-out';

/** The page size of the gateway. */
const PAGE = 1_000;
const FIRST_RETRY_MS = 500;
const LAST_RETRY_MS = 8_000;
const CATCH_UP_MS = 500;

export class Connection {
  readonly #store: ConsoleStore;
  readonly #link = signal<Link>('connecting');
  readonly #isHistoryWhole = signal(false);
  readonly #feed: Feed;
  #retryMs = FIRST_RETRY_MS;
  #history: Promise<void> | undefined;
  #catchingUp: ReturnType<typeof setTimeout> | undefined;

  constructor(store: ConsoleStore) {
    this.#store = store;
    this.#feed = new Feed({
      onEvents: (events) => this.#onEvents(events),
      onOpen: () => {
        this.#retryMs = FIRST_RETRY_MS;
        this.#link.value = 'live';
      },
      onLost: (how) => {
        this.#link.value = 'offline';
        if (how === 'closed') this.#retry();
      },
    });
  }

  get link(): ReadonlySignal<Link> {
    return this.#link;
  }

  /** Whether all calls that the gateway recorded are in the store. */
  get isHistoryWhole(): ReadonlySignal<boolean> {
    return this.#isHistoryWhole;
  }

  /** Opens the connection with a launch token, or else with the existing cookie. */
  async open(token: string | undefined): Promise<void> {
    const opened = token === undefined ? undefined : await openSession(token);
    // A used token does no harm if there is a cookie.
    if (opened?.kind === 'ok') this.#onState(opened);
    else await this.#load();
  }

  /** Signs out until the page is opened with another token. Does nothing if the gateway does not answer. */
  async signOut(): Promise<void> {
    const ended = await endSession();
    if (ended.kind === 'offline') return;
    this.#feed.close();
    this.#link.value = 'signed-out';
  }

  /** Loads the recorded calls, once. */
  loadHistory(): Promise<void> {
    this.#history ??= this.#loadHistory();
    return this.#history;
  }

  async #load(): Promise<void> {
    this.#onState(await get<ConsoleState>('state'));
  }

  #onState(answer: Answer<ConsoleState>): void {
    if (answer.kind === 'signed-out') {
      this.#feed.close();
      this.#link.value = 'signed-out';
      return;
    }
    if (answer.kind !== 'ok') {
      this.#link.value = 'offline';
      this.#retry();
      return;
    }
    this.#store.take(answer.value);
    this.#feed.open(answer.value.cursor);
    if (this.#history !== undefined) this.#history = this.#loadHistory();
  }

  #onEvents(events: readonly ConsoleEvent[]): void {
    const reset = events.findLastIndex(({ kind }) => kind === 'reset');
    if (reset >= 0) {
      void this.#load();
      return;
    }
    this.#store.apply(events, Date.now());
    if (events.some(({ kind }) => kind === 'calls-skipped')) this.#catchUp();
  }

  /** Delayed, since in a flood of calls the next events cause the same. */
  #catchUp(): void {
    if (this.#history === undefined || this.#catchingUp !== undefined) return;
    this.#catchingUp = setTimeout(() => {
      this.#catchingUp = undefined;
      void this.#loadPages('until-known');
    }, CATCH_UP_MS);
  }

  #retry(): void {
    setTimeout(() => void this.#load(), this.#retryMs);
    this.#retryMs = Math.min(LAST_RETRY_MS, this.#retryMs * 2);
  }

  async #loadHistory(): Promise<void> {
    this.#isHistoryWhole.value = false;
    this.#isHistoryWhole.value = await this.#loadPages('all');
  }

  /** Loads pages from the newest to the oldest, or until one has no news. Returns `false` after a failure. */
  async #loadPages(which: 'all' | 'until-known'): Promise<boolean> {
    let before: string | undefined;
    for (;;) {
      const place = before === undefined ? '' : `&before=${encodeURIComponent(before)}`;
      const answer = await get<readonly CallView[]>(`calls?limit=${PAGE}${place}`);
      if (answer.kind !== 'ok') return false;
      const news = this.#store.calls.putPage(answer.value);
      before = answer.value.at(-1)?.id;
      const isKnown = which === 'until-known' && news === 0;
      if (before === undefined || answer.value.length < PAGE || isKnown) return true;
    }
  }
}
