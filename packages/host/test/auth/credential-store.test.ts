import { never, ok, systemClock } from '@plugboard/base';
import { tempFolder, verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import type { Credential } from '../../src/auth/credential.ts';
import { type CredentialStore, memoryCredentials, vaultCredentials } from '../../src/auth/index.ts';
import { fileSecrets } from '../../src/vault/file-secrets.ts';
import { memorySecrets, type SecretStore } from '../../src/vault/index.ts';

const KEY = {
  issuer: 'https://as.example',
  client: 'client',
  account: 'me',
  resource: 'https://mcp.example/mcp',
};
const CREDENTIAL: Credential = {
  ...KEY,
  accessToken: 'access',
  kind: 'bearer',
  refreshToken: 'refresh',
  obtainedAt: 1,
};

interface OpenedCredentials extends AsyncDisposable {
  readonly store: CredentialStore;
}

const DRIVERS: readonly (readonly [string, () => Promise<OpenedCredentials>])[] = [
  ['memory', async () => ({ store: memoryCredentials(), [Symbol.asyncDispose]: async () => {} })],
  ['a store of secrets in memory', () => inVault(() => memorySecrets())],
  [
    'a store of secrets in a file',
    () =>
      inVault((path) =>
        fileSecrets({
          file: `${path}/secrets.json`,
          keyFile: `${path}/key/secrets.key`,
          machine: () => Promise.resolve('here'),
          clock: systemClock,
        }),
      ),
  ],
];

async function inVault(open: (path: string) => SecretStore): Promise<OpenedCredentials> {
  const folder = await tempFolder();
  const secrets = open(folder.path);
  const store = vaultCredentials({ secrets, folder: `${folder.path}/auth`, clock: systemClock });
  return { store, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

describe.each(DRIVERS)('credentials in %s', (_, open) => {
  it('are found under their whole key, and under no other', async () => {
    verifies('AUT-09');
    await using opened = await open();
    const { credentials } = opened.store;
    expect(await credentials.read(KEY)).toEqual(ok(undefined));
    await credentials.update(KEY, () => Promise.resolve(CREDENTIAL), never);
    expect(await credentials.read(KEY)).toEqual(ok(CREDENTIAL));
    for (const field of ['issuer', 'client', 'account', 'resource'] as const) {
      expect(await credentials.read({ ...KEY, [field]: 'other' })).toEqual(ok(undefined));
    }
    expect(await credentials.list()).toEqual(ok([CREDENTIAL]));
    expect(await opened.store.servers.list()).toEqual(ok([]));
  });

  it('are removed when a change leaves nothing', async () => {
    await using opened = await open();
    const { credentials } = opened.store;
    await credentials.update(KEY, () => Promise.resolve(CREDENTIAL), never);
    expect(await credentials.update(KEY, () => Promise.resolve(undefined), never)).toEqual(
      ok(undefined),
    );
    expect(await credentials.list()).toEqual(ok([]));
  });

  it('stay unchanged when a change fails', async () => {
    await using opened = await open();
    const { credentials } = opened.store;
    await credentials.update(KEY, () => Promise.resolve(CREDENTIAL), never);
    const fail = () => Promise.reject(new Error('no'));
    await expect(credentials.update(KEY, fail, never)).rejects.toThrow('no');
    expect(await credentials.read(KEY)).toEqual(ok(CREDENTIAL));
  });

  it('are changed one after another', async () => {
    await using opened = await open();
    const { credentials } = opened.store;
    const longer = (now = { ...CREDENTIAL, accessToken: '' }): Promise<Credential> =>
      Promise.resolve({ ...now, accessToken: `${now.accessToken}.` });
    await Promise.all(Array.from({ length: 8 }, () => credentials.update(KEY, longer, never)));
    expect(await credentials.read(KEY)).toEqual(ok({ ...CREDENTIAL, accessToken: '........' }));
  });
});

it('the credential store rejects a record under the name of another', async () => {
  await using folder = await tempFolder();
  const secrets = memorySecrets();
  const store = vaultCredentials({ secrets, folder: folder.path, clock: systemClock });
  await store.credentials.update(KEY, () => Promise.resolve(CREDENTIAL), never);
  const names = await secrets.names();
  const [name = ''] = names.ok ? names.value : [];
  await secrets.set(name, JSON.stringify({ ...CREDENTIAL, account: 'someone else' }));
  expect(await store.credentials.read(KEY)).toEqual(ok(undefined));
});
