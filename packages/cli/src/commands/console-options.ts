// The options of a gateway for its console: the files of the page, and the token of the user's other commands.

import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { ConsoleOptions } from '@plugboard/gateway';
import type { HostEnvironment } from '@plugboard/host/configuration';
import { CHECKS_FILE } from './check-calls.ts';
import { consoleToken } from './gateway-token.ts';

const PAGE = '@plugboard/console/index.html';

/** Without `--console`, requests are recorded only once a page of the console is opened. */
export async function consoleOptions(
  environment: HostEnvironment,
  isShown: boolean,
): Promise<ConsoleOptions> {
  const secret = await consoleToken(environment);
  // Many clients have the token of `/mcp`. With it, each client could read and answer the approvals of all others.
  const readers = 'administrators' as const;
  const shown = { page: pageFolder(), secret, readers };
  return isShown
    ? { ...shown, checks: join(environment.cwd, CHECKS_FILE) }
    : { ...shown, records: 'once-opened' };
}

/** `undefined` if the page is not installed, which the console reports. */
function pageFolder(): string | undefined {
  try {
    return dirname(createRequire(import.meta.url).resolve(PAGE));
  } catch {
    return undefined;
  }
}
