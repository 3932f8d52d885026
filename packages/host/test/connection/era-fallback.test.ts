import { type Result, Scope, systemClock } from '@plugboard/base';
import { verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { openRemembering } from '../../src/connection/open-remembering.ts';
import {
  clientSession,
  type Era,
  type Establish,
  type ProtocolFailure,
  relaySession,
} from '../../src/protocol/index.ts';
import { ports } from '../protocol/cells.ts';
import { type BareReply, type BareServer, startBareHttp } from '../protocol/bare-http-server.ts';

interface OpenedSession {
  readonly era: Era;
  close(): Promise<void>;
}

const relay = relaySession({
  capabilities: {},
  clientInfo: { name: 'test', version: '1' },
  request: () => Promise.resolve({ error: { code: -32_601, message: 'no' } }),
  notification: () => undefined,
});

const SESSIONS: readonly (readonly [string, Establish<OpenedSession>])[] = [
  ['the session of a host', clientSession],
  ['the session of a client of a gateway', relay],
];

/** Opens the server without a stored era. */
async function opened(
  { launch }: BareServer,
  establish: Establish<OpenedSession>,
): Promise<Result<OpenedSession, ProtocolFailure>> {
  await using scope = new Scope();
  const limits = { signal: scope.signal, timeoutMs: 20_000 };
  const session = await openRemembering<OpenedSession>({ launch, fingerprint: undefined }, limits, {
    ...ports,
    clock: systemClock,
    establish,
  });
  if (session.ok) await session.value.close();
  return session;
}

const status = (number: number): BareReply => ({
  kind: 'text',
  status: number,
  type: 'text/plain',
  text: 'unknown method',
});

/** What a legacy server may answer to `server/discover`, a method that it does not know. */
const REFUSALS: readonly (readonly [string, BareReply])[] = [
  ['the error of JSON-RPC for an unknown method', { kind: 'error', code: -32_601 }],
  ['an internal error of JSON-RPC', { kind: 'error', code: -32_603 }],
  ['status 400', status(400)],
  ['status 404', status(404)],
  ['status 405', status(405)],
  ['status 500', status(500)],
  ['status 501', status(501)],
  ['an empty result', { kind: 'result', result: {} }],
  [
    'a result with another revision',
    { kind: 'result', result: { supportedVersions: ['2031-01-01'], capabilities: {} } },
  ],
];

describe.for(SESSIONS)('%s', ([, establish]) => {
  verifies('TRN-08');

  it.for(REFUSALS)('opens a legacy server that answers the probe with %s', async ([, reply]) => {
    await using scope = new Scope();
    const server = await startBareHttp(
      'legacy',
      ({ method }) => (method === 'server/discover' ? reply : undefined),
      scope,
    );
    expect(await opened(server, establish)).toMatchObject({ value: { era: 'legacy' } });
  });

  it.for([502, 503, 504])('tries one era of a server that answers with status %i', async (code) => {
    await using scope = new Scope();
    const server = await startBareHttp('modern', () => status(code), scope);
    expect(await opened(server, establish)).toMatchObject({ error: { status: code } });
    expect(server.requests.map(({ method }) => method)).toEqual(['server/discover']);
  });

  it('reports the first failure of a server that fails in both eras', async () => {
    await using scope = new Scope();
    const server = await startBareHttp(
      'modern',
      ({ method }) => status(method === 'server/discover' ? 500 : 400),
      scope,
    );
    expect(await opened(server, establish)).toMatchObject({ error: { kind: 'http', status: 500 } });
    expect(server.requests.map(({ method }) => method)).toEqual(['server/discover', 'initialize']);
  });
});
