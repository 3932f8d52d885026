// Brings servers of every origin into one shape: those of files and flags, and those that the
// embedding program runs itself.

import { err, ok } from '@plugboard/base';
import { fingerprintOf, type ToolFilter } from '../catalog/index.ts';
import type { ConfiguredServer, ServerEntry } from '../config/index.ts';
import {
  deadlinesOf,
  DEFAULT_DEADLINES,
  launchOf,
  type SupervisedServer,
  upkeepOf,
  type UpkeepSettings,
} from '../connection/index.ts';
import type { HostEnvironment } from '../platform/index.ts';
import type { InProcessServer } from '../protocol/index.ts';
import type { ServerFacts, ServerTransport } from './server-status.ts';

export interface KnownServer {
  readonly facts: ServerFacts;
  /** Equal for two configurations of a server between which nothing about it changed. */
  readonly identity: string;
  readonly supervised: SupervisedServer;
  readonly filter: ToolFilter;
  /** Connected as soon as there is a host, not at the first need. */
  readonly isEager: boolean;
}

export function fromConfiguration(
  server: ConfiguredServer,
  environment: HostEnvironment,
  settings: UpkeepSettings,
): KnownServer {
  const { name, scope, origin, resolved, written } = server;
  const launch =
    resolved.kind === 'ready'
      ? launchOf(resolved.entry, environment)
      : err({ kind: 'unresolved', problems: resolved.diagnostics } as const);
  const fingerprint =
    resolved.kind === 'ready' ? fingerprintOf(resolved.entry, environment.cwd) : undefined;
  return {
    facts: { name, scope, origin, transport: transportOf(written), isRequired: written.required },
    identity: JSON.stringify(resolved),
    supervised: {
      name,
      isDisabled: written.disabled,
      launch,
      fingerprint,
      deadlines: deadlinesOf(written),
      upkeep: upkeepOf(written, settings),
    },
    filter: written.tools ?? {},
    isEager: written.lifecycle === 'eager' || written.lifecycle === 'keep-alive',
  };
}

export function fromProgram(
  name: string,
  server: InProcessServer,
  settings: UpkeepSettings,
): KnownServer {
  return {
    facts: {
      name,
      scope: 'dynamic',
      origin: { kind: 'given', by: 'createHost' },
      transport: 'in-process',
      isRequired: false,
    },
    // It lives as long as the program.
    identity: 'in-process',
    supervised: {
      name,
      isDisabled: false,
      launch: ok({ kind: 'in-process', server }),
      fingerprint: undefined,
      deadlines: DEFAULT_DEADLINES,
      upkeep: upkeepOf({ kind: 'sdk' }, settings),
    },
    filter: {},
    isEager: false,
  };
}

function transportOf(entry: ServerEntry): ServerTransport {
  switch (entry.kind) {
    case 'http-or-sse':
      return 'http';
    case 'sdk':
      return 'in-process';
    case 'stdio':
    case 'http':
    case 'sse':
    case 'ws':
      return entry.kind;
    default:
      return entry satisfies never;
  }
}
