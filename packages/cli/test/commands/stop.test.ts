import {
  allProcesses,
  everything,
  isAlive,
  memory,
  scriptedServer,
  type StdioEntry,
  tempFolder,
  verifies,
  waitUntil,
} from '@plugboard/testkit';
import { chmod } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { documentOf, type Sandbox, sandbox } from '../sandbox.ts';

interface ShownServers {
  readonly shared: readonly { readonly pid: number; readonly serverPid: number; clients: number }[];
}

/** A sandbox that also stops its shared servers. */
async function sharing(entries: Readonly<Record<string, StdioEntry>>): Promise<Sandbox> {
  const shared = Object.entries(entries).map(([name, entry]) => [name, { ...entry, shared: true }]);
  const box = await sandbox(Object.fromEntries(shared) as Record<string, object>);
  return {
    ...box,
    async [Symbol.asyncDispose]() {
      await box.run(['stop']);
      await box[Symbol.asyncDispose]();
    },
  };
}

async function call(box: Sandbox, ...words: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await box.run(['call', ...words, '--yes']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
}

async function shownOf(box: Sandbox, name: string): Promise<ShownServers> {
  return documentOf(await box.run(['get', name, '--json'])) as ShownServers;
}

describe('a shared server on the command line', () => {
  verifies('CON-12');

  it('is the same process for two calls, and is shown and stopped', async () => {
    await using box = await sharing({ s: scriptedServer() });
    const first = await call(box, 's', 'pids');
    expect(await call(box, 's', 'pids')).toBe(first);
    const { pid } = JSON.parse(first) as { pid: number };
    const { shared } = await shownOf(box, 's');
    expect(shared).toMatchObject([{ serverPid: pid, clients: 0 }]);
    expect((await box.run(['list'])).stdout).toMatch(/^s +running/m);
    expect((await box.run(['get', 's'])).stdout).toMatch(
      new RegExp(`shared +yes; process ${pid}, started less than a minute ago, not in use`),
    );
    const doctor = (await box.run(['doctor', 's'])).stdout;
    expect(doctor.replaceAll(/\s+/g, ' ')).toContain(`ok process shared: process ${pid}`);
    expect(await box.run(['stop', 's'])).toEqual({
      code: 0,
      stdout: 'Stopped "s"; not in use.\n',
      stderr: '',
    });
    expect(isAlive(pid)).toBe(false);
    expect(isAlive(shared[0]?.pid ?? 0)).toBe(false);
    expect((await shownOf(box, 's')).shared).toEqual([]);
    expect((await box.run(['stop', 's'])).stderr).toBe('"s" is not running as a shared server.\n');
  });

  it('keeps its memory from one command to the next', async () => {
    const resources = [{ uri: 'n://count', name: 'count' }];
    await using box = await sharing({ s: scriptedServer({ library: { resources } }) });
    const read = async (): Promise<string> => (await box.run(['read', 'n://count'])).stdout;
    expect([await read(), await read()]).toEqual(['read 1\n', 'read 2\n']);
  });

  it('works with published servers', async () => {
    await using folder = await tempFolder();
    const file = `${folder.path}/memory.json`;
    await using box = await sharing({ memory: memory(file), everything: everything() });
    expect(await call(box, 'everything', 'echo', 'message=hi')).toBe('Echo: hi\n');
    const entities = [{ name: 'ada', entityType: 'person', observations: ['counts'] }];
    await call(box, 'memory', 'create_entities', `entities:=${JSON.stringify(entities)}`);
    const { shared } = await shownOf(box, 'memory');
    expect(await call(box, 'memory', 'read_graph')).toContain('counts');
    expect((await shownOf(box, 'memory')).shared).toEqual(shared);
  });

  it('has its log stored, including output without a connected client', async () => {
    await using box = await sharing({ s: scriptedServer({ grandchildren: 1 }) });
    await call(box, 's', 'pids');
    const logs = async (): Promise<string> => (await box.run(['logs', 's'])).stdout;
    await waitUntil(async () => (await logs()).includes('stderr'), { describe: 'the log' });
    await call(box, 's', 'pids');
    // Each line is stored once, also with several commands.
    expect((await logs()).trim().split('\n')).toHaveLength(1);
  });

  it('is replaced when its entry changes, and the old process ends at once', async () => {
    await using box = await sharing({ s: scriptedServer() });
    const { pid } = JSON.parse(await call(box, 's', 'pids')) as { pid: number };
    await box.servers({ s: { ...scriptedServer({ instructions: 'new' }), shared: true } });
    const next = JSON.parse(await call(box, 's', 'pids')) as { pid: number };
    expect(next.pid).not.toBe(pid);
    await waitUntil(() => !isAlive(pid), { describe: 'the old server to be gone' });
  });

  it('is not stopped by the name of a server that does not exist, which is an error', async () => {
    await using box = await sharing({ memory: scriptedServer() });
    const unknown = await box.run(['stop', 'nope']);
    expect(unknown).toEqual({
      code: 1,
      stdout: '',
      stderr: 'error: there is no server "nope"\n  fix: see the list: plugboard list\n',
    });
    const inJson = await box.run(['stop', 'nope', '--json']);
    expect(inJson.code).toBe(1);
    expect(JSON.parse(inJson.stdout)).toMatchObject({ error: { kind: 'unknown-server' } });
  });

  it('is the nearest name of a mistyped one while it runs, also for another folder', async () => {
    await using box = await sharing({ memory: scriptedServer() });
    await call(box, 'memory', 'pids');
    await box.servers({});
    const { code, stderr } = await box.run(['stop', 'memori']);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'error: there is no server "memori"\n  fix: did you mean "memory"?\n',
    });
    expect((await box.run(['stop', 'memory'])).stdout).toBe('Stopped "memory"; not in use.\n');
  });

  it('is stopped with all others, with a JSON document', async () => {
    await using box = await sharing({
      one: scriptedServer(),
      two: scriptedServer({ chatty: true }),
    });
    await call(box, 'one', 'pids');
    await call(box, 'two', 'pids');
    const stopped = documentOf(await box.run(['stop', '--json']));
    expect(stopped).toMatchObject({
      stopped: [
        { name: 'one', clients: 0 },
        { name: 'two', clients: 0 },
      ],
      left: [],
    });
    const own = (command: string): boolean => command.includes('broker.cjs');
    const { stopped: ended } = stopped as { stopped: readonly { pid: number }[] };
    const alive = allProcesses().filter(({ command }) => own(command));
    expect(alive.filter(({ pid }) => ended.some((each) => each.pid === pid))).toEqual([]);
    expect(documentOf(await box.run(['stop', '--json']))).toEqual({ stopped: [], left: [] });
  });

  it('is reported with the cause and the place if its folder is open to others', async () => {
    await using box = await sharing({ s: scriptedServer() });
    await call(box, 's', 'pids');
    const folder = `${box.home}/.state/plugboard/shared`;
    await chmod(folder, 0o755);
    const { code, stderr } = await box.run(['call', 's', 'pids', '--yes']);
    await chmod(folder, 0o700);
    expect(code).toBe(2);
    expect(stderr).toContain(`cannot be shared: ${folder} is open to other users`);
    expect(stderr).toContain(`rm -r ${folder}`);
  });
});
