import { err, never, ok, systemClock } from '@plugboard/base';
import {
  ManualClock,
  startScriptedHttp,
  startScriptedWs,
  tempFolder,
  verifies,
} from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import type { RemoteEntry, StdioEntry } from '../../src/config/fields/server-entry.ts';
import type { ServerEntry } from '../../src/config/index.ts';
import { markOf, neededSecrets } from '../../src/config/resolve/secret-marks.ts';
import {
  fixedPlan,
  type LaunchPlan,
  planOf,
  type PlanPorts,
  type SecretReader,
} from '../../src/connection/launch-plan.ts';
import { openPlanned } from '../../src/connection/open-planned.ts';
import { clientSession } from '../../src/protocol/index.ts';
import { testEnvironment } from '../config/test-environment.ts';

const flags = { disabled: false, required: false, alwaysLoad: false };
const remote: RemoteEntry = {
  kind: 'http',
  url: 'https://e.com/mcp',
  headers: { A: 'a' },
  ...flags,
};
const local: StdioEntry = { kind: 'stdio', command: 'x', args: [], env: {}, ...flags };
const at = { file: '/f', line: 1, column: 1 };
const place = { server: 's', keyAt: () => at, valueAt: () => at };
const none: SecretReader = { get: () => Promise.resolve(ok(undefined)) };

function planned(entry: ServerEntry, ports: Partial<PlanPorts> = {}): ReturnType<typeof planOf> {
  const environment = testEnvironment('/root', { env: { PATH: process.env['PATH'] ?? '' } });
  return planOf(
    { name: 's', entry, secrets: neededSecrets(entry, place), isForeign: false },
    { environment: { ...environment, cwd: '/' }, secrets: none, clock: systemClock, ...ports },
  );
}

function planOrThrow(entry: ServerEntry, ports?: Partial<PlanPorts>): LaunchPlan {
  const plan = planned(entry, ports);
  if (!plan.ok) throw new Error(plan.error.kind);
  return plan.value;
}

const opening = {
  clock: systemClock,
  ledger: undefined,
  client: { name: 'test', version: '1' },
  inbound: {},
  establish: clientSession,
};

