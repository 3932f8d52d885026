import { ok, Scope, systemClock } from '@plugboard/base';
import {
  scriptedServer,
  type ScriptedHttpServer,
  startScriptedHttp,
  verifies,
} from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import type { EraMemory, EraVerdict } from '../../src/connection/era-verdict.ts';
import { openRemembering } from '../../src/connection/open-remembering.ts';
import { clientSession } from '../../src/protocol/index.ts';
import type { EraPreference, Launch } from '../../src/protocol/neutral/launch.ts';

const DAY_MS = 24 * 60 * 60_000;
const NOW = 1_800_000_000_000;
const clock = { ...systemClock, now: () => NOW };

class Memory implements EraMemory {
  readonly verdicts = new Map<string, EraVerdict>();
  constructor(verdict?: EraVerdict) {
    if (verdict !== undefined) this.verdicts.set('print', verdict);
  }
  recall(fingerprint: string): Promise<EraVerdict | undefined> {
    return Promise.resolve(this.verdicts.get(fingerprint));
  }
  remember(fingerprint: string, verdict: EraVerdict): void {
    this.verdicts.set(fingerprint, verdict);
  }
  forget(fingerprint: string): void {
    this.verdicts.delete(fingerprint);
  }
  get verdict(): EraVerdict | undefined {
    return this.verdicts.get('print');
  }
}

/** Opens a session, and returns its era or the kind of the failure. */
async function openedEra(launch: Launch, eras: Memory, timeoutMs = 20_000): Promise<unknown> {
  await using scope = new Scope();
  const opened = await openRemembering(
    { launch, fingerprint: 'print' },
    { signal: scope.signal, timeoutMs },
    {
      clock,
      eras,
      rootsMemory: undefined,
      ledger: undefined,
      client: { name: 'test', version: '1' },
      inbound: {},
      establish: clientSession,
    },
  );
  if (!opened.ok) return opened;
  const { era } = opened.value;
  await opened.value.close();
  return ok(era);
}

function http(server: ScriptedHttpServer, era: EraPreference = 'auto'): Launch {
  return { kind: 'http', url: server.url, headers: {}, era };
}

function stdio(script: Parameters<typeof scriptedServer>[0], era: EraPreference = 'auto'): Launch {
  const { command, args } = scriptedServer(script);
  return { kind: 'stdio', command, args, env: {}, cwd: undefined, era };
}

function asked(server: ScriptedHttpServer): readonly (string | undefined)[] {
  return server.requests.flatMap(({ rpcMethod }) => (rpcMethod === undefined ? [] : [rpcMethod]));
}

const LEGACY_STEPS = ['initialize', 'notifications/initialized'];

describe('the era of a remote server', () => {
  verifies('TRN-08');

  it('is detected once and stored with its date', async () => {
    await using legacy = await startScriptedHttp({ eras: ['legacy'] });
    const eras = new Memory();
    expect(await openedEra(http(legacy), eras)).toEqual(ok('legacy'));
    expect(eras.verdict).toEqual({ era: 'legacy', at: NOW });
    expect(asked(legacy)).toEqual(['server/discover', ...LEGACY_STEPS]);
  });

  it('is not detected again within a day, and the verdict is not renewed by its use', async () => {
    await using legacy = await startScriptedHttp({ eras: ['legacy'] });
    const verdict = { era: 'legacy', at: NOW - DAY_MS + 1000 } as const;
    const eras = new Memory(verdict);
    expect(await openedEra(http(legacy), eras)).toEqual(ok('legacy'));
    expect(asked(legacy)).toEqual(LEGACY_STEPS);
    expect(eras.verdict).toEqual(verdict);
  });

  it('is detected again after a day', async () => {
    await using dual = await startScriptedHttp();
    const eras = new Memory({ era: 'legacy', at: NOW - DAY_MS });
    expect(await openedEra(http(dual), eras)).toEqual(ok('modern'));
    expect(eras.verdict).toEqual({ era: 'modern', at: NOW });
  });

  it.for([
    ['legacy', 'modern'],
    ['modern', 'legacy'],
  ] as const)('is detected again when a %s verdict fails', async ([old, now]) => {
    await using server = await startScriptedHttp({ eras: [now] });
    const eras = new Memory({ era: old, at: NOW - 1000 });
    expect(await openedEra(http(server), eras)).toEqual(ok(now));
    expect(eras.verdict).toEqual({ era: now, at: NOW });
  });

  it('stays stored while the server cannot be reached', async () => {
    const server = await startScriptedHttp();
    await server.close();
    const verdict = { era: 'modern', at: NOW } as const;
    const eras = new Memory(verdict);
    expect(await openedEra(http(server), eras)).toMatchObject({ error: { kind: 'unreachable' } });
    expect(eras.verdict).toEqual(verdict);
  });

  it('is not detected if the entry states it', async () => {
    await using dual = await startScriptedHttp();
    const eras = new Memory({ era: 'modern', at: NOW });
    expect(await openedEra(http(dual, 'legacy'), eras)).toEqual(ok('legacy'));
    expect(eras.verdict).toEqual({ era: 'modern', at: NOW });
  });
});

describe('the era of a local server', () => {
  verifies('TRN-08');

  it('is legacy, without a probe, unless a verdict is modern', async () => {
    expect(await openedEra(stdio({}), new Memory())).toEqual(ok('legacy'));
    expect(await openedEra(stdio({}), new Memory({ era: 'modern', at: NOW }))).toEqual(
      ok('modern'),
    );
  });

  it('is not stored if the entry states it', async () => {
    const eras = new Memory();
    expect(await openedEra(stdio({}, 'modern'), eras)).toEqual(ok('modern'));
    expect(eras.verdict).toBeUndefined();
    expect(await openedEra(stdio({}), eras)).toEqual(ok('legacy'));
  });

  it('is modern, and stored as such, if the server refuses the legacy era', async () => {
    const eras = new Memory();
    expect(await openedEra(stdio({ eras: ['modern'] }), eras)).toEqual(ok('modern'));
    expect(eras.verdict).toEqual({ era: 'modern', at: NOW });
  });

  it('is detected again when a modern verdict fails', async () => {
    const eras = new Memory({ era: 'modern', at: NOW });
    expect(await openedEra(stdio({ eras: ['legacy'] }), eras)).toEqual(ok('legacy'));
    expect(eras.verdict).toEqual({ era: 'legacy', at: NOW });
  });

  it('is unknown when a server stays silent, and all attempts share one deadline', async () => {
    const eras = new Memory({ era: 'modern', at: NOW });
    expect(await openedEra(stdio({ silent: true }), eras, 800)).toMatchObject({
      error: { kind: 'timeout', ms: 800 },
    });
    expect(eras.verdict).toBeUndefined();
  });

  it.for([
    ['legacy', 'modern'],
    ['modern', 'legacy'],
  ] as const)('causes a wrong-era failure if the entry requires %s', async ([wanted, spoken]) => {
    const failed = await openedEra(stdio({ eras: [spoken] }, wanted), new Memory());
    expect(failed).toMatchObject({ error: { kind: 'wrong-era', wanted } });
  });
});
