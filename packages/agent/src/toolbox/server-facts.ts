// What a system prompt says of the servers. It stays the same for as long as it can, since a provider keeps a request only up to
// the first difference: a server that restarts changes nothing. What is new is taken when the tools on offer change, and when a
// server has connected, failed or given its instructions for the first time.

import type { Instant } from '@plugboard/base';
import type { ServerInstructions, ServerNote } from '../conversation/index.ts';

export interface ServerFacts {
  /** When they were last taken. */
  readonly now: Instant;
  readonly servers: readonly ServerNote[];
  readonly instructions: readonly ServerInstructions[];
}

export interface CurrentFacts extends ServerFacts {
  /** The names of the tools on offer. */
  readonly tools: readonly string[];
}

export class KeptServerFacts {
  readonly #settled = new Set<string>();
  readonly #instructions = new Map<string, string>();
  #key = '';
  #kept: ServerFacts | undefined;

  /** Those to use, where these are the current ones. */
  take({ now, servers, instructions, tools }: CurrentFacts): ServerFacts {
    for (const { server, state } of servers) if (state !== 'connecting') this.#settled.add(server);
    for (const { server, text } of instructions) {
      if (!this.#instructions.has(server)) this.#instructions.set(server, text);
    }
    const names = servers.map(({ server }) => server);
    const settled = names.map((server) => this.#settled.has(server));
    const told = names.flatMap((server) => {
      const text = this.#instructions.get(server);
      return text === undefined ? [] : [{ server, text }];
    });
    const key = JSON.stringify([tools, names, settled, told.length]);
    if (this.#kept === undefined || key !== this.#key) {
      this.#kept = { now, servers, instructions: told };
      this.#key = key;
    }
    return this.#kept;
  }
}
