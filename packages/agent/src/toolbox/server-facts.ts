// The facts about servers for the system prompt. They change as rarely as possible, since a provider caches a request only
// up to the first difference: the restart of a server changes nothing. They are updated when the offered tools change, and
// when a server has connected, failed or sent its instructions for the first time.

import type { Instant } from '@plugboard/base';
import type { ServerInstructions, ServerNote } from '../conversation/index.ts';

export interface ServerFacts {
  /** When they were last updated. */
  readonly now: Instant;
  readonly servers: readonly ServerNote[];
  readonly instructions: readonly ServerInstructions[];
}

export interface CurrentFacts extends ServerFacts {
  /** The names of the offered tools. */
  readonly tools: readonly string[];
}

export class KeptServerFacts {
  readonly #settled = new Set<string>();
  readonly #instructions = new Map<string, string>();
  #key = '';
  #kept: ServerFacts | undefined;

  /** Returns the facts to use, given the current ones. */
  update({ now, servers, instructions, tools }: CurrentFacts): ServerFacts {
    for (const { server, state } of servers) if (state !== 'connecting') this.#settled.add(server);
    for (const { server, text } of instructions) {
      if (!this.#instructions.has(server)) this.#instructions.set(server, text);
    }
    const names = servers.map(({ server }) => server);
    const settled = names.map((server) => this.#settled.has(server));
    const instructionsSoFar = names.flatMap((server) => {
      const text = this.#instructions.get(server);
      return text === undefined ? [] : [{ server, text }];
    });
    const key = JSON.stringify([tools, names, settled, instructionsSoFar.length]);
    if (this.#kept === undefined || key !== this.#key) {
      this.#kept = { now, servers, instructions: instructionsSoFar };
      this.#key = key;
    }
    return this.#kept;
  }
}
