import {
  type AuthorizationServer,
  createSigner,
  filesUnder,
  GRANT_TYPES,
  type Misbehaviour,
  type ProtectedServerMisbehaviour,
  searchForSecrets,
  type SoughtSecret,
  startAuthorizationServer,
  tempFolder,
  TEST_MS,
  verifies,
} from '@plugboard/testkit';
import { systemClock } from '@plugboard/base';
import { expect, it } from 'vitest';
import { vaultCredentials } from '../../src/auth/index.ts';
import { userPaths } from '../../src/platform/index.ts';
import { secretStore } from '../../src/vault/index.ts';
import { commandedHost, type CommandedHost } from './commanded-host.ts';
import { guardedPair, type GuardedPair } from './guarded-pair.ts';

/** All failures of an authorization server, with messages that quote the request. */
function misbehaviours(quoted: string): readonly Misbehaviour[] {
  const token = { at: 'token' } as const;
  const nowhere = `http://127.0.0.1:9/?was=${quoted}`;
  const elsewhere = `https://elsewhere.example/?was=${quoted}`;
  return [
    { faults: [{ ...token, kind: 'error', error: 'invalid_grant', description: quoted }] },
    { faults: [{ ...token, kind: 'error', error: quoted }] },
    { faults: [{ ...token, kind: 'error', error: 'invalid_client', description: quoted }] },
    { faults: [{ ...token, kind: 'status', status: 500 }] },
    { faults: [{ ...token, kind: 'html' }] },
    { faults: [{ ...token, kind: 'invalid-json' }] },
    { faults: [{ ...token, kind: 'not-an-object' }] },
    { faults: [{ ...token, kind: 'huge', bytes: 3_000_000 }] },
    { faults: [{ ...token, kind: 'reset' }] },
    { faults: [{ ...token, kind: 'lost-answer' }] },
    { faults: [{ ...token, kind: 'redirect', to: nowhere, status: 307 }] },
    { faults: [{ at: 'metadata', kind: 'redirect', to: nowhere }] },
    { faults: [{ at: 'metadata', kind: 'invalid-json' }] },
    { authorizationError: { error: quoted, description: quoted } },
    { authorizationError: { error: 'server_error', description: quoted } },
    { iss: { forged: elsewhere } },
    { iss: 'missing' },
    { pkceAdvertised: 'absent' },
    { metadata: { token_endpoint: nowhere } },
    { metadata: { authorization_endpoint: `file:///?was=${quoted}` } },
    { metadata: { issuer: elsewhere } },
    { tokens: { expiresIn: 'text' } },
    { tokens: { fields: { access_token: null } } },
  ];
}

/** The same at the server itself. */
function serverMisbehaviours(quoted: string): readonly ProtectedServerMisbehaviour[] {
  const said = `error="invalid_token", error_description="${quoted}"`;
  const nowhere = `http://127.0.0.1:9/?was=${quoted}`;
  return [
    { challenge: { header: `Bearer ${said}` } },
    { challenge: 'none' },
    { resourceMetadata: { address: nowhere } },
    { metadata: { resource: `https://elsewhere.example/?was=${quoted}` } },
    { metadata: { authorization_servers: [nowhere] } },
    { metadata: { authorization_servers: [quoted] } },
    { redirect: { to: nowhere, status: 307 } },
    { refusesAll: 'invalid-token' },
    { refusesAll: 'insufficient-scope' },
  ];
}

const SIGNED_IN = ['plain', 'sse', 'socket', 'bound'];
const MACHINES = ['machine', 'keyed', 'workload', 'vouched'];

it(
  'the secrets of a sign-in appear in no file and no output',
  { timeout: 2 * TEST_MS },
  async () => {
    verifies('AUT-10');
    await using home = await tempFolder();
    const cwd = await home.mkdir('project');
    const paths = userPaths({}, 'linux', home.path);
    await using stock = await stocked();
    const secrets = secretStore({ paths, env: { PLUGBOARD_SECRETS: 'file' }, platform: 'linux' });
    for (const [name, value] of Object.entries(stock.stored)) await secrets.set(name, value);
    await home.write('project/.mcp.json', JSON.stringify({ mcpServers: stock.entries }));

    await using host = commandedHost({ path: home.path, cwd });
    await liveThrough(host, stock);
    // While they exist, since a bound token needs its key.
    const credentials = vaultCredentials({
      secrets,
      folder: `${home.path}/unused`,
      clock: systemClock,
    });
    const kept = await credentials.credentials.list();
    const keys = kept.ok
      ? kept.value.flatMap(({ dpopKey }) => (dpopKey === undefined ? [] : String(dpopKey['d'])))
      : [];
    const before = await filesUnder(home.path);
    for (const server of SIGNED_IN)
      expect(await host.ask('logout', server)).toMatchObject({ kind: 'signed-out' });
    await host.close();

    const sought: readonly SoughtSecret[] = [
      ...stock.issuers.flatMap((issuer) => issuer.secrets),
      ...Object.values(stock.stored).map((value) => ({ kind: 'stored', value })),
      ...keys.map((value) => ({ kind: 'dpop-key', value })),
    ];
    const places = {
      ...before,
      ...(await filesUnder(home.path)),
      'what was said': host.said,
      'command lines': host.commandLines.join('\n'),
    };
    expectWorthSearching(sought, places);
    expect(searchForSecrets(sought, places)).toEqual([]);
  },
);

