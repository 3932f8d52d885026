// Signs the user in at the servers of a host and out again, by server name. `login.ts` does it for one server; the
// caller decides whether the user may be asked to sign in.

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
    return this.#changeAccount(server, (known) => login(known, options, this.#ports));
  }

  logout(server: string, options: LogoutOptions): Promise<LogoutOutcome> {
    return this.#changeAccount(server, (known) => logout(known, options, this.#ports));
  }

  import(server: string, options: ImportOptions): Promise<ImportOutcome> {
    return this.#withServer(server, (known) => importSignIn(known, options, this.#ports));
  }

  statuses(): Promise<readonly SignInStatus[]> {
    const { servers, kept } = this.#ports;
    return signInsOf(
      servers.all.flatMap(({ signIn }) => signIn ?? []),
      kept,
    );
  }

  /** The servers that are known to require a sign-in first. Sends no request. */
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

  /** Drops the stored list, since it may depend on the account. */
  #changeAccount<T>(
    server: string,
    act: (known: KnownServer) => Promise<T>,
  ): Promise<T | UnknownServer> {
    return this.#withServer(server, (known) => {
      this.#ports.servers.forgetList(server);
      return act(known);
    });
  }

  #withServer<T>(
    server: string,
    act: (known: KnownServer) => Promise<T>,
  ): Promise<T | UnknownServer> {
    const known = this.#ports.servers.get(server);
    return known === undefined ? Promise.resolve({ kind: 'unknown-server', server }) : act(known);
  }
}
