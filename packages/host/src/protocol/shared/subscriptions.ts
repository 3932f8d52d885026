// The subscriptions of hosts to resources of one legacy server. The server gets an unsubscribe request only when the last
// host has unsubscribed.

import type { Line } from './line.ts';

export class Subscriptions {
  readonly #lines = new Map<string, Set<Line>>();

  /** Whether to pass a request on: not an unsubscribe request while other hosts are subscribed. */
  isPassedOn(line: Line, method: string, uri: unknown): boolean {
    if (typeof uri !== 'string') return true;
    if (method === 'resources/subscribe') {
      const lines = this.#lines.get(uri) ?? new Set();
      this.#lines.set(uri, lines.add(line));
      return true;
    }
    return method !== 'resources/unsubscribe' || this.#isLast(line, uri);
  }

  /** Removes the host. Returns the resources without subscribers. */
  leave(line: Line): readonly string[] {
    return [...this.#lines.keys()].filter(
      (uri) => this.#lines.get(uri)?.has(line) === true && this.#isLast(line, uri),
    );
  }

  /** The hosts to notify of a change. A server may report a resource below the watched one. */
  subscribersOf(uri: unknown): ReadonlySet<Line> {
    const lines = [...this.#lines]
      .filter(([watched]) => typeof uri === 'string' && uri.startsWith(watched))
      .flatMap(([, subscribers]) => [...subscribers]);
    return new Set(lines);
  }

  #isLast(line: Line, uri: string): boolean {
    const lines = this.#lines.get(uri);
    lines?.delete(line);
    if (lines !== undefined && lines.size > 0) return false;
    this.#lines.delete(uri);
    return true;
  }
}
