// Points at which an answer waits until the test releases it. An earlier release is stored.

export class Holds {
  readonly #released = new Map<string, number>();
  readonly #waiting = new Map<string, (() => void)[]>();
  readonly #watchers = new Set<() => void>();

  /** The names of the holds at which answers wait now. */
  get held(): readonly string[] {
    return [...this.#waiting].flatMap(([name, waiting]) => waiting.map(() => name));
  }

  release(name: string): void {
    const next = this.#waiting.get(name)?.shift();
    if (next !== undefined) next();
    else this.#released.set(name, (this.#released.get(name) ?? 0) + 1);
  }

  /** Resolves when it is released, or when the client disconnects. */
  async wait(name: string, gone: AbortSignal): Promise<void> {
    const ahead = this.#released.get(name) ?? 0;
    if (ahead > 0) {
      this.#released.set(name, ahead - 1);
      return;
    }
    await new Promise<void>((resolve) => {
      this.#waiting.set(name, [...(this.#waiting.get(name) ?? []), resolve]);
      gone.addEventListener('abort', () => this.#leave(name, resolve), { once: true });
      for (const watcher of this.#watchers) watcher();
    });
  }

  /** Resolves once an answer waits at this hold. */
  async reached(name: string): Promise<void> {
    if (this.held.includes(name)) return;
    await new Promise<void>((resolve) => {
      const look = (): void => {
        if (!this.held.includes(name)) return;
        this.#watchers.delete(look);
        resolve();
      };
      this.#watchers.add(look);
    });
  }

  #leave(name: string, resolve: () => void): void {
    const rest = (this.#waiting.get(name) ?? []).filter((waiting) => waiting !== resolve);
    this.#waiting.set(name, rest);
    resolve();
  }
}
