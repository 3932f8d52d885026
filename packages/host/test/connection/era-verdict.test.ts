import { ok, Scope, systemClock } from '@plugboard/base';
import {
  scriptedServer,
  type ScriptedHttpServer,
  startScriptedHttp,
  verifies,
} from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import type { ConnectionMemory } from '../../src/connection/connection-memory.ts';
import type { EraVerdict } from '../../src/connection/era-verdict.ts';
import { openRemembering } from '../../src/connection/open-remembering.ts';
import { clientSession } from '../../src/protocol/index.ts';
import type { EraPreference, Launch } from '../../src/protocol/neutral/launch.ts';

const DAY_MS = 24 * 60 * 60_000;
const NOW = 1_800_000_000_000;
const clock = { ...systemClock, now: () => NOW };

class Memory implements ConnectionMemory {
  readonly verdicts = new Map<string, EraVerdict>();
  constructor(verdict?: EraVerdict) {
    if (verdict !== undefined) this.verdicts.set('print', verdict);
  }
  get kept(): EraVerdict | undefined {
    return this.verdicts.get('print');
  }
  verdict(fingerprint: string): Promise<EraVerdict | undefined> {
    return Promise.resolve(this.verdicts.get(fingerprint));
  }
  saveVerdict(fingerprint: string, verdict: EraVerdict | undefined): void {
    if (verdict === undefined) this.verdicts.delete(fingerprint);
    else this.verdicts.set(fingerprint, verdict);
  }
  asksRoots(): Promise<boolean> {
    return Promise.resolve(false);
  }
  noteRoots(): void {}
}

/** Opens a session, and returns its era or the kind of the failure. */
async function openedEra(launch: Launch, memory: Memory, timeoutMs = 20_000): Promise<unknown> {
  await using scope = new Scope();
  const opened = await openRemembering(
    { launch, fingerprint: 'print' },
    { signal: scope.signal, timeoutMs },
    {
      clock,
      memory,
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
    const memory = new Memory();
    expect(await openedEra(http(legacy), memory)).toEqual(ok('legacy'));
    expect(memory.kept).toEqual({ era: 'legacy', at: NOW });
    expect(asked(legacy)).toEqual(['server/discover', ...LEGACY_STEPS]);
  });

  it('is not detected again within a day, and the verdict is not renewed by its use', async () => {
    await using legacy = await startScriptedHttp({ eras: ['legacy'] });
    const verdict = { era: 'legacy', at: NOW - DAY_MS + 1000 } as const;
    const memory = new Memory(verdict);
    expect(await openedEra(http(legacy), memory)).toEqual(ok('legacy'));
    expect(asked(legacy)).toEqual(LEGACY_STEPS);
    expect(memory.kept).toEqual(verdict);
  });

  it('is detected again after a day', async () => {
    await using dual = await startScriptedHttp();
    const memory = new Memory({ era: 'legacy', at: NOW - DAY_MS });
    expect(await openedEra(http(dual), memory)).toEqual(ok('modern'));
    expect(memory.kept).toEqual({ era: 'modern', at: NOW });
  });

  it.for([
    ['legacy', 'modern'],
    ['modern', 'legacy'],
  ] as const)('is detected again when a %s verdict fails', async ([old, now]) => {
    await using server = await startScriptedHttp({ eras: [now] });
    const memory = new Memory({ era: old, at: NOW - 1000 });
    expect(await openedEra(http(server), memory)).toEqual(ok(now));
    expect(memory.kept).toEqual({ era: now, at: NOW });
  });

  it('stays stored while the server cannot be reached', async () => {
    const server = await startScriptedHttp();
    await server.close();
    const verdict = { era: 'modern', at: NOW } as const;
    const memory = new Memory(verdict);
    expect(await openedEra(http(server), memory)).toMatchObject({ error: { kind: 'unreachable' } });
    expect(memory.kept).toEqual(verdict);
  });

  it('is not detected if the entry states it', async () => {
    await using dual = await startScriptedHttp();
    const memory = new Memory({ era: 'modern', at: NOW });
    expect(await openedEra(http(dual, 'legacy'), memory)).toEqual(ok('legacy'));
    expect(memory.kept).toEqual({ era: 'modern', at: NOW });
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
    const memory = new Memory();
    expect(await openedEra(stdio({}, 'modern'), memory)).toEqual(ok('modern'));
    expect(memory.kept).toBeUndefined();
    expect(await openedEra(stdio({}), memory)).toEqual(ok('legacy'));
  });

  it('is modern, and stored as such, if the server refuses the legacy era', async () => {
    const memory = new Memory();
    expect(await openedEra(stdio({ eras: ['modern'] }), memory)).toEqual(ok('modern'));
    expect(memory.kept).toEqual({ era: 'modern', at: NOW });
  });

  it('is detected again when a modern verdict fails', async () => {
    const memory = new Memory({ era: 'modern', at: NOW });
    expect(await openedEra(stdio({ eras: ['legacy'] }), memory)).toEqual(ok('legacy'));
    expect(memory.kept).toEqual({ era: 'legacy', at: NOW });
  });

  it('is unknown when a server stays silent, and all attempts share one deadline', async () => {
    const memory = new Memory({ era: 'modern', at: NOW });
    expect(await openedEra(stdio({ silent: true }), memory, 800)).toMatchObject({
      error: { kind: 'timeout', ms: 800 },
    });
    expect(memory.kept).toBeUndefined();
  });

  it.for([
    ['legacy', 'modern'],
    ['modern', 'legacy'],
  ] as const)('causes a wrong-era failure if the entry requires %s', async ([wanted, spoken]) => {
    const failed = await openedEra(stdio({ eras: [spoken] }, wanted), new Memory());
    expect(failed).toMatchObject({ error: { kind: 'wrong-era', wanted } });
  });
});
