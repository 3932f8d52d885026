// From a configured entry to what it takes to reach the server. Pure, but for the environment that
// is handed in.

import { err, ok, type Result } from '@plugboard/base';
import type { ServerEntry } from '../config/index.ts';
import { type HostEnvironment, minimalEnvironment } from '../platform/index.ts';
import type { Launch, ProtocolFailure } from '../protocol/index.ts';

export function launchOf(
  entry: ServerEntry,
  environment: HostEnvironment,
): Result<Launch, ProtocolFailure> {
  const era = entry.protocol ?? 'auto';
  switch (entry.kind) {
    case 'stdio':
      return ok({
        kind: 'stdio',
        command: entry.command,
        args: entry.args,
        env: minimalEnvironment(environment.env, entry.env),
        cwd: entry.cwd ?? environment.cwd,
        era,
      });
    case 'http':
    case 'http-or-sse':
      return ok({ kind: 'http', url: entry.url, headers: entry.headers, era });
    case 'sse':
    case 'ws':
    case 'sdk':
      return err({ kind: 'unsupported-transport', transport: entry.kind });
    default:
      return entry satisfies never;
  }
}
