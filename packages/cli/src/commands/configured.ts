// Reads the configuration from files, and creates the error for an unknown server.

import {
  type AdmittedConfiguration,
  type AdmittedServer,
  closestName,
  type Diagnostic,
  type HostEnvironment,
  hostEnvironment,
  readConfiguration,
  type RejectedServer,
} from '@plugboard/host/configuration';
import type { Context } from '../context.ts';
import { clause } from '../print/diagnostics.ts';
import { diagnosticPlace, place } from '../print/place.ts';
import { serverRows } from '../print/servers.ts';
import { didYouMean, UsageError } from '../usage-error.ts';
import { bringsCodebase, builtInServer } from './built-in.ts';

export interface CommandConfiguration {
  readonly environment: HostEnvironment;
  /** Includes the built-in server. */
  readonly configuration: AdmittedConfiguration;
  /** Without the built-in server, as the input of a host. */
  readonly asRead: AdmittedConfiguration;
  /** Problems of files, entries, and variables of servers in use. */
  readonly diagnostics: readonly Diagnostic[];
}

const ALLOW = '--allow';

/** The input of a host: the configuration with the options of the command line. */
export async function readHere(
  { trust = 'stored', named }: Partial<Context>,
  environment: HostEnvironment,
  allow: readonly string[] = [],
): Promise<AdmittedConfiguration> {
  const given =
    allow.length === 0 ? {} : { givenSettings: { permissions: { allow } }, givenBy: ALLOW };
  const read = await readConfiguration({ environment, trust, ide: 'discover', ...named, ...given });
  const broken = read.files.find(({ scope, state }) => scope === 'dynamic' && state === 'invalid');
  if (broken === undefined) return read;
  const cause = read.diagnostics.find(
    ({ file, severity }) => file === broken.path && severity === 'error',
  );
  throw new UsageError(
    `what --mcp-config names cannot be used: ${clause(cause?.message ?? 'it is broken')}`,
    clause(cause?.suggestion ?? 'correct it'),
    cause === undefined ? {} : { where: diagnosticPlace(cause, environment) },
  );
}

export async function readConfigured(
  context: Partial<Context> = {},
  allow: readonly string[] = [],
): Promise<CommandConfiguration> {
  const { version } = context;
  const environment = hostEnvironment();
  const read = await readHere(context, environment, allow);
  const builtIn = bringsCodebase(environment) ? [builtInServer(read, version)] : [];
  const configuration = { ...read, servers: [...read.servers, ...builtIn].toSorted(byName) };
  const unresolved = configuration.servers.flatMap(({ written, resolved, admission }) => {
    const isOut =
      written.disabled || admission.kind === 'blocked' || admission.kind === 'suppressed';
    return isOut || resolved.kind === 'ready' ? [] : resolved.diagnostics;
  });
  return {
    environment,
    configuration,
    asRead: read,
    diagnostics: [...configuration.diagnostics, ...unresolved],
  };
}

function byName(a: AdmittedServer, b: AdmittedServer): number {
  return a.name < b.name ? -1 : 1;
}

/** The servers that may start. They may be disabled. */
export function usableServers({ configuration }: CommandConfiguration): readonly AdmittedServer[] {
  return configuration.servers.filter(({ admission }) => admission.kind === 'admitted');
}

/** The error for a name that is not configured, or whose server cannot be used. */
export function unknownServer(name: string, configured: CommandConfiguration): UsageError {
  const { configuration, environment } = configured;
  const rejected = configuration.rejected.find((candidate) => candidate.name === name);
  if (rejected !== undefined) return unusableServer(rejected, environment);
  const suppressed = configuration.servers.find((server) => server.name === name)?.admission;
  if (suppressed?.kind === 'suppressed') {
    const { by } = suppressed;
    return new UsageError(
      `server "${name}" is not used, since "${by}" is the same`,
      `use "${by}" instead`,
    );
  }
  const names = serverRows(configured).map((row) => row.name);
  const nearest = closestName(name, names);
  const otherwise =
    names.length === 0
      ? `add it: plugboard add ${name} -- COMMAND`
      : 'see the list: plugboard list';
  return new UsageError(`there is no server "${name}"`, didYouMean(nearest, otherwise), {
    kind: 'unknown-server',
  });
}

/** Reports the first error. The other diagnostics often explain it. */
function unusableServer(
  { name, origin, diagnostics }: RejectedServer,
  environment: HostEnvironment,
): UsageError {
  const cause = diagnostics.find(({ severity }) => severity === 'error');
  if (cause === undefined) {
    const where = place(origin, environment);
    return new UsageError(`server "${name}" cannot be used`, 'correct its entry', { where });
  }
  return new UsageError(
    `server "${name}" cannot be used: ${clause(cause.message)}`,
    clause(cause.suggestion),
    {
      where: diagnosticPlace(cause, environment),
      details: diagnostics
        .filter((diagnostic) => diagnostic !== cause)
        .map(({ message, suggestion }) => `${clause(message)}: ${clause(suggestion)}`),
    },
  );
}
