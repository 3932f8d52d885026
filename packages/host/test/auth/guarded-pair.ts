// An authorization server and a server with one tool, `look`, that requires its tokens: the pair that most tests of signing
// in use. Both come from testkit; a test tells them how to misbehave.

import {
  type AuthorizationServer,
  type AuthorizationServerOptions,
  type Era,
  type ProtectedServer,
  type ProtectedServerOptions,
  startAuthorizationServer,
  startProtectedServer,
} from '@plugboard/testkit';
import { REDIRECT } from './following-browser.ts';

export interface GuardedPair extends AsyncDisposable {
  readonly issuer: AuthorizationServer;
  readonly server: ProtectedServer;
  readonly url: string;
}

export interface GuardedPairOptions {
  readonly issuer?: AuthorizationServerOptions;
  readonly server?: Omit<ProtectedServerOptions, 'issuer' | 'script'>;
  /** The era of the server; legacy, by default. */
  readonly era?: Era;
}

export async function guardedPair(options: GuardedPairOptions = {}): Promise<GuardedPair> {
  const issuer = await startAuthorizationServer(options.issuer);
  const server = await startBehind(issuer, options);
  return {
    issuer,
    server,
    url: server.url,
    async [Symbol.asyncDispose]() {
      await server.close();
      await issuer.close();
    },
  };
}

/** Another server of the same kind, for tokens of this authorization server. */
export function startBehind(
  issuer: AuthorizationServer,
  { server, era = 'legacy' }: Omit<GuardedPairOptions, 'issuer'> = {},
): Promise<ProtectedServer> {
  const look = { name: 'look', result: { content: [{ type: 'text', text: 'seen' }] } };
  const script = { eras: [era], builtIns: [], tools: [look] };
  return startProtectedServer({ ...server, issuer, script });
}

/** A client that is registered at the authorization server from the start. */
export const MINE = { id: 'mine', redirectUris: [REDIRECT] };
