// Derives the launch of a server from its configured entry and the environment. Pure.

import { err, ok, type Result } from '@plugboard/base';
import {
  byForm,
  programPath,
  PROJECT_VARIABLE,
  type ServerEntry,
  type StdioEntry,
} from '../config/index.ts';
import {
  type HostEnvironment,
  minimalEnvironment,
  networkSettings,
  withNpmPrefix,
} from '../platform/index.ts';
import type { Launch, ProtocolFailure, SharedServer } from '../protocol/index.ts';

export function launchOf(
  entry: ServerEntry,
  environment: HostEnvironment,
  sharing?: SharedServer,
): Result<Launch, ProtocolFailure> {
  const era = entry.protocol ?? 'auto';
  return byForm<Result<Launch, ProtocolFailure>>(entry, {
    stdio: (local) =>
      ok({
        kind: local.kind,
        command: programPath(local.command, local.programFolder),
        args: argumentsOf(local),
        env: minimalEnvironment(environment.env, {
          ...projectVariable(local, environment),
          ...local.env,
        }),
        cwd: local.cwd ?? environment.cwd,
        era,
        ...(sharing === undefined ? {} : { shared: sharing }),
      }),
    remote: ({ kind, url, headers }) => {
      const network = networkSettings(environment);
      return ok({ kind, url, headers, era, ...(network === undefined ? {} : { network }) });
    },
    // Only an embedding program can supply such a server, by passing it to the host.
    sdk: ({ kind }) => err({ kind: 'unsupported-transport', transport: kind }),
  });
}

function argumentsOf({ command, args, npmPrefix }: StdioEntry): readonly string[] {
  return npmPrefix === undefined ? args : withNpmPrefix(command, args, npmPrefix);
}

/** A server that gets no roots does not get the project folder either. */
function projectVariable(
  { roots }: ServerEntry,
  { cwd }: HostEnvironment,
): Readonly<Record<string, string>> {
  return roots === false ? {} : { [PROJECT_VARIABLE]: cwd };
}
