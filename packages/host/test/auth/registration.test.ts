import { Scope } from '@plugboard/base';
import {
  type AuthorizationServer,
  type AuthorizationServerOptions,
  type ProtectedServer,
  startAuthorizationServer,
  startProtectedServer,
  verifies,
} from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { memoryCredentials } from '../../src/auth/index.ts';
import type { Host, LoginOutcome } from '../../src/index.ts';
import { followingBrowser, inBrowser } from './following-browser.ts';
import { oneUser } from './one-user.ts';

const REDIRECT = 'http://127.0.0.1:28437/callback';
const DOCUMENT = { client_id: 'https://app.example/client.json', redirect_uris: [REDIRECT] };

interface Stage {
  readonly issuer: AuthorizationServer;
  readonly server: ProtectedServer;
  host(oauth?: Readonly<Record<string, unknown>>): Promise<Host>;
}

async function stage(scope: Scope, options: AuthorizationServerOptions = {}): Promise<Stage> {
  const issuer = scope.use(
    await startAuthorizationServer({ givenDocuments: [DOCUMENT], ...options }),
  );
  const server = scope.use(await startProtectedServer({ issuer }));
  const credentials = memoryCredentials();
  const user = await oneUser(scope, { authorization: { credentials } });
  return {
    ...{ issuer, server },
    host: (oauth = {}) => user.run({ notes: { url: server.url, oauth } }),
  };
}

function login(host: Host): Promise<LoginOutcome> {
  return host.login('notes', inBrowser(followingBrowser()));
}

function clientsAt({ issuer }: Stage): readonly (string | undefined)[] {
  return issuer.requests
    .filter(({ endpoint }) => endpoint === 'authorization')
    .map(({ parameters }) => parameters.client_id);
}

describe('the client of a sign-in', () => {
  verifies('AUT-02');

  it('is the configured one before all others', async () => {
    await using scope = new Scope();
    const at = await stage(scope, { clients: [{ id: 'mine', redirectUris: [REDIRECT] }] });
    const host = await at.host({ clientId: 'mine', clientMetadataUrl: DOCUMENT.client_id });
    expect((await login(host)).kind).toBe('signed-in');
    expect(clientsAt(at)).toEqual(['mine']);
    expect(at.issuer.count({ endpoint: 'registration' })).toBe(0);
  });

  it('is the one that a document describes, if the server accepts documents', async () => {
    await using scope = new Scope();
    const at = await stage(scope);
    const host = await at.host({ clientMetadataUrl: DOCUMENT.client_id });
    expect((await login(host)).kind).toBe('signed-in');
    expect(clientsAt(at)).toEqual([DOCUMENT.client_id]);
    expect(at.issuer.count({ endpoint: 'registration' })).toBe(0);
  });

  it('is registered if there is neither, as a native application', async () => {
    await using scope = new Scope();
    const at = await stage(scope, { clientDocuments: 'unsupported' });
    const host = await at.host({ clientMetadataUrl: DOCUMENT.client_id });
    expect((await login(host)).kind).toBe('signed-in');
    const [registration, ...others] = at.issuer.requests.filter(
      ({ endpoint }) => endpoint === 'registration',
    );
    expect(others).toEqual([]);
    expect(JSON.parse(registration?.body ?? '')).toEqual({
      redirect_uris: [REDIRECT],
      client_name: expect.any(String),
      application_type: 'native',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    });
    expect(clientsAt(at)).toEqual(at.issuer.clients.map(({ id }) => id));
  });

  it('is the one that was registered before', async () => {
    await using scope = new Scope();
    const at = await stage(scope);
    expect((await login(await at.host())).kind).toBe('signed-in');
    expect((await login(await at.host({ scopes: 'read' }))).kind).toBe('signed-in');
    expect(at.issuer.count({ endpoint: 'registration' })).toBe(1);
  });

  it('must be configured if none can be obtained', async () => {
    await using scope = new Scope();
    const at = await stage(scope, { clientDocuments: 'unsupported', registration: 'unsupported' });
    expect(await login(await at.host())).toEqual({
      kind: 'not-signed-in',
      server: 'notes',
      problem: { kind: 'client-id-needed', issuer: at.issuer.issuer },
    });
  });

  it('is missing if the server refuses registration, and the status is reported', async () => {
    await using scope = new Scope();
    const at = await stage(scope, { clientDocuments: 'unsupported', registration: 'refused' });
    expect(await login(await at.host())).toEqual({
      kind: 'not-signed-in',
      server: 'notes',
      problem: { kind: 'registration-refused', issuer: at.issuer.issuer, status: 403 },
    });
    expect(at.issuer.count({ endpoint: 'authorization' })).toBe(0);
  });

  it('is another one at another authorization server', async () => {
    await using scope = new Scope();
    const at = await stage(scope);
    const host = await at.host();
    await login(host);
    const other = scope.use(await startAuthorizationServer());
    at.server.moveTo(other);
    expect((await login(host)).kind).toBe('signed-in');
    expect(other.count({ endpoint: 'registration' })).toBe(1);
    // Nothing from the first one is sent to the second.
    const shown = other.requests.map(({ path, body }) => `${path} ${body}`).join('\n');
    for (const secret of at.issuer.everySecret()) expect(shown).not.toContain(secret);
    expect(shown).not.toContain(at.issuer.clients[0]?.id);
  });
});
