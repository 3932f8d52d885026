// Signs the user in at the servers of a host and out again, by the names of the servers. `login.ts` does it
// for one server; the caller decides who may be asked to sign in.

import type { Clock } from '@plugboard/base';
import type { Authorizations } from '../auth/index.ts';
import {
  importSignIn,
  type ImportOptions,
  type ImportOutcome,
  login,
  type LoginOptions,
  type LoginOutcome,
  logout,
  type LogoutOptions,
  type LogoutOutcome,
} from './login.ts';
import type { KnownServer } from './known-servers.ts';
import type { ServerSet } from './server-set.ts';
import { type SignInPorts, signInsOf, type SignInStatus } from './sign-ins.ts';

export interface SignInDeskPorts {
  readonly servers: Pick<ServerSet, 'get' | 'all' | 'ready' | 'forgetList'>;
  readonly authorizations: Authorizations;
  readonly kept: SignInPorts;
  readonly clock: Clock;
}

type UnknownServer = { readonly kind: 'unknown-server'; readonly server: string };

export class SignInDesk {
  readonly #ports: SignInDeskPorts;

  constructor(ports: SignInDeskPorts) {
    this.#ports = ports;
  }

  login(server: string, options: LoginOptions): Promise<LoginOutcome> {
    return this.#atAnotherAccount(server, (known) => login(known, options, this.#ports));
  }

  logout(server: string, options: LogoutOptions): Promise<LogoutOutcome> {
    return this.#atAnotherAccount(server, (known) => logout(known, options, this.#ports));
  }

  import(server: string, options: ImportOptions): Promise<ImportOutcome> {
    return this.#at(server, (known) => importSignIn(known, options, this.#ports));
  }

  statuses(): Promise<readonly SignInStatus[]> {
    const { servers, kept } = this.#ports;
    return signInsOf(
      servers.all.flatMap(({ signIn }) => signIn ?? []),
      kept,
    );
  }

  /** The servers that require a sign-in first, as far as that is known without a request to them. */
  async waiting(names: readonly string[]): Promise<ReadonlySet<string>> {
    const { servers, authorizations } = this.#ports;
    const found = await Promise.all(
      names.map(async (server) => {
        if (servers.ready(server) !== undefined) return [];
        const isKnown = (await authorizations.get(server)?.refusal?.()) !== undefined;
        return isKnown ? [server] : [];
      }),
    );
    return new Set(found.flat());
  }

  /** What a server lists may depend on who asks. */
  #atAnotherAccount<T>(
    server: string,
    act: (known: KnownServer) => Promise<T>,
  ): Promise<T | UnknownServer> {
    return this.#at(server, (known) => {
      this.#ports.servers.forgetList(server);
      return act(known);
    });
  }

  #at<T>(server: string, act: (known: KnownServer) => Promise<T>): Promise<T | UnknownServer> {
    const known = this.#ports.servers.get(server);
    return known === undefined ? Promise.resolve({ kind: 'unknown-server', server }) : act(known);
  }
}
