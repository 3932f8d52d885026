// Lists servers all at once, and says of those that could not be listed what a call to them would come to.

import type { Result } from '@plugboard/base';
import type { ConnectionState } from '../connection/index.ts';
import { type CallOutcome, unknownServer, withoutSession } from './call-outcome.ts';

export async function unlistedAmong(
  servers: readonly string[],
  configured: readonly string[],
  list: (server: string) => Promise<Result<void, ConnectionState>>,
): Promise<readonly CallOutcome[]> {
  const listed = await Promise.all(
    servers.map(async (server) => {
      if (!configured.includes(server)) return [unknownServer({ server, tool: '' }, configured)];
      const made = await list(server);
      return made.ok ? [] : [withoutSession({ server, tool: '' }, made.error)];
    }),
  );
  return listed.flat();
}
