// The servers that the embedding program states, at the start and while the host lives: entries, and
// servers of its own process. Stores them and determines what a new statement changes; they are read,
// admitted and started like all other servers.

import { isObject } from '@plugboard/base';
import type { AdmittedConfiguration, Admission } from '../admission/index.ts';
import type { Diagnostic, WrittenEntry } from '../config/index.ts';
import type { InProcessServer } from '../protocol/index.ts';

/** A server in this process, or an entry in the form of `mcpServers`. */
export type ProgramServer = InProcessServer | WrittenEntry;

export type ServersOutcome =
  | {
      readonly kind: 'applied';
      /** Servers that exist now and did not before. */
      readonly added: readonly string[];
      /** Servers that existed before and do not now. */
      readonly removed: readonly string[];
      /** Servers that were stopped, and restarted if they were in use. */
      readonly changed: readonly string[];
      /** Servers of the program that are not used as stated, and why. */
      readonly refused: readonly RefusedServer[];
      /**
       * The problems of the program's entries. An entry with errors is not used: the earlier server with
       * its name stays in effect.
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
    /** Only the machine's owner may define servers. */
    | { readonly kind: 'enterprise-exclusive' };
}

/** How a statement differs from the one before, whether or not it takes effect. */
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

  /** The entries, for the configuration. */
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

  /** The outcome of a statement. */
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
    const effective = effectiveChanges(changes, { before, now, refused });
    const diagnostics = configuration.diagnostics.filter(({ server = '' }) => this.has(server));
    return { kind: 'applied', ...effective, refused, diagnostics };
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

/** The stated changes that took effect, from the names of the servers before and now. */
function effectiveChanges(
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

/** The servers that the configuration does not have as stated. */
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

/** A server in this process has one of these methods; an entry is plain data. */
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
