// A network in which names lead where a test says, and all connections to an authorization server and a
// server of this machine, whatever address was dialled. So names and addresses of the internet can be
// used, and nothing is ever sent there.

import { once } from 'node:events';
import { connect } from 'node:net';
import {
  err,
  never,
  ok,
  type Result,
  type Scope,
  silentLogger,
  systemClock,
} from '@plugboard/base';
import {
  type AuthorizationServer,
  type ProtectedServer,
  startAuthorizationServer,
  startProtectedServer,
} from '@plugboard/testkit';
import {
  Authorizations,
  type Browser,
  memoryCredentials,
  refusalsInMemory,
} from '../../../src/auth/index.ts';
import type { AuthorizationProblem, NetworkPorts } from '../../../src/protocol/index.ts';
import { SCRIPT } from './scene.ts';

export const SERVER_HOST = 'mcp.example.com';
export const ISSUER_HOST = 'auth.example.com';
const SERVER_URL = `https://${SERVER_HOST}/mcp`;
export const ISSUER = `https://${ISSUER_HOST}`;
/** A public address. */
export const PUBLIC = '93.184.216.34';

export interface NamedPlaces {
  readonly issuer: AuthorizationServer;
  readonly server: ProtectedServer;
  /** The addresses of each name; a test may change them at any time. */
  readonly addresses: Map<string, readonly string[]>;
  /** Each requested connection: the name, and the allowed addresses. */
  readonly dialled: readonly string[];
  readonly login: () => Promise<Result<unknown, AuthorizationProblem>>;
  /** Handles a request that the server refused. */
  readonly refused: () => Promise<unknown>;
}

export async function namedPlaces(
  scope: Scope,
  {
    oauth = {},
    issuerUrl = ISSUER,
  }: { readonly oauth?: Readonly<Record<string, unknown>>; readonly issuerUrl?: string } = {},
): Promise<NamedPlaces> {
  const issuer = scope.use(await startAuthorizationServer());
  const endpoints = {
    authorization_endpoint: `${ISSUER}/authorize`,
    token_endpoint: `${ISSUER}/token`,
    registration_endpoint: `${ISSUER}/register`,
  };
  issuer.misbehave({ metadata: { issuer: ISSUER, ...endpoints }, iss: { forged: ISSUER } });
  const server = scope.use(await startProtectedServer({ script: SCRIPT, issuer }));
  const about = { resource: SERVER_URL, authorization_servers: [issuerUrl] };
  server.misbehave({ metadata: about });

  const addresses = new Map<string, readonly string[]>([
    [SERVER_HOST, [PUBLIC]],
    [ISSUER_HOST, [PUBLIC]],
  ]);
  const dialled: string[] = [];
  const reach: Required<NetworkPorts> = {
    resolve: (host) => Promise.resolve(addresses.get(host) ?? []),
    dial: async (target) => {
      dialled.push(`${target.host} ${(target.addresses ?? []).join(' ')}`);
      const { port } = new URL(target.host === SERVER_HOST ? server.url : issuer.origin);
      // Without TLS, since identities are not tested here.
      const socket = connect(Number(port), '127.0.0.1');
      await once(socket, 'connect');
      return socket;
    },
  };
  const authorizations = scope.use(
    new Authorizations({
      store: memoryCredentials(),
      refusals: refusalsInMemory(systemClock),
      network: undefined,
      clock: systemClock,
      logger: silentLogger,
      clientName: 'test',
      reach,
    }),
  );
  const authorization = authorizations.of({ name: 'guarded', url: SERVER_URL, headers: {}, oauth });
  const challenge = { wantsNonce: false };
  return {
    ...{ issuer, server, addresses, dialled },
    login: () =>
      authorization.login({
        way: { kind: 'browser', browser: atIssuer(issuer) },
        challenge,
        signal: never,
      }),
    refused: async () => {
      const request = { method: 'POST', url: new URL(SERVER_URL) };
      const given = await authorization.headersFor(request, never);
      const answer = { ...request, status: 401, challenge, nonce: undefined, given, repeats: [] };
      return authorization.judge(answer, never);
    },
  };
}

/** Maps the pages of the issuer to their real address. */
function atIssuer(issuer: AuthorizationServer): Browser {
  return {
    begin: () =>
      Promise.resolve(
        ok({
          redirectUrl: 'http://127.0.0.1:28437/callback',
          async open({ pathname, search, origin }: URL) {
            if (origin !== ISSUER) return err({ kind: 'cancelled' as const });
            return ok(new URL(await issuer.browse(`${issuer.origin}${pathname}${search}`)));
          },
          [Symbol.asyncDispose]: () => Promise.resolve(),
        }),
      ),
  };
}
