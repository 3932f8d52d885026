// What is left of a sign-in after a while: a credential whose access token has expired, and whose refresh
// token is good.

import { never } from '@plugboard/base';
import type { Credential } from '../../src/auth/credential.ts';
import type { CredentialStore } from '../../src/auth/index.ts';
import { followingBrowser, inBrowser } from './following-browser.ts';
import { guardedHost, SERVER } from './guarded-host.ts';

/** The credential as it is stored now. */
export async function signedInEarlier(at: {
  readonly url: string;
  readonly credentials: CredentialStore;
  readonly entry?: Readonly<Record<string, unknown>>;
}): Promise<Credential> {
  await using host = await guardedHost(at);
  const outcome = await host.login(SERVER, inBrowser(followingBrowser()));
  if (outcome.kind !== 'signed-in') throw new Error(`not signed in: ${JSON.stringify(outcome)}`);
  return await expire(at.credentials);
}

async function expire({ credentials }: CredentialStore): Promise<Credential> {
  const expired = (now: Credential | undefined): Promise<Credential | undefined> =>
    Promise.resolve(now === undefined ? now : { ...now, expiresAt: 0 });
  const credential = await onlyOne({ credentials });
  const kept = await credentials.update(credential, expired, never);
  if (!kept.ok || kept.value === undefined) throw new Error('it is not kept any more');
  return kept.value;
}

export async function onlyOne({
  credentials,
}: Pick<CredentialStore, 'credentials'>): Promise<Credential> {
  const kept = await credentials.list();
  const [credential, ...others] = kept.ok ? kept.value : [];
  if (credential === undefined || others.length > 0) throw new Error('not one credential is kept');
  return credential;
}
