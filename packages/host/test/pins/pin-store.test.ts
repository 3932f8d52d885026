import { systemClock } from '@plugboard/base';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, readdir, rename, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { tempFolder, verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { changePins, keysOf, removePins } from '../../src/pins/pin-edits.ts';
import { hashOf, PinStore } from '../../src/pins/pin-store.ts';
import { nothingPinned, type PinnedServer, withPins } from '../../src/pins/pinned-server.ts';

const KEY = 'a'.repeat(40);
const READ = { name: 'read', description: 'Reads a file.' };
const PROGRAM = fileURLToPath(new URL('./fixtures/first-list.mjs', import.meta.url));

function pinned(server = 's'): PinnedServer {
  const pins = [{ kind: 'tool', name: READ.name, hash: hashOf(READ) }] as const;
  return withPins(nothingPinned(server), pins, { baselines: ['tool'], at: 1 });
}

function write(store: PinStore, key = KEY, pins = pinned()): ReturnType<typeof changePins> {
  return changePins(store, {
    key,
    clock: systemClock,
    edit: () => ({ pins, definitions: [READ] }),
  });
}

describe('the pin store', () => {
  verifies('POL-05');

  it('keeps pins and definitions readable by the user only', async () => {
    await using folder = await tempFolder();
    const store = new PinStore(folder.path);
    expect(await store.read(KEY)).toEqual({ ok: true, value: undefined });
    expect(await write(store)).toEqual({ ok: true, value: undefined });
    expect(await store.read(KEY)).toEqual({ ok: true, value: pinned() });
    expect(await store.definitions(KEY)).toEqual(new Map([[hashOf(READ), READ]]));
    const files = await readdir(store.folder);
    expect(files.toSorted()).toEqual([`${KEY}.definitions.json`, `${KEY}.json`]);
    const modes = await Promise.all(files.map((file) => stat(join(store.folder, file))));
    expect(modes.map(({ mode }) => mode & 0o777)).toEqual([0o600, 0o600]);
  });

  it.each([
    ['broken', 'broken', async (file: string, put: Write) => void (await put(file, '{'))],
    ['a link', 'link', async (file: string) => linked(file)],
    ['of another user', 'foreign', async (file: string) => chown(file, 12_345, 12_345)],
    ['open to others', 'open-to-others', async (file: string) => chmod(file, 0o666)],
  ] as const)('ignores a file that is %s', async (_, reason, spoil) => {
    await using folder = await tempFolder();
    const store = new PinStore(folder.path);
    await write(store);
    await spoil(store.fileOf(KEY), (file, text) =>
      folder.write(file.slice(folder.path.length + 1), text),
    );
    expect(await store.read(KEY)).toEqual({
      ok: false,
      error: { kind: 'unreadable', file: store.fileOf(KEY), reason },
    });
    // A new acceptance replaces the link, not its target.
    expect(await write(store)).toEqual({ ok: true, value: undefined });
    expect(await store.read(KEY)).toEqual({ ok: true, value: pinned() });
  });

  it('is not searched in the current folder', async () => {
    expect(await new PinStore('state').read(KEY)).toMatchObject({
      ok: false,
      error: { reason: 'relative' },
    });
  });

  it('returns no definition that was not accepted', async () => {
    await using folder = await tempFolder();
    const store = new PinStore(folder.path);
    await write(store);
    const file = `pins/${KEY}.definitions.json`;
    await folder.write(file, (await folder.read(file)).replace('Reads', 'Writes'));
    expect((await store.definitions(KEY)).get(hashOf(READ))).toBeUndefined();
  });

  it('removes pins, and finds unconfigured servers by name', async () => {
    await using folder = await tempFolder();
    const store = new PinStore(folder.path);
    const other = 'b'.repeat(40);
    await write(store);
    await write(store, other, pinned('other'));
    expect(await keysOf(store, 'other')).toEqual([other]);
    expect(await removePins(store, other)).toEqual({ ok: true, value: 'forgotten' });
    expect(await removePins(store, other)).toEqual({ ok: true, value: 'nothing' });
    expect(await readdir(store.folder)).toEqual([`${KEY}.definitions.json`, `${KEY}.json`]);
  });

  it('lets one of many processes set the baseline of a server', async () => {
    await using folder = await tempFolder();
    const words = ['files', 'mails', 'pages', 'notes', 'books', 'logs'];
    const processes = words.map((word) =>
      spawn(process.execPath, [PROGRAM, folder.path, word], { stdio: ['pipe', 'pipe', 'inherit'] }),
    );
    await Promise.all(processes.map(({ stdout }) => once(stdout, 'data')));
    const answers = processes.map(async (child) => {
      child.stdin.write('go\n');
      const [said] = (await once(child.stdout, 'data')) as [Buffer];
      await once(child, 'exit');
      return said.toString().trim();
    });
    const said = await Promise.all(answers);
    expect(said.toSorted()).toEqual(['admitted', ...words.slice(1).map(() => 'kept back')]);
  });
});

type Write = (file: string, text: string) => Promise<unknown>;

async function linked(file: string): Promise<void> {
  await rename(file, `${file}.elsewhere`);
  await symlink(`${file}.elsewhere`, file);
}
