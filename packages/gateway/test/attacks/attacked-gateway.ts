// A gateway with configurable guards.

import { join } from 'node:path';
import type { Clock, Logger, Scope } from '@plugboard/base';
import { allowAll, type HostOptions } from '@plugboard/host';
import { tempFolder, waitUntil } from '@plugboard/testkit';
import { hostEnvironment } from '../../../host/src/platform/index.ts';
import { createGateway, type Gateway, type HttpAddress, type Listening } from '../../src/index.ts';
import { modernRequest, send } from './raw-http.ts';

export interface AttackedOptions {
  readonly host?: Omit<HostOptions, 'environment'>;
  readonly address?: HttpAddress;
  readonly clock?: Clock;
  readonly logger?: Logger;
  readonly listWaitMs?: number;
  /** The folder of another gateway, whose state it uses. */
  readonly home?: string;
}

export interface AttackedGateway {
  readonly gateway: Gateway;
  readonly url: string;
  readonly home: string;
  readonly listening: Listening;
}

export async function attackedGateway(
  scope: Scope,
  { host = {}, address = {}, clock, logger, listWaitMs, home: given }: AttackedOptions = {},
): Promise<AttackedGateway> {
  const home = given ?? scope.use(await tempFolder()).path;
  const { paths, ...rest } = hostEnvironment();
  const at = (name: string): string => join(home, name);
  const own = { state: at('state'), config: at('config'), cache: at('cache') };
  const environment = { ...rest, home, cwd: home, paths: { ...paths, ...own } };
  const gateway = scope.use(
    await createGateway({
      host: { files: 'none', approve: allowAll, environment, ...host },
      ...(clock === undefined ? {} : { clock }),
      ...(logger === undefined ? {} : { logger }),
      ...(listWaitMs === undefined ? {} : { listWaitMs }),
    }),
  );
  const listening = await gateway.listen(address);
  return { gateway, url: listening.url, home, listening };
}

/** Lists until slow servers have started. */
export async function untilListed(
  url: string,
  names: readonly string[],
  headers: Readonly<Record<string, string>> = {},
): Promise<void> {
  const asked = modernRequest({ method: 'tools/list', params: {}, headers });
  await waitUntil(
    async () => {
      const { text } = await send(url, asked);
      return names.every((name) => text.includes(JSON.stringify(name)));
    },
    { describe: `${names.join(', ')} to be listed` },
  );
}
