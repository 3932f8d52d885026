// What an error about a server names: the server, and where it is configured.

import type { Host } from '@plugboard/host';
import { hostEnvironment } from '@plugboard/host/configuration';
import { place } from './place.ts';
import type { Subject } from './unavailable.ts';

/** `adHoc` is that of the context, for commands that take a server of the command line. */
export function subjectOf(host: Pick<Host, 'servers'>, server: string, adHoc?: string): Subject {
  const status = host.servers.find(({ name }) => name === server);
  const from = hostEnvironment();
  if (adHoc !== undefined) return { server, from, where: undefined, adHoc };
  return { server, from, where: status === undefined ? undefined : place(status.origin, from) };
}
