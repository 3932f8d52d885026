// The servers that the embedding program states, at the start and while the host lives: entries, and
// servers of its own process. Keeps what it states and tells what a new statement changes; reading,
// judging and starting them goes the way of every configuration.

import { isObject } from '@plugboard/base';
import type { Diagnostic, WrittenEntry } from '../config/index.ts';
import type { InProcessServer } from '../protocol/index.ts';

/** A server of this process, or an entry in the shape of `mcpServers`. */
export type ProgramServer = InProcessServer | WrittenEntry;

export type ServersOutcome =
  | {
      readonly kind: 'applied';
      readonly added: readonly string[];
      readonly removed: readonly string[];
      /** They were ended, and started again where they were in use. */
      readonly changed: readonly string[];
      /**
       * What is wrong with what the program states. An entry with errors is not taken: what was there
       * under its name goes on.
       */
      readonly diagnostics: readonly Diagnostic[];
    }
  | { readonly kind: 'closed' };

export type StatedChanges = Pick<
  ServersOutcome & { kind: 'applied' },
  'added' | 'removed' | 'changed'
>;

export class ProgramServers {
  #stated: ReadonlyMap<string, ProgramServer>;

  constructor(stated: ReadonlyMap<string, ProgramServer>) {
    this.#stated = stated;
  }

  /** Entries, as configuration takes them. */
  get entries(): Readonly<Record<string, unknown>> {
    return Object.fromEntries([...this.#stated].filter(([, server]) => !isInProcess(server)));
  }

  get inProcess(): readonly (readonly [string, InProcessServer])[] {
    return [...this.#stated].flatMap(([name, server]) =>
      isInProcess(server) ? [[name, server] as const] : [],
    );
  }

  has(name: string): boolean {
    return this.#stated.has(name);
  }

  add(name: string, server: ProgramServer): StatedChanges {
    return this.set(new Map([...this.#stated, [name, server]]));
  }

  remove(name: string): StatedChanges {
    return this.set(new Map([...this.#stated].filter(([stated]) => stated !== name)));
  }

  set(stated: ReadonlyMap<string, ProgramServer>): StatedChanges {
    const before = this.#stated;
    this.#stated = stated;
    return {
      added: [...stated.keys()].filter((name) => !before.has(name)),
      removed: [...before.keys()].filter((name) => !stated.has(name)),
      changed: [...stated].flatMap(([name, server]) => {
        const last = before.get(name);
        return last === undefined || isSame(last, server) ? [] : [name];
      }),
    };
  }
}

/** Whatever can be connected, or is connected already; an entry is data, and may be any. */
function isInProcess(server: unknown): server is InProcessServer {
  if (!isObject(server)) return false;
  return (
    ('connect' in server && typeof server['connect'] === 'function') ||
    ('start' in server && typeof server['start'] === 'function')
  );
}

function isSame(a: ProgramServer, b: ProgramServer): boolean {
  if (isInProcess(a) || isInProcess(b)) return a === b;
  return JSON.stringify(a) === JSON.stringify(b);
}
