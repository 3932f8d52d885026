// Stops the clocks of callers while a server that they called waits for the user or a model. Neither era states to which
// call a question belongs, so it counts for all calls to its server.

/** Stops a clock until disposed. */
export type WhileAsked = () => Disposable;

interface FollowedCall {
  readonly pause: WhileAsked;
  held: Disposable | undefined;
}

interface AskedServer {
  readonly calls: Set<FollowedCall>;
  questions: number;
}

export class AskedServers {
  readonly #servers = new Map<string, AskedServer>();

  /** Registers a call until the returned value is disposed. */
  follow(server: string, pause: WhileAsked): Disposable {
    const asked = this.#of(server);
    const call = { pause, held: asked.questions > 0 ? pause() : undefined };
    asked.calls.add(call);
    return {
      [Symbol.dispose]: () => {
        asked.calls.delete(call);
        call.held?.[Symbol.dispose]();
      },
    };
  }

  /** Stops the clocks of all calls to the server while `ask` runs. */
  async during<T>(server: string, ask: () => Promise<T>): Promise<T> {
    const asked = this.#of(server);
    asked.questions += 1;
    for (const call of asked.calls) call.held ??= call.pause();
    try {
      return await ask();
    } finally {
      asked.questions -= 1;
      if (asked.questions === 0) {
        for (const call of asked.calls) {
          call.held?.[Symbol.dispose]();
          call.held = undefined;
        }
      }
    }
  }

  #of(server: string): AskedServer {
    const known = this.#servers.get(server);
    if (known !== undefined) return known;
    const asked = { calls: new Set<FollowedCall>(), questions: 0 };
    this.#servers.set(server, asked);
    return asked;
  }
}
