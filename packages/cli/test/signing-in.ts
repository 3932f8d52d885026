// A server that requires a sign-in, its authorization server, and the built command in a sandbox where that server is configured
// as `docs`. Also functions that sign in.

import {
  type AuthorizationServer,
  type AuthorizationServerOptions,
  type ProtectedServer,
  type ProtectedServerOptions,
  startAuthorizationServer,
  startProtectedServer,
} from '@plugboard/testkit';
import { type Run, type Sandbox, sandbox } from './sandbox.ts';

export interface Place extends AsyncDisposable {
  readonly issuer: AuthorizationServer;
  readonly server: ProtectedServer;
  readonly box: Sandbox;
}

export interface PlaceOptions {
  readonly issuer?: AuthorizationServerOptions;
  readonly server?: Partial<ProtectedServerOptions>;
  /** Additional fields of the entry `docs`. */
  readonly entry?: object;
}

export async function place(options: PlaceOptions = {}): Promise<Place> {
  const issuer = await startAuthorizationServer({ deviceIntervalSeconds: 1, ...options.issuer });
  const scopes = { always: ['read'] };
  const server = await startProtectedServer({ issuer, scopes, ...options.server });
  const box = await sandbox({ docs: { type: 'http', url: server.url, ...options.entry } });
  return {
    issuer,
    server,
    box,
    async [Symbol.asyncDispose]() {
      await box[Symbol.asyncDispose]();
      await server.close();
      await issuer.close();
    },
  };
}

/** The first address in the output. */
export function addressIn(text: string): string {
  const [, address] = /^ {2}(https?:\S+)$/m.exec(text) ?? [];
  if (address === undefined) throw new Error(`no address in ${JSON.stringify(text)}`);
  return address;
}

/** Signs in with a browser elsewhere, and pipes in the redirect. */
export async function signIn(
  { issuer, box }: Pick<Place, 'issuer' | 'box'>,
  args: readonly string[] = ['docs'],
): Promise<Run> {
  return box.run(['login', ...args, '--no-browser'], {
    reply: ['Address: ', async (said) => `${await issuer.browse(addressIn(said))}\n`],
  });
}

/** Replaces numbers that differ between runs. */
export function steady(text: string, { issuer, server }: Pick<Place, 'issuer' | 'server'>): string {
  return text
    .replaceAll(/^ {2}https?:\S+$/gm, '  (address)')
    .replaceAll(issuer.origin, '(issuer)')
    .replaceAll(server.url, '(server)')
    .replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:(port)')
    .replaceAll(/-L \d+:/g, '-L (port):');
}
