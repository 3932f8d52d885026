// The servers that the embedding program states, at the start and while the host lives: entries, and
// servers of its own process. Keeps what it states and tells what a new statement changes; reading,
// judging and starting them goes the way of every configuration.

import { isObject } from '@plugboard/base';
import type { AdmittedConfiguration, Admission } from '../admission/index.ts';
import type { Diagnostic, WrittenEntry } from '../config/index.ts';
import type { InProcessServer } from '../protocol/index.ts';

/** A server of this process, or an entry in the shape of `mcpServers`. */
export type ProgramServer = InProcessServer | WrittenEntry;

export type ServersOutcome =
  | {
      readonly kind: 'applied';
      /** Servers that are there now and were not before. */
      readonly added: readonly string[];
      /** Servers that were there before and are not now. */
      readonly removed: readonly string[];
      /** They were ended, and started again where they were in use. */
      readonly changed: readonly string[];
      /** Of all that the program states, the servers that are not there as stated, and why. */
      readonly refused: readonly RefusedServer[];
      /**
       * What is wrong with what the program states. An entry with errors is not taken: what was there
       * under its name goes on.
       */
      readonly diagnostics: readonly Diagnostic[];
    }
  | { readonly kind: 'closed' };

export interface RefusedServer {
  readonly server: string;
  readonly reason:
    | Extract<Admission, { readonly kind: 'blocked' | 'suppressed' }>
    /** Its entry has errors, which are among the diagnostics. */
    | { readonly kind: 'invalid' }
    /** The machine's owner alone decides which servers there are. */
    | { readonly kind: 'enterprise-exclusive' };
}

/** What one statement changed of those before it, whatever came of it. */
export interface StatedChanges {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly string[];
}

export class ProgramServers {
  #stated: ReadonlyMap<string, ProgramServer>;

  constructor(stated: ReadonlyMap<string, ProgramServer>) {
    this.#stated = stated;
  }

  /** Entries, as configuration takes them. */
  get entries(): Readonly<Record<string, unknown>> {
    return Object.fromEntries([...this.#stated].filter(([, server]) => !isInProcess(server)));
  }

  get entryNames(): readonly string[] {
    return Object.keys(this.entries);
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

  /** What came of a statement. */
  applied(
    changes: StatedChanges,
    {
      before,
      now,
      configuration,
    }: {
      readonly before: ReadonlySet<string>;
      readonly now: ReadonlySet<string>;
      readonly configuration: AdmittedConfiguration;
    },
  ): ServersOutcome {
    const refused = refusedAmong(this.entryNames, configuration);
    const made = changesMade(changes, { before, now, refused });
    const diagnostics = configuration.diagnostics.filter(({ server = '' }) => this.has(server));
    return { kind: 'applied', ...made, refused, diagnostics };
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

/** Which of the changes that a program stated came about: by who was there before, and who is now. */
function changesMade(
  { added, removed, changed }: StatedChanges,
  {
    before,
    now,
    refused,
  }: {
    readonly before: ReadonlySet<string>;
    readonly now: ReadonlySet<string>;
    readonly refused: readonly RefusedServer[];
  },
): StatedChanges {
  const isRefused = new Set(refused.map(({ server }) => server));
  const stated = [...added, ...changed];
  return {
    added: stated.filter((name) => now.has(name) && !before.has(name)),
    removed: [...removed, ...stated].filter((name) => before.has(name) && !now.has(name)),
    changed: stated.filter((name) => before.has(name) && now.has(name) && !isRefused.has(name)),
  };
}

/** Those of these servers that the configuration does not have as they are stated. */
function refusedAmong(
  names: readonly string[],
  { servers, rejected, diagnostics }: AdmittedConfiguration,
): readonly RefusedServer[] {
  const isRejected = new Set(rejected.map(({ name }) => name));
  const isExcluded = new Set(
    diagnostics.filter(({ code }) => code === 'enterprise-exclusive').map(({ server }) => server),
  );
  const admissions = new Map(servers.map(({ name, admission }) => [name, admission]));
  return names.flatMap((server): readonly RefusedServer[] => {
    if (isExcluded.has(server)) return [{ server, reason: { kind: 'enterprise-exclusive' } }];
    if (isRejected.has(server)) return [{ server, reason: { kind: 'invalid' } }];
    const admission = admissions.get(server);
    return admission?.kind === 'blocked' || admission?.kind === 'suppressed'
      ? [{ server, reason: admission }]
      : [];
  });
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
