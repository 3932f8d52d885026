// Hosts of one user, which share the files on disk like programs that run concurrently or one after another.

import type { Scope } from '@plugboard/base';
import { tempFolder } from '@plugboard/testkit';
import {
  allowAll,
  type CallOutcome,
  createHost,
  type Host,
  type HostOptions,
} from '../../src/index.ts';
import { hostEnvironment, type HostEnvironment } from '../../src/platform/index.ts';

export interface OneUser {
  /** The home folder of the user. */
  readonly home: string;
  run(servers: Entries, options?: HostOptions): Promise<Host>;
}

type Entries = Readonly<
  Record<string, { readonly url: string; readonly [field: string]: unknown }>
>;

/** Everything ends with the scope. */
export async function oneUser(scope: Scope, always: HostOptions = {}): Promise<OneUser> {
  const { path: home } = scope.use(await tempFolder());
  return {
    home,
    run: async (servers, options = {}) => {
      const host = await createHost({
        files: 'none',
        approve: allowAll,
        environment: environmentIn(home),
        servers: Object.fromEntries(
          Object.entries(servers).map(([name, entry]) => [
            name,
            { type: 'http', protocol: 'legacy', ...entry },
          ]),
        ),
        ...always,
        ...options,
      });
      return scope.use(host);
    },
  };
}

export function environmentIn(home: string): HostEnvironment {
  const { paths, ...rest } = hostEnvironment();
  const own = { state: `${home}/state`, config: `${home}/config`, cache: `${home}/cache` };
  return { ...rest, cwd: home, paths: { ...paths, ...own } };
}

export function echo(host: Host, server: string): Promise<CallOutcome> {
  return host.call({ server, tool: 'echo' }, { message: 'hi' });
}
