import { Scope, systemClock } from '@plugboard/base';
import { scriptedServer, startScriptedHttp } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { clientSession, open } from '../../../src/protocol/index.ts';
import type { FrameRecord, Launch } from '../../../src/protocol/index.ts';

class HeardFrames {
  readonly keeps: 'metadata' | 'bodies';
  readonly frames: FrameRecord[] = [];
  said = '';

  constructor(keeps: 'metadata' | 'bodies' = 'metadata') {
    this.keeps = keeps;
  }

  frame(record: FrameRecord): void {
    this.frames.push(record);
  }

  stderr(text: string): void {
    this.said += text;
  }

  stray(line: string): void {
    this.said += line;
  }

  /** The frames without values that differ between runs. */
  get lines(): readonly string[] {
    return this.frames.map(({ direction, kind, method = '-', id = '-', code = '-' }) =>
      [direction, kind, method, id, code].join(' '),
    );
  }
}

async function echoOnce(launch: Launch, recorder: HeardFrames): Promise<void> {
  await using scope = new Scope();
  const opened = await open(
    launch,
    { signal: scope.signal, timeoutMs: 60_000 },
    {
      establish: clientSession,
      clock: systemClock,
      ledger: undefined,
      client: { name: 'test', version: '1' },
      inbound: {},
      recorder,
    },
  );
  if (!opened.ok) return;
  const limits = { signal: scope.signal, idleMs: 60_000, hardMs: 60_000 };
  await opened.value.callTool({ name: 'echo', arguments: { message: 'hi' } }, limits);
  await opened.value.callTool({ name: 'rpc-error', arguments: {} }, limits);
  await opened.value.close();
}

function stdio(script: Parameters<typeof scriptedServer>[0]): Launch {
  const { command, args } = scriptedServer(script);
  return { kind: 'stdio', command, args, env: {}, cwd: undefined, era: 'legacy' };
}

describe('a trace', () => {
  it('contains every message with its direction, kind, method and number', async () => {
    const heard = new HeardFrames();
    await echoOnce(stdio({}), heard);
    expect(heard.lines).toEqual([
      'sent request initialize 0 -',
      'received result initialize 0 -',
      'sent notification notifications/initialized - -',
      'sent request tools/call 1 -',
      'received result tools/call 1 -',
      'sent request tools/call 2 -',
      expect.stringMatching(/^received error tools\/call 2 -\d+$/),
    ]);
    for (const { at, bytes, direction, kind, ms, body } of heard.frames) {
      expect(bytes).toBeGreaterThan(30);
      expect(Math.abs(systemClock.now() - at)).toBeLessThan(60_000);
      expect(typeof ms).toBe(
        direction === 'received' && kind !== 'request' ? 'number' : 'undefined',
      );
      expect(body).toBeUndefined();
    }
  });

  it('contains the status with which a server refused a request', async () => {
    await using refusing = await startScriptedHttp({ http: { status: 500 } });
    const heard = new HeardFrames();
    const launch = { kind: 'http', url: refusing.url, headers: {}, era: 'legacy' } as const;
    await echoOnce(launch, heard);
    expect(heard.lines).toEqual(['sent request initialize 0 -', 'sent failed initialize 0 500']);
  });

  it('contains the bodies of messages only if the recorder keeps them', async () => {
    const heard = new HeardFrames('bodies');
    await echoOnce(stdio({}), heard);
    expect(heard.frames[3]?.body).toContain('"message":"hi"');
  });

  it('contains the stderr of a local server', async () => {
    const heard = new HeardFrames();
    await echoOnce(stdio({ exitAtStart: { exit: 1, stderr: 'no key\n' } }), heard);
    expect(heard.said).toBe('no key\n');
  });
});
