import { Scope, silentLogger } from '@plugboard/base';
import { ManualClock, scriptedServer, tempFolder } from '@plugboard/testkit';
import * as fc from 'fast-check';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fingerprintOf, readLog, readTrace, recordFiles } from '../../src/recorded.ts';
import { hostEnvironment } from '../../src/platform/index.ts';
import { Records } from '../../src/records/index.ts';
import { Ring } from '../../src/records/server-records.ts';
import { givenHost } from '../host/given-host.ts';

const SERVER = { name: 'db', fingerprint: 'print' };
const frame = { direction: 'sent', kind: 'request', method: 'ping', bytes: 5 } as const;

describe('a ring buffer', () => {
  it('has the latest items up to its size, oldest first', () => {
    fc.assert(
      fc.property(fc.array(fc.integer()), fc.integer({ min: 1, max: 10 }), (items, capacity) => {
        const ring = new Ring<number>(capacity);
        for (const item of items) ring.push(item);
        expect(ring.items()).toEqual(items.slice(-capacity));
      }),
    );
  });
});

describe('the records of a server', () => {
  it('are available to later runs: frames, stderr by lines, and log messages', async () => {
    await using folder = await tempFolder();
    const clock = new ManualClock();
    const at = clock.now();
    const records = new Records({
      state: folder.path,
      keep: 'metadata',
      clock,
      logger: silentLogger,
    });
    const server = records.add(SERVER);
    server.frame({ ...frame, at });
    server.stderr('first li');
    server.stderr('ne\n\nsecond');
    server.stray('on the wrong stream\r');
    server.log({ level: 'warning', logger: 'pool', data: { left: 1 } });
    await records.settled();
    expect(server.frames).toEqual([{ ...frame, at }]);
    const files = recordFiles(folder.path, SERVER);
    expect(await readTrace(files.trace, 10)).toEqual([{ ...frame, at }]);
    expect(await readLog(files.log, 10)).toEqual([
      { at, source: 'stderr', text: 'first line' },
      { at, source: 'stdout', text: 'on the wrong stream' },
      { at, source: 'log', level: 'warning', text: 'pool: {"left":1}' },
      { at, source: 'stderr', text: 'second' },
    ]);
    expect(await readLog(files.log, 1)).toHaveLength(1);
  });

  it('are read past broken lines and past the end of a full file', async () => {
    await using folder = await tempFolder();
    const line = (at: number): string => JSON.stringify({ ...frame, at });
    await folder.write('t.1', `${line(1)}\n`);
    await folder.write('t', `${line(2)}\n{"at":3}\nnot JSON\n${line(4)}\n{"at":5,"dir`);
    const read = await readTrace(join(folder.path, 't'), 10);
    expect(read.map(({ at }) => at)).toEqual([1, 2, 4]);
  });

  it('are bounded on disk, however much a server writes', async () => {
    await using folder = await tempFolder();
    const records = new Records({
      state: folder.path,
      keep: 'metadata',
      clock: new ManualClock(),
      logger: silentLogger,
    });
    const server = records.add(SERVER);
    for (let round = 0; round < 20; round += 1) {
      server.stderr(`${'x'.repeat(1000)}\n`.repeat(300));
      await records.settled();
    }
    const { log } = recordFiles(folder.path, SERVER);
    expect(await readdir(join(folder.path, 'logs'))).toHaveLength(2);
    expect((await readLog(log, 100_000)).length).toBeLessThan(700);
  });

  it('cover all traffic of a host, and are written when it closes', async () => {
    await using scope = new Scope();
    const folder = scope.use(await tempFolder());
    const { paths, ...rest } = hostEnvironment();
    const environment = { ...rest, paths: { ...paths, state: folder.path, cache: folder.path } };
    const script = {
      capabilities: { tools: {}, logging: {} },
      logsOnCall: 'working on it',
      stderrFlood: 100,
      chatty: true,
    };
    const entry = scriptedServer(script);
    const host = await givenHost(scope, { s: entry }, { environment });
    await host.call('mcp__s__echo', { message: 'hi' });
    const methods = host.trace('s').map(({ kind, method = '' }) => `${kind} ${method}`);
    expect(methods).toContain('request tools/call');
    expect(host.trace('nobody')).toEqual([]);
    await host.close();
    const common = { disabled: false, required: false, alwaysLoad: false };
    const fingerprint = fingerprintOf(
      { ...common, kind: 'stdio', ...entry, env: {}, cwd: join(folder.path, 'neutral') },
      environment.cwd,
    );
    const files = recordFiles(folder.path, { name: 's', fingerprint: fingerprint ?? '' });
    expect(await readTrace(files.trace, 1000)).toEqual(
      host.trace('s').map((one) => JSON.parse(JSON.stringify(one)) as unknown),
    );
    const lines = await readLog(files.log, 1000);
    expect(lines.map(({ source, text }) => `${source} ${text}`)).toContain(
      'log scripted: working on it',
    );
    expect(lines.some(({ source }) => source === 'stderr')).toBe(true);
    expect(lines).toContainEqual(
      expect.objectContaining({ source: 'stdout', text: 'not a message, just talk' }),
    );
  });
});
