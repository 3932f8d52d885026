// The roots that servers receive: those of the program, kept current, and withheld from remote servers.

import { Scope } from '@plugboard/base';
import { filesystem, tempFolder, verifies, waitUntil } from '@plugboard/testkit';
import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { Host } from '../../src/host/index.ts';
import { hostEnvironment } from '../../src/platform/index.ts';
import { askedBy, askingCells, heardBy } from './asking-peers.ts';
import { givenHost } from './given-host.ts';

const LIST = { method: 'roots/list', params: {} };
const CHANGED = 'notifications/roots/list_changed';

function rootAt(path: string): { readonly uri: string; readonly name: string } {
  return { uri: pathToFileURL(path).href, name: basename(path) };
}

describe.each(askingCells)('the roots for a server over $name', ({ era, isRemote, entry }) => {
  it('are the current ones whenever the server asks', async () => {
    verifies('INB-04');
    await using scope = new Scope();
    const folder = scope.use(await tempFolder());
    await folder.mkdir('some where');
    const cwd = `${folder.path}/some where`;
    const peer = { ...(await entry(scope)), roots: true };
    const host = await givenHost(scope, { peer }, { cwd });
    expect(await askedBy(host, LIST)).toEqual([{ roots: [rootAt(cwd)] }]);
    host.roots.set(['/a', { path: '/b', name: 'the other one' }]);
    expect(await askedBy(host, LIST)).toEqual([
      { roots: [rootAt('/a'), { uri: 'file:///b', name: 'the other one' }] },
    ]);
    host.roots.add('/c');
    host.roots.remove('/a');
    expect(await askedBy(host, LIST)).toEqual([
      { roots: [{ uri: 'file:///b', name: 'the other one' }, rootAt('/c')] },
    ]);
    // 2026-07-28 has no such notification: a server asks in each call.
    const times = era === 'legacy' ? 3 : 0;
    const said = async (): Promise<number> =>
      (await heardBy(host)).notifications.filter((method) => method === CHANGED).length;
    await waitUntil(async () => (await said()) >= times, { describe: 'the notifications' });
    expect(await said()).toBe(times);
  });

  it('are sent to a local server, and not to a remote one', async () => {
    verifies('INB-04');
    await using scope = new Scope();
    const { path: cwd } = scope.use(await tempFolder());
    const host = await givenHost(scope, { peer: await entry(scope) }, { cwd });
    const { capabilities } = await heardBy(host);
    const asked = JSON.stringify(await askedBy(host, LIST));
    expect([capabilities['roots'] !== undefined, asked.includes(cwd)]).toEqual(
      isRemote ? [false, false] : [true, true],
    );
  });

  it('are withheld from a server whose entry says so', async () => {
    await using scope = new Scope();
    const peer = { ...(await entry(scope)), roots: false };
    const host = await givenHost(scope, { peer });
    expect((await heardBy(host)).capabilities).not.toHaveProperty('roots');
  });
});

describe('an ended session', () => {
  it('receives no further notification of changed roots', async () => {
    await using scope = new Scope();
    const [stdio] = askingCells;
    if (stdio === undefined) throw new Error('no cell');
    const host = await givenHost(scope, { peer: await stdio.entry(scope) });
    await heardBy(host);
    await host.call({ server: 'peer', tool: 'exit' }, { code: 1 });
    await waitUntil(() => host.servers[0]?.state.kind === 'failed', { describe: 'the crash' });
    host.roots.set(['/elsewhere']);
    expect(await askedBy(host, LIST)).toEqual([{ roots: [rootAt('/elsewhere')] }]);
    expect((await heardBy(host)).notifications).toEqual(['notifications/initialized']);
  });
});

describe('the published filesystem server', () => {
  it('works in the current roots', async () => {
    verifies('INB-04');
    await using scope = new Scope();
    const first = scope.use(await tempFolder());
    const second = scope.use(await tempFolder());
    await first.write('one.txt', 'one');
    await second.write('two.txt', 'two');
    const host = await givenHost(scope, { files: filesystem(first.path) }, { roots: [first.path] });
    const paths = [`${first.path}/one.txt`, `${second.path}/two.txt`] as const;
    expect(await readBoth(host, paths)).toEqual(['result', 'tool-error']);
    host.roots.set([second.path]);
    await untilReadable(host, paths[1]);
    expect(await readBoth(host, paths)).toEqual(['tool-error', 'result']);
    host.roots.add(first.path);
    await untilReadable(host, paths[0]);
    expect(await readBoth(host, paths)).toEqual(['result', 'result']);
  });
});

describe('a server that requests the roots on connecting', () => {
  it('receives them before the first call of a later run', async () => {
    verifies('INB-04');
    await using scope = new Scope();
    const folder = scope.use(await tempFolder());
    await folder.write('one.txt', 'one');
    const { paths, ...rest } = hostEnvironment();
    const environment = { ...rest, paths: { ...paths, state: folder.path, cache: folder.path } };
    const { command, args } = filesystem(folder.path);
    // Without its own folders it uses the roots.
    const files = { command, args: args.slice(0, 1) };
    const options = { environment, roots: [folder.path] };
    const first = await givenHost(scope, { files }, options);
    await first.tools();
    await waitUntil(() => methods(first).includes('roots/list'), { describe: 'the question' });
    await first.close();

    const second = await givenHost(scope, { files }, options);
    await read(second, `${folder.path}/one.txt`);
    expect(methods(second).filter(isAboutCalls)).toEqual(['roots/list', 'ping', 'tools/call']);
  });
});

/** The requests in both directions, in their order. */
function methods(host: Host): readonly string[] {
  return host
    .trace('files')
    .flatMap(({ kind, method }) => (kind === 'request' && method !== undefined ? [method] : []));
}

function isAboutCalls(method: string): boolean {
  return method === 'roots/list' || method === 'ping' || method === 'tools/call';
}

async function readBoth(host: Host, paths: readonly string[]): Promise<readonly string[]> {
  return Promise.all(paths.map((path) => read(host, path)));
}

async function read(host: Host, path: string): Promise<string> {
  return (await host.call({ server: 'files', tool: 'read_text_file' }, { path })).kind;
}

/** The server requests them once it has been notified of a change. */
async function untilReadable(host: Host, path: string): Promise<void> {
  await waitUntil(async () => (await read(host, path)) === 'result', {
    describe: `${path} to be readable`,
  });
}