describe('the plan for a server', () => {
  verifies('CFG-15');

  it('without secrets or a helper has its launch ready at once', () => {
    const plan = planOrThrow(remote);
    const prepared = plan.prepare(never);
    expect(prepared).toEqual(
      ok({ launch: { kind: 'http', url: remote.url, headers: { A: 'a' }, era: 'auto' } }),
    );
    expect(plan.prepare(never)).toBe(prepared);
    expect(plan.afterRefusal).toBe('give-up');
  });

  it('with secrets contains them in its launch, together with a text that may be shown', async () => {
    const secrets: SecretReader = { get: (name) => Promise.resolve(ok(`<${name}>`)) };
    const entry = {
      ...remote,
      url: `https://e.com/${markOf('U')}?k=${markOf('K')}`,
      headers: { A: markOf('A'), B: 'b' },
    };
    const plan = planOrThrow(entry, { secrets });
    const prepared = await plan.prepare(never);
    expect(prepared).toMatchObject(
      ok({
        launch: {
          kind: 'http',
          url: 'https://e.com/<U>?k=<K>',
          shownUrl: 'https://e.com/${secret:U}?k=${secret:K}',
          headers: { A: '<A>', B: 'b' },
          era: 'auto',
        },
      }),
    );
    expect(prepared.ok && prepared.value.conceal?.('at <U>, <A>')).toBe(
      'at ${secret:U}, ${secret:A}',
    );
    expect(plan.afterRefusal).toBe('reopen');
  });

  it('hides the longer secret first if one begins with another', async () => {
    const values = new Map([
      ['SHORT', 'abc'],
      ['LONG', 'abcdef'],
      ['EMPTY', ''],
    ]);
    const secrets: SecretReader = { get: (name) => Promise.resolve(ok(values.get(name))) };
    const entry = { ...local, args: [...values.keys()].map(markOf) };
    const prepared = await planOrThrow(entry, { secrets }).prepare(never);
    expect(prepared.ok && prepared.value.conceal?.('abcdef abc')).toBe(
      '${secret:LONG} ${secret:SHORT}',
    );
  });

  it('gives up a store that does not answer', async () => {
    const clock = new ManualClock();
    const secrets: SecretReader = { get: () => new Promise(() => {}) };
    const plan = planOrThrow({ ...local, command: markOf('A') }, { secrets, clock });
    const preparing = Promise.resolve(plan.prepare(never));
    await clock.advance(30_000);
    expect(await preparing).toMatchObject(
      err({ kind: 'unresolved', problems: [{ code: 'unreadable-secret' }] }),
    );
    expect(clock.pending).toBe(0);
  });

  it('is aborted with its signal', async () => {
    const giveUp = new AbortController();
    const secrets: SecretReader = { get: () => new Promise(() => {}) };
    const plan = planOrThrow({ ...local, command: markOf('A') }, { secrets });
    const preparing = Promise.resolve(plan.prepare(giveUp.signal));
    giveUp.abort();
    expect(await preparing).toEqual(err({ kind: 'cancelled' }));
    const helped = planOrThrow({ ...remote, headersHelper: 'sleep 60' });
    expect(await helped.prepare(giveUp.signal)).toEqual(err({ kind: 'cancelled' }));
  });

  it('passes the server to the headers helper, without possible secrets', async () => {
    const secrets: SecretReader = { get: () => Promise.resolve(ok('s3cret')) };
    const print = '{"A":"$PLUGBOARD_SERVER_NAME","B":"$PLUGBOARD_SERVER_URL"}';
    const entry = {
      ...remote,
      url: `https://e.com/${markOf('A')}/mcp?key=s3cret`,
      headersHelper: `sh -c 'echo ${print.replaceAll('"', '\\"')}'`,
    };
    const prepared = await planOrThrow(entry, { secrets }).prepare(never);
    expect(
      prepared.ok && 'headers' in prepared.value.launch && prepared.value.launch.headers,
    ).toEqual({
      A: 's',
      B: 'https://e.com/${secret:A}/mcp',
    });
  });

  it('fails if the headers helper cannot be run', () => {
    expect(planned({ ...remote, headersHelper: 'a; b' })).toEqual(
      err({
        kind: 'helper-failed',
        reason: { kind: 'bad-command', problem: { kind: 'needs-shell', character: ';' } },
      }),
    );
  });
});

describe('opening a connection by a plan', () => {
  verifies('CFG-15');

  it('prepares a second time after a 401, and then no more', async () => {
    await using server = await startScriptedHttp();
    server.demand('Bearer never');
    let prepared = 0;
    const fixed = fixedPlan({ kind: 'http', url: server.url, headers: {}, era: 'auto' });
    const plan: LaunchPlan = {
      ...fixed,
      afterRefusal: 'reopen',
      prepare(signal) {
        prepared += 1;
        return fixed.prepare(signal);
      },
    };
    const limits = { signal: never, timeoutMs: 60_000 };
    const opened = await openPlanned(
      { plan, fingerprint: undefined, occasion: 'need' },
      limits,
      opening,
    );
    expect(opened).toEqual(err({ kind: 'unauthorized', url: server.url, status: 401 }));
    expect(prepared).toBe(2);
  });

  it('sends the headers of the helper over WebSocket, too', async () => {
    await using folder = await tempFolder();
    await using server = await startScriptedWs();
    const headersHelper = `sh -c 'echo run >> ${folder.path}/runs; echo "{\\"X-Key\\":\\"k\\"}"'`;
    const plan = planOrThrow({ ...remote, kind: 'ws', url: server.url, headersHelper });
    const limits = { signal: never, timeoutMs: 60_000 };
    const opened = await openPlanned(
      { plan, fingerprint: undefined, occasion: 'need' },
      limits,
      opening,
    );
    if (!opened.ok) throw new Error(opened.error.kind);
    await opened.value.close();
    expect(await folder.read('runs')).toBe('run\n');
    expect(server.handshakes[0]?.['x-key']).toBe('k');
  });
});
