// What a gateway needs to show its console: the files of the page, and the token with which other commands of the user
// connect to it.

import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { ConsoleOptions } from '@plugboard/gateway';
import type { HostEnvironment } from '@plugboard/host/configuration';
import { ownIdentity } from '@plugboard/host/processes';
import { CHECKS_FILE } from './check-calls.ts';
import { consoleToken } from './gateway-token.ts';

const PAGE = '@plugboard/console/index.html';

/** Where the console was not asked for, requests are recorded once a page of it is opened. */
export async function consoleOptions(
  environment: HostEnvironment,
  isShown: boolean,
): Promise<ConsoleOptions> {
  const secret = await consoleToken(environment);
  // The token of `/mcp` lies in the files of many clients: with it, each would see and answer for all others.
  const readers = 'administrators' as const;
  const shown = { page: pageFolder(), secret, readers, pid: ownIdentity().pid };
  return isShown
    ? { ...shown, checks: join(environment.cwd, CHECKS_FILE) }
    : { ...shown, records: 'once-opened' };
}

/** None if the page is not installed: the console says so. */
function pageFolder(): string | undefined {
  try {
    return dirname(createRequire(import.meta.url).resolve(PAGE));
  } catch {
    return undefined;
  }
}
