// Converts servers of every origin into one type: those of files and flags, and those that the embedding program
// runs itself.

import { join } from 'node:path';
import { err, type Logger, ok } from '@plugboard/base';
import { type AdmittedServer, ownGrants, PROGRAM_GRANTS } from '../admission/index.ts';
import { editionFingerprint, fingerprintOf, type ToolFilter } from '../catalog/index.ts';
import { type FieldReport, isForeign, type ServerEntry, transportOf } from '../config/index.ts';
import {
  deadlinesOf,
  DEFAULT_DEADLINES,
  fixedPlan,
  planOf,
  type PlanPorts,
  type SupervisedServer,
  upkeepOf,
  type UpkeepSettings,
} from '../connection/index.ts';
import type { EntryOutput } from '../output/index.ts';
import { type PinSubject, pinSubjectOf } from '../pins/index.ts';
import { socketFolderOf } from '../platform/index.ts';
import type { InProcessServer, SharedServer } from '../protocol/index.ts';
import { isOfEditor } from '../sources/index.ts';
import { type HostInbound, inboundPort } from './host-inbound.ts';
import type { ServerFacts, ServerTransport } from './server-status.ts';
import { type SignInSubject, signInSubject } from './sign-ins.ts';
import { HOST_IDENTITY } from './version.ts';

export interface KnownServer {
  readonly facts: ServerFacts;
  /** Equal as long as a new configuration changes nothing about the server. */
  readonly identity: string;
  readonly supervised: SupervisedServer;
  readonly filter: ToolFilter;
  /** The size limits of its results. */
  readonly output?: EntryOutput | undefined;
  /** Absent for a local server, which has no sign-in. */
  readonly signIn?: SignInSubject | undefined;
  /** Identifies its pins; `undefined` for a server that is not pinned. */
  readonly pinSubject: PinSubject | undefined;
  /** Whether it is connected when the host starts, not when it is first needed. */
  readonly isEager: boolean;
  /**
   * Whether it exchanges notifications that MCP does not define: it is a server of this process or of an
   * editor. No other server is sent anything that it did not request.
   */
  readonly speaksFreely: boolean;
  /** Whether its calls may run in parallel. */
  readonly isParallel: boolean;
}

export interface ServerPorts extends PlanPorts {
  readonly settings: UpkeepSettings;
  readonly logger: Logger;
  /** Every field of a server, with its sources. */
  readonly explain: (name: string) => readonly FieldReport[];
  readonly inbound: HostInbound;
}

/** `undefined` for a server that is suppressed as a duplicate. */
export function fromConfiguration(
  server: AdmittedServer,
  ports: ServerPorts,
): KnownServer | undefined {
  if (server.admission.kind === 'suppressed') return undefined;
  const { name, scope, origin, resolved, written } = server;
  const launch =
    resolved.kind === 'ready'
      ? planOf(
          {
            name,
            entry: resolved.entry,
            secrets: resolved.secrets ?? [],
            isForeign: isHelperForeign(server, ports),
            scripts: server.scripts,
            sharing: sharingOf(server, resolved.entry, ports),
          },
          ports,
        )
      : err({ kind: 'unresolved', problems: resolved.diagnostics } as const);
  const fingerprint =
    resolved.kind === 'ready' ? fingerprintOf(resolved.entry, ports.environment.cwd) : undefined;
  return {
    facts: {
      name,
      scope,
      origin,
      transport: statusTransport(written),
      isRequired: written.required,
      isAlwaysLoaded: written.alwaysLoad,
    },
    identity: identityOf(server),
    supervised: {
      name,
      barrier: barrierOf(server),
      launch,
      fingerprint,
      deadlines: deadlinesOf(written),
      upkeep: upkeepOf(written, ports.settings),
      inbound: inboundPort(ports.inbound, {
        name,
        grants: ownGrants(server, ports),
        limits: written.sampling,
      }),
    },
    filter: written.tools ?? {},
    output: written.output,
    signIn: signInSubject(server),
    pinSubject: pinSubjectOf(server, ports.environment.cwd),
    isEager: written.lifecycle === 'eager' || written.lifecycle === 'keep-alive',
    speaksFreely: isOfEditor(server),
    isParallel: written.parallel === true,
  };
}

