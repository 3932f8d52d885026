import { ok, Scope } from '@plugboard/base';
import {
  type AuthorizationServer,
  startAuthorizationServer,
  startProtectedServer,
  verifies,
} from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { memoryCredentials } from '../../../src/auth/index.ts';
import { allowAll, createHost } from '../../../src/index.ts';
import { followingBrowser, REDIRECT } from '../following-browser.ts';
import { recordingBrowser, SCRIPT, SERVER } from './scene.ts';

const MACHINE = { id: 'machine', secret: 'hush-4f1c' };
const SECRETS = { get: () => Promise.resolve(ok(MACHINE.secret)) };

async function places(scope: Scope) {
  const honest = scope.use(await startAuthorizationServer({ clients: [MACHINE] }));
  const server = scope.use(await startProtectedServer({ script: SCRIPT, issuer: honest }));
  const thief = scope.use(
    await startAuthorizationServer({ clients: [MACHINE], metadataPath: '/metadata' }),
  );
  const credentials = memoryCredentials();
  const used = async (oauth: Readonly<Record<string, unknown>>, more: object = {}) => {
    const host = scope.use(
      await createHost({
        files: 'none',
        approve: allowAll,
        secrets: SECRETS,
        servers: { [SERVER]: { type: 'http', url: server.url, oauth } },
        authorization: { credentials },
        ...more,
      }),
    );
    return {
      look: () => host.call({ server: SERVER, tool: 'look' }, {}),
      login: () => host.login(SERVER, { way: { kind: 'browser', browser: recordingBrowser() } }),
    };
  };
  const machine = {
    grant: 'client_credentials',
    clientId: MACHINE.id,
    clientSecret: '${secret:MACHINE}',
  };
  return { honest, server, thief, used, machine, metadataUrl: `${thief.origin}/metadata` };
}

/** Claims to be the issuer, with its own endpoints. */
function claim(thief: AuthorizationServer, { issuer }: AuthorizationServer): void {
  thief.misbehave({ metadata: { issuer } });
}

function wasTold(thief: AuthorizationServer): string {
  return JSON.stringify(thief.requests);
}

describe('the metadata of another authorization server than "issuer" names', () => {
  verifies('POL-12');

  it('receives no client secret', async () => {
    await using scope = new Scope();
    const { honest, thief, used, machine, metadataUrl } = await places(scope);
    const { look } = await used({
      ...machine,
      issuer: honest.issuer,
      authServerMetadataUrl: metadataUrl,
    });
    const reason = { kind: 'issuer-mismatch', where: 'client' };
    expect(await look()).toMatchObject({ kind: 'needs-auth', reason });
    expect(thief.count({ endpoint: 'token' })).toBe(0);
    expect(wasTold(thief)).not.toContain(MACHINE.secret);
  });

  it('receives no client secret when it claims to be the named issuer', async () => {
    await using scope = new Scope();
    const { honest, thief, used, machine, metadataUrl } = await places(scope);
    claim(thief, honest);
    const { look } = await used({
      ...machine,
      issuer: honest.issuer,
      authServerMetadataUrl: metadataUrl,
    });
    const reason = { kind: 'stray-endpoint', field: 'token_endpoint', issuer: honest.issuer };
    expect(await look()).toMatchObject({ kind: 'needs-auth', reason });
    expect(thief.count({ endpoint: 'token' })).toBe(0);
  });

  it('is refused for a dynamically registered client as well', async () => {
    await using scope = new Scope();
    const { honest, thief, used, metadataUrl } = await places(scope);
    const { login } = await used({ issuer: honest.issuer, authServerMetadataUrl: metadataUrl });
    const problem = { kind: 'issuer-mismatch', where: 'client' };
    expect(await login()).toMatchObject({ kind: 'not-signed-in', problem });
    expect(thief.count({ endpoint: 'registration' })).toBe(0);
  });

  it('is refused without "issuer", once the client was used with another issuer', async () => {
    await using scope = new Scope();
    const { thief, used, machine, metadataUrl } = await places(scope);
    expect((await (await used(machine)).look()).kind).toBe('result');
    const { login } = await used({ ...machine, authServerMetadataUrl: metadataUrl });
    const problem = { kind: 'issuer-mismatch', where: 'client' };
    expect(await login()).toMatchObject({ kind: 'not-signed-in', problem });
    expect(thief.count({ endpoint: 'token' })).toBe(0);
  });

  it('receives no refresh token of a sign-in, whatever issuer it names', async () => {
    await using scope = new Scope();
    const { honest, thief, used, metadataUrl } = await places(scope);
    expect((await (await used({})).login()).kind).toBe('signed-in');
    claim(thief, honest);
    honest.revokeAccessTokens();
    const { look } = await used({ authServerMetadataUrl: metadataUrl });
    const reason = { kind: 'sign-in-needed', issuer: metadataUrl };
    expect(await look()).toMatchObject({ kind: 'needs-auth', reason });
    expect(thief.count({ endpoint: 'token' })).toBe(0);
    for (const secret of honest.everySecret()) expect(wasTold(thief)).not.toContain(secret);
  });

  it('is used if it leads to the named issuer', async () => {
    await using scope = new Scope();
    const { honest, thief, used, machine, metadataUrl } = await places(scope);
    const at = (path: string): string => `${honest.origin}${path}`;
    thief.misbehave({
      metadata: {
        issuer: honest.issuer,
        token_endpoint: at('/token'),
        authorization_endpoint: at('/authorize'),
        registration_endpoint: at('/register'),
        revocation_endpoint: at('/revoke'),
        device_authorization_endpoint: at('/device_authorization'),
      },
    });
    const oauth = { ...machine, issuer: honest.issuer, authServerMetadataUrl: metadataUrl };
    const { look } = await used(oauth);
    expect((await look()).kind).toBe('result');
    expect(honest.count({ endpoint: 'token' })).toBe(1);
  });
});

describe('a token endpoint that an entry names beside its identity provider', () => {
  verifies('POL-12');

  it('receives no id token of a sign-in there, if it has another origin', async () => {
    await using scope = new Scope();
    const atProvider = { id: 'agent-at-provider', redirectUris: [REDIRECT], idElsewhere: 'agent' };
    const provider = scope.use(await startAuthorizationServer({ clients: [atProvider] }));
    const thief = scope.use(await startAuthorizationServer({ clients: [atProvider] }));
    const issuer = scope.use(
      await startAuthorizationServer({ clients: [{ id: 'agent' }], trusts: [provider] }),
    );
    const server = scope.use(await startProtectedServer({ script: SCRIPT, issuer }));
    const credentials = memoryCredentials();
    const looked = async (more: object, host: object = {}) => {
      const xaa = { issuer: provider.issuer, clientId: atProvider.id, ...more };
      const running = scope.use(
        await createHost({
          files: 'none',
          approve: allowAll,
          servers: {
            [SERVER]: { type: 'http', url: server.url, oauth: { clientId: 'agent', xaa } },
          },
          authorization: { credentials, ...host },
        }),
      );
      return running.call({ server: SERVER, tool: 'look' }, {});
    };
    expect((await looked({}, { browser: followingBrowser() })).kind).toBe('result');
    issuer.revokeAccessTokens();
    expect((await looked({ tokenEndpoint: `${provider.origin}/token` })).kind).toBe('result');
    issuer.revokeAccessTokens();
    const tokenEndpoint = `${thief.origin}/token`;
    expect(await looked({ tokenEndpoint })).toMatchObject({
      kind: 'needs-auth',
      reason: { kind: 'sign-in-needed' },
    });
    expect(thief.requests).toEqual([]);
  });
});
