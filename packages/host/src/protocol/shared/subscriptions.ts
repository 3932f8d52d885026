// Which hosts want to hear of changes of which resource, over one legacy server: it is told of a resource
// no longer wanted when the last host has left it.

import type { Line } from './line.ts';

export class Subscriptions {
  readonly #lines = new Map<string, Set<Line>>();

  /** Whether the server has to hear of a request: not of the end of what others still want. */
  isPassedOn(line: Line, method: string, uri: unknown): boolean {
    if (typeof uri !== 'string') return true;
    if (method === 'resources/subscribe') {
      const lines = this.#lines.get(uri) ?? new Set();
      this.#lines.set(uri, lines.add(line));
      return true;
    }
    return method !== 'resources/unsubscribe' || this.#isLast(line, uri);
  }

  /** What only this host wanted. */
  leave(line: Line): readonly string[] {
    return [...this.#lines.keys()].filter(
      (uri) => this.#lines.get(uri)?.has(line) === true && this.#isLast(line, uri),
    );
  }

  /** A server may name something below what it was asked to watch. */
  whoHears(uri: unknown): ReadonlySet<Line> {
    const lines = [...this.#lines]
      .filter(([watched]) => typeof uri === 'string' && uri.startsWith(watched))
      .flatMap(([, hearing]) => [...hearing]);
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