function sharingOf(
  server: AdmittedServer,
  entry: ServerEntry,
  ports: ServerPorts,
): SharedServer | undefined {
  if (entry.shared !== true) return undefined;
  const { environment, settings, logger } = ports;
  const folder = socketFolderOf(environment);
  if (folder === undefined) {
    const why = 'there are no local sockets here that only this user can reach';
    logger.log('warn', 'a server is not shared', { server: server.name, why });
    return undefined;
  }
  const { cwd: place } = environment;
  return {
    name: server.name,
    place,
    fingerprint: fingerprintOf(server.written, place) ?? '',
    folder,
    ledger: join(environment.paths.state, 'processes'),
    idleMs: entry.idleTimeout ?? settings.idleStopMs,
    grants: ownGrants(server, ports),
    version: HOST_IDENTITY.version,
  };
}

/** A policy rule comes first: enabling or trusting a blocked server would change nothing. */
function barrierOf({ admission, written }: AdmittedServer): SupervisedServer['barrier'] {
  if (admission.kind === 'blocked') return { kind: 'blocked', rule: admission.rule };
  if (written.disabled) return { kind: 'disabled' };
  if (admission.kind !== 'untrusted') return undefined;
  return { kind: 'untrusted', standing: admission.standing };
}

function isHelperForeign({ name, written }: AdmittedServer, ports: ServerPorts): boolean {
  if (!('headersHelper' in written)) return false;
  const stated = ports.explain(name).find(({ path }) => path[0] === 'headersHelper');
  return stated?.from.some((source) => isForeign(source.author)) ?? true;
}

/** Includes the barrier, but not the place in the file, which an edit further up moves. */
function identityOf(server: AdmittedServer): string {
  const { resolved, scripts = [] } = server;
  const state = { barrier: barrierOf(server), scripts: scripts.map(({ digest }) => digest) };
  return JSON.stringify(
    resolved.kind === 'ready'
      ? { ...state, entry: resolved.entry }
      : { ...state, problems: resolved.diagnostics.map(({ message }) => message) },
  );
}

const numbers = new WeakMap<InProcessServer, number>();
let lastNumber = 0;

/** Returns the same number for the same server, however often the configuration is read. */
function numberOf(server: InProcessServer): number {
  const number = numbers.get(server) ?? (lastNumber += 1);
  numbers.set(server, number);
  return number;
}

export interface ProgramPorts extends Pick<ServerPorts, 'settings' | 'inbound'> {
  /** Whether the settings disable the program's server with this name. */
  readonly isLeftOut: (name: string) => boolean;
}

export function fromProgram(
  name: string,
  server: InProcessServer,
  { settings, inbound, isLeftOut }: ProgramPorts,
): KnownServer {
  const barrier = isLeftOut(name) ? ({ kind: 'disabled' } as const) : undefined;
  return {
    facts: {
      name,
      scope: 'dynamic',
      origin: { kind: 'given', by: 'createHost' },
      transport: 'in-process',
      isRequired: false,
      isAlwaysLoaded: false,
    },
    identity: JSON.stringify({ barrier, inProcess: numberOf(server) }),
    supervised: {
      name,
      barrier,
      launch: ok(fixedPlan({ kind: 'in-process', server })),
      fingerprint: editionOf(server),
      deadlines: DEFAULT_DEADLINES,
      upkeep: upkeepOf({ kind: 'sdk' }, settings),
      inbound: inboundPort(inbound, { name, grants: PROGRAM_GRANTS, limits: undefined }),
    },
    filter: {},
    pinSubject: undefined,
    isEager: false,
    speaksFreely: true,
    isParallel: false,
  };
}

function editionOf(server: InProcessServer): string | undefined {
  if (!('edition' in server) || server.edition === undefined) return undefined;
  return editionFingerprint(server.edition);
}

function statusTransport({ kind }: ServerEntry): ServerTransport {
  const { name } = transportOf(kind);
  return name === 'sdk' ? 'in-process' : name;
}