/** Signs in, uses, renews and widens, with every failure of every step. */
async function liveThrough(host: CommandedHost, { plain, issuers }: Stock): Promise<void> {
  for (const server of [...SIGNED_IN, ...MACHINES]) {
    if (SIGNED_IN.includes(server)) {
      expect(await host.ask('login', server)).toMatchObject({ kind: 'signed-in' });
    }
    expect(await host.ask('call', server)).toMatchObject({ kind: 'result' });
    await host.ask('tools', server);
  }
  for (const issuer of issuers) issuer.revokeAccessTokens();
  for (const server of [...SIGNED_IN, ...MACHINES]) {
    expect(await host.ask('call', server)).toMatchObject({ kind: 'result' });
  }
  const { issuer, server } = plain;
  const quoted = (): string => issuer.refreshTokens.at(-1)?.value ?? '';
  for (let index = 0; index < misbehaviours('').length; index += 1) {
    issuer.revokeAccessTokens();
    issuer.misbehave(misbehaviours(quoted())[index] ?? {});
    for (const act of ['call', 'state'] as const) await host.ask(act, 'plain');
    issuer.misbehave({});
    expect(await host.ask('login', 'plain')).toMatchObject({ kind: 'signed-in' });
  }
  for (let index = 0; index < serverMisbehaviours('').length; index += 1) {
    issuer.revokeAccessTokens();
    server.misbehave(serverMisbehaviours(issuer.accessTokens.at(-1)?.value ?? '')[index] ?? {});
    for (const act of ['call', 'state'] as const) await host.ask(act, 'plain');
    server.misbehave({});
    expect(await host.ask('login', 'plain')).toMatchObject({ kind: 'signed-in' });
  }
  expect(issuer.count({ grantType: GRANT_TYPES.refreshToken })).toBeGreaterThan(0);
}

/** An empty search result proves nothing, unless there was something to find. */
function expectWorthSearching(
  sought: readonly SoughtSecret[],
  places: Readonly<Record<string, unknown>>,
): void {
  const kinds = new Set(sought.map(({ kind }) => kind));
  expect([...kinds].toSorted()).toEqual([
    'access-token',
    'assertion',
    'authorization-code',
    'client-assertion',
    'client-secret',
    'code-verifier',
    'dpop-key',
    'id-token',
    'identity-assertion',
    'refresh-token',
    'stored',
  ]);
  const names = Object.keys(places).join('\n');
  for (const part of ['/trace/', '/.cache/plugboard/', 'secrets.json', '.mcp.json', '/started/']) {
    expect(names).toContain(part);
  }
}

interface Stock extends AsyncDisposable {
  readonly plain: GuardedPair;
  readonly issuers: readonly AuthorizationServer[];
  readonly entries: Readonly<Record<string, unknown>>;
  readonly stored: Readonly<Record<string, string>>;
}

async function stocked(): Promise<Stock> {
  const machineKey = createSigner();
  const platform = { issuer: 'https://platform.example', publicKeys: [machineKey.publicKey] };
  const provider = await startAuthorizationServer({
    clients: [{ id: 'agent', redirectUris: ['http://127.0.0.1/callback'] }],
  });
  const plain = await guardedPair({ server: { scopes: { tools: { look: ['write'] } } } });
  const sse = await guardedPair({ server: { transport: 'sse' } });
  const socket = await guardedPair({ server: { transport: 'ws' } });
  const bound = await guardedPair({ issuer: { dpop: 'required' }, server: { dpop: 'required' } });
  const machines = await guardedPair({
    issuer: {
      clients: [
        { id: 'machine', secret: 'cs_5d1f0a9e77b24c6e8a31' },
        { id: 'keyed', keys: [machineKey.publicKey] },
        { id: 'workload' },
        { id: 'agent', secret: 'cs_e2b7c81f4d0a4f3b9c65' },
      ],
      trusts: [platform, provider],
    },
  });
  const pairs = [plain, sse, socket, bound, machines];
  const workload = machineKey.sign({
    iss: platform.issuer,
    sub: 'workload-7',
    aud: machines.issuer.issuer,
    exp: Math.floor(Date.now() / 1000) + 3600,
  });
  const http = { type: 'http', protocol: 'legacy' };
  const machine = { ...http, url: machines.url };
  return {
    plain,
    issuers: [provider, ...pairs.map(({ issuer }) => issuer)],
    stored: {
      QUERY: 'q_93c1e07b5fd84b1f8f2a',
      MACHINE: 'cs_5d1f0a9e77b24c6e8a31',
      KEY: machineKey.privateKeyPem,
      WORKLOAD: workload,
      AGENT: 'cs_e2b7c81f4d0a4f3b9c65',
    },
    entries: {
      plain: { ...http, url: `${plain.url}?key=\${secret:QUERY}` },
      sse: { type: 'sse', url: sse.url },
      socket: { type: 'ws', url: socket.url },
      bound: { ...http, url: bound.url },
      machine: {
        ...machine,
        oauth: {
          grant: 'client_credentials',
          clientId: 'machine',
          clientSecret: '${secret:MACHINE}',
        },
      },
      keyed: {
        ...machine,
        oauth: { grant: 'client_credentials', clientId: 'keyed', privateKey: '${secret:KEY}' },
      },
      workload: {
        ...machine,
        oauth: { grant: 'jwt-bearer', clientId: 'workload', assertion: '${secret:WORKLOAD}' },
      },
      vouched: {
        ...machine,
        oauth: {
          clientId: 'agent',
          clientSecret: '${secret:AGENT}',
          xaa: { issuer: provider.issuer, clientId: 'agent' },
        },
      },
    },
    async [Symbol.asyncDispose]() {
      for (const pair of pairs) await pair[Symbol.asyncDispose]();
      await provider.close();
    },
  };
}
