// What an error about a server names: the server, and where it is configured.

import type { Host } from '@plugboard/host';
import { hostEnvironment } from '@plugboard/host/configuration';
import { place, type Standpoint } from './place.ts';

export interface Subject {
  readonly server: string;
  /** Where it is configured. */
  readonly where: string | undefined;
  /** The folder that paths are shown relative to. */
  readonly from: Standpoint;
  /** The options that describe a server that is in no file. */
  readonly adHoc?: string;
}

/** `adHoc` is that of the context, for commands that accept a server of the command line. */
export function subjectOf(host: Pick<Host, 'servers'>, server: string, adHoc?: string): Subject {
  const status = host.servers.find(({ name }) => name === server);
  const from = hostEnvironment();
  if (adHoc !== undefined) return { server, from, where: undefined, adHoc };
  return { server, from, where: status === undefined ? undefined : place(status.origin, from) };
}

/** How a command names the server. */
export function typed({ server, adHoc }: Pick<Subject, 'server' | 'adHoc'>): string {
  return adHoc ?? server;
}
