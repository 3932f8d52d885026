import { join } from 'node:path';
import { expect, it } from 'vitest';
import { scriptedServer } from '../src/scripted-server.ts';
import { tempFolder } from '../src/temp-folder.ts';
import { readTap, tapped } from '../src/wire-tap.ts';
import { RawClient } from './raw-client.ts';

it('the wire tap passes bytes through unchanged and records every line of both directions', async () => {
  await using folder = await tempFolder();
  const log = join(folder.path, 'tap.ndjson');
  await using client = new RawClient(tapped(log, scriptedServer({ chatty: true })));
  await client.call('echo', { message: 'grüße' });
  await client.call('big', { bytes: 200_000 });
  const frames = await readTap(log);
  const toClient = frames.filter(({ direction }) => direction === 'to-client');
  expect(toClient.map(({ text }) => text)).toEqual(client.lines);
  expect(toClient.map(({ bytes }) => bytes)).toEqual(
    client.lines.map((line) => Buffer.byteLength(line) + 1),
  );
  const toServer = frames.filter(({ direction }) => direction === 'to-server');
  expect(toServer.map(({ text }) => (JSON.parse(text) as { id: number }).id)).toEqual([1, 2]);
});

it('the wire tap ends as the server ends: by code, by signal, by the end of stdin', async () => {
  await using folder = await tempFolder();
  const log = join(folder.path, 'tap.ndjson');
  await using exiting = new RawClient(tapped(log, scriptedServer({ exitAtStart: { exit: 5 } })));
  expect(await exiting.ended).toEqual({ code: 5, signal: null });
  expect(await readTap(log)).toEqual([]);

  await using killed = new RawClient(tapped(log, scriptedServer()));
  await killed.call('echo', { message: 'ready' });
  killed.process.kill('SIGTERM');
  expect(await killed.ended).toEqual({ code: null, signal: 'SIGTERM' });

  await using closed = new RawClient(tapped(log, scriptedServer()));
  closed.process.stdin!.end();
  expect(await closed.ended).toEqual({ code: 0, signal: null });
});

it('the wire tap reports why it cannot start', async () => {
  await using folder = await tempFolder();
  const log = join(folder.path, 'tap.ndjson');
  await using absent = new RawClient(tapped(log, { command: '/no/such/program', args: [] }));
  expect((await absent.ended).code).toBe(127);
  expect(absent.stderr).toContain('/no/such/program');
  await using misused = new RawClient(tapped(log, { command: '', args: [] }));
  expect((await misused.ended).code).not.toBe(0);
});
