import { Scope } from '@plugboard/base';
import { isAlive, processTree, scriptedServer, verifies, waitUntil } from '@plugboard/testkit';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { callUnderWay, pidOf, sharedHosts, textOf } from './shared-hosts.ts';

const SECRET = 'not-for-anybody-else-42';

function shared(script: Parameters<typeof scriptedServer>[0] = {}): object {
  return { ...scriptedServer(script), shared: true };
}

describe('a server that hosts share', () => {
  it('is one process for all of them', async () => {
    verifies('CON-12');
    await using scope = new Scope();
    const hosts = await sharedHosts(scope);
    const entry = { s: shared() };
    const first = await hosts.host(entry);
    const second = await hosts.host(entry);
    const pid = await pidOf(first);
    expect(await pidOf(second)).toBe(pid);
    expect(await hosts.running()).toMatchObject([{ name: 's', serverPid: pid, clients: 2 }]);
  });

  it('keeps its state when its first host has closed', async () => {
    verifies('CON-12');
    await using scope = new Scope();
    const hosts = await sharedHosts(scope);
    const entry = { s: shared({ library: { resources: [{ uri: 'n://count', name: 'count' }] } }) };
    const read = async (): Promise<string> => {
      await using host = await hosts.host(entry);
      const answer = await host.resources.read({ server: 's', uri: 'n://count' });
      return JSON.stringify(answer);
    };
    const first = await read();
    const second = await read();
    expect(first).not.toBe(second);
    expect([first, second].map((text) => /"text":"([^"]*)"/.exec(text)?.[1])).toEqual([
      'read 1',
      'read 2',
    ]);
  });

  it('is started once by eight hosts that need it at the same moment', async () => {
    verifies('CON-12');
    await using scope = new Scope();
    const hosts = await sharedHosts(scope);
    const entry = { s: shared() };
    const all = await Promise.all(Array.from({ length: 8 }, () => hosts.host(entry)));
    const pids = await Promise.all(all.map((host) => pidOf(host)));
    expect(new Set(pids).size).toBe(1);
    expect(await hosts.running()).toMatchObject([{ clients: 8 }]);
  });

  it('is another process for an entry that differs in the value of one variable', async () => {
    verifies('CON-12');
    await using scope = new Scope();
    const hosts = await sharedHosts(scope);
    const one = await hosts.host({ s: { ...shared(), env: { TOKEN: SECRET } } });
    const other = await hosts.host({ s: { ...shared(), env: { TOKEN: `${SECRET}1` } } });
    expect(await pidOf(one)).not.toBe(await pidOf(other));
    expect(await hosts.running()).toHaveLength(2);
  });

  it('is another process for a host with other roots, also when they change', async () => {
    verifies('CON-12');
    await using scope = new Scope();
    const hosts = await sharedHosts(scope);
    const entry = { s: shared() };
    const one = await hosts.host(entry, { roots: ['/one'] });
    const other = await hosts.host(entry, { roots: ['/other'] });
    const pid = await pidOf(one);
    const others = await pidOf(other);
    expect(others).not.toBe(pid);
    other.roots.set(['/one']);
    expect(await pidOf(other)).toBe(pid);
  });

  it('leaves no secret where other users could read it', async () => {
    verifies('CON-12');
    await using scope = new Scope();
    const hosts = await sharedHosts(scope);
    const host = await hosts.host({ s: { ...shared(), env: { TOKEN: SECRET } } });
    const server = await pidOf(host);
    expect(textOf(await host.call({ server: 's', tool: 'env' }, {}))).toContain(SECRET);
    const [broker] = await hosts.running();
    const [own] = processTree(broker?.pid ?? 0);
    expect(own?.command).not.toContain(SECRET);
    expect(await readFile(`/proc/${broker?.pid}/environ`, 'utf8')).toBe('');
    expect(processTree(server)[0]?.command).not.toContain(SECRET);
    // No more writes happen after that; the broker continues.
    await host.close();
    const files = (await readdir(hosts.state, { recursive: true, withFileTypes: true })).filter(
      (file) => file.isFile(),
    );
    expect(files.length).toBeGreaterThan(0);
    for (const { parentPath, name } of files) {
      expect(`${name} ${await readFile(join(parentPath, name), 'latin1')}`).not.toContain(SECRET);
    }
  });

  it('ends when no host used it for a while', async () => {
    verifies('CON-12');
    await using scope = new Scope();
    const hosts = await sharedHosts(scope);
    const host = await hosts.host(
      { s: shared({ grandchildren: 2 }) },
      { upkeep: { idleStopMs: 50 } },
    );
    const pid = await pidOf(host);
    const tree = processTree(pid);
    expect(tree).toHaveLength(3);
    await host.close();
    const isOver = (): boolean => tree.every((each) => !isAlive(each.pid));
    await waitUntil(isOver, { describe: 'the server and all that it started to be gone' });
    expect(await hosts.running()).toEqual([]);
  });

  it('passes its stderr to each host when it fails', async () => {
    verifies('CON-12');
    await using scope = new Scope();
    const hosts = await sharedHosts(scope);
    const entry = { s: shared({ crashOn: { tool: 'add', exit: 3, stderr: 'out of ideas' } }) };
    const one = await hosts.host(entry);
    const other = await hosts.host(entry);
    await pidOf(other);
    const waiting = await callUnderWay(other);
    const outcomes = await Promise.all([
      one.call({ server: 's', tool: 'add' }, { a: 1, b: 2 }),
      waiting.outcome,
    ]);
    const exited = { kind: 'exited', exit: { code: 3, signal: null } };
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({ kind: 'not-connected', reason: exited });
      expect(JSON.stringify(outcome)).toContain('out of ideas');
    }
    // The next call starts another one, for both.
    expect(await pidOf(one)).toBe(await pidOf(other));
  });

  it('is not reached if its program does not start, and leaves nothing behind', async () => {
    await using scope = new Scope();
    const hosts = await sharedHosts(scope);
    const host = await hosts.host({ s: { command: '/no/such/program', shared: true } });
    expect(await host.call({ server: 's', tool: 'echo' }, {})).toMatchObject({
      kind: 'not-connected',
      reason: { kind: 'command-not-found' },
    });
    expect(await hosts.running()).toEqual([]);
  });

  it('is reached in the modern era if it speaks no other', async () => {
    verifies('CON-12');
    await using scope = new Scope();
    const hosts = await sharedHosts(scope);
    const entry = { s: shared({ eras: ['modern'] }) };
    const one = await hosts.host(entry);
    const other = await hosts.host(entry);
    expect(await pidOf(one)).toBe(await pidOf(other));
    // The process of the failed attempt is not kept.
    await waitUntil(async () => (await hosts.running()).length === 1, { describe: 'one broker' });
  });
});
