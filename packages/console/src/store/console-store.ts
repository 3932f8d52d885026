// The state of the gateway as known to the page: the loaded state, updated by the events of the feed. Views read its signals;
// only the feed and answers of the gateway change them.

import { batch, type ReadonlySignal, signal } from '@preact/signals';
import type {
  AnsweredView,
  CallView,
  ConsoleEvent,
  ConsoleState,
  GatewayView,
  LogView,
  ServerView,
  WaitingView,
} from '@plugboard/gateway/console-api';
import { CallLog } from './call-log.ts';

/** An approval or question that no longer waits, with its outcome. */
export interface AnsweredItem {
  readonly waiting: WaitingView;
  readonly answer: AnsweredView['answer'];
  readonly at: number;
}

export interface ServerLine {
  readonly server: string;
  readonly line: LogView;
}

const MOST_ANSWERED = 200;
const MOST_LINES = 5_000;

export class ConsoleStore {
  readonly calls = new CallLog();
  readonly #gateway = signal<GatewayView | undefined>(undefined);
  readonly #servers = signal<readonly ServerView[]>([]);
  readonly #waiting = signal<readonly WaitingView[]>([]);
  readonly #answered = signal<readonly AnsweredItem[]>([]);
  readonly #lines = signal<readonly ServerLine[]>([]);

  get gateway(): ReadonlySignal<GatewayView | undefined> {
    return this.#gateway;
  }

  get isAdministrator(): boolean {
    return this.#gateway.value?.isAdministrator === true;
  }

  /** Sorted by name. */
  get servers(): ReadonlySignal<readonly ServerView[]> {
    return this.#servers;
  }

  /** Oldest first. */
  get waiting(): ReadonlySignal<readonly WaitingView[]> {
    return this.#waiting;
  }

  /** Newest first, since the page was opened. */
  get answered(): ReadonlySignal<readonly AnsweredItem[]> {
    return this.#answered;
  }

  /** The log lines of servers since the page was opened. */
  get lines(): ReadonlySignal<readonly ServerLine[]> {
    return this.#lines;
  }

  /** Replaces the state. Drops all calls if it is from another run of the gateway. */
  take(state: ConsoleState): void {
    batch(() => {
      const isAnother = this.#gateway.peek()?.since !== state.gateway.since;
      if (isAnother) this.calls.clear();
      this.#gateway.value = state.gateway;
      this.#servers.value = state.servers.toSorted(byName);
      this.#waiting.value = state.waiting;
    });
  }

  /** Applies events of the feed in order. `at` is the time of the page. */
  apply(events: readonly ConsoleEvent[], at: number): void {
    batch(() => {
      const calls = new Map<string, CallView>();
      for (const event of events) {
        if (event.kind === 'call') calls.set(event.call.id, event.call);
        else this.#applyEvent(event, at);
      }
      this.calls.put([...calls.values()]);
    });
  }

  #applyEvent(event: Exclude<ConsoleEvent, { kind: 'call' }>, at: number): void {
    switch (event.kind) {
      case 'server':
        this.#servers.value = replaced(this.#servers.peek(), event.server, 'name').toSorted(byName);
        return;
      case 'server-gone':
        this.#servers.value = this.#servers.peek().filter(({ name }) => name !== event.name);
        return;
      case 'waiting':
        this.#waiting.value = replaced(this.#waiting.peek(), event.waiting, 'id');
        return;
      case 'answered':
        this.#answer(event.id, event.answer, at);
        return;
      case 'log':
        this.#lines.value = [...this.#lines.peek(), event].slice(-MOST_LINES);
        return;
      case 'calls-skipped':
      case 'reset':
        return;
      default:
        // A newer gateway may send events that this page does not know.
        event satisfies never;
    }
  }

  #answer(id: string, answer: AnsweredView['answer'], at: number): void {
    const waiting = this.#waiting.peek().find((each) => each.id === id);
    if (waiting === undefined) return;
    this.#waiting.value = this.#waiting.peek().filter((each) => each !== waiting);
    this.#answered.value = [{ waiting, answer, at }, ...this.#answered.peek()].slice(
      0,
      MOST_ANSWERED,
    );
  }
}

function byName(a: ServerView, b: ServerView): number {
  return a.name < b.name ? -1 : 1;
}

/** Replaces the item with the same key, or appends the item. */
function replaced<T>(items: readonly T[], item: T, key: keyof T): readonly T[] {
  const at = items.findIndex((each) => each[key] === item[key]);
  return at < 0 ? [...items, item] : items.with(at, item);
}
