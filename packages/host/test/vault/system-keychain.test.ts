// How the keychain is asked, with a library that a test wrote in place of the real one. It runs in the
// process that would load the real one.

import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Clock, err, ok, systemClock } from '@plugboard/base';
import { ManualClock, type TempFolder, tempFolder, verifies, waitUntil } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import type { HostEnvironment } from '../../src/platform/index.ts';
import type { Keychain } from '../../src/vault/keychain.ts';
import { systemKeychain } from '../../src/vault/system-keychain.ts';

const KEY = 'ab'.repeat(32);

interface ScriptedKeychain extends AsyncDisposable {
  readonly folder: TempFolder;
  /** The number of times that it was loaded. */
  loads(): Promise<number>;
  open(options?: { readonly clock?: Clock; readonly env?: HostEnvironment['env'] }): Keychain;
}

/** `body` is that of the class AsyncEntry; a getPassword is there already, and gives the key. */
async function scripted(body: string): Promise<ScriptedKeychain> {
  const folder = await tempFolder();
  const library = await folder.write(
    'library.cjs',
    `const { appendFileSync, existsSync, writeFileSync } = require('node:fs');
const folder = ${JSON.stringify(folder.path)};
appendFileSync(folder + '/loads', '.');
class Entry { async getPassword() { return ${JSON.stringify(KEY)}; } }
exports.AsyncEntry = class extends Entry { ${body} };`,
  );
  return {
    folder,
    loads: async () => (await readFile(join(folder.path, 'loads'), 'utf8')).length,
    open: ({ clock = systemClock, env = {} } = {}) =>
      systemKeychain({ environment: { env, platform: 'darwin' }, clock, library }),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

describe('the keychain of the system', () => {
  verifies('AUT-10');

  it('is asked once for a key, however many callers need it', async () => {
    await using library = await scripted('');
    const keychain = library.open();
    const reads = Array.from({ length: 5 }, () => keychain.read('a'));
    expect(await Promise.all(reads)).toEqual(reads.map(() => ok(KEY)));
    expect(await keychain.read('a')).toEqual(ok(KEY));
    expect(await keychain.make('a')).toEqual(ok(KEY));
    expect(await library.loads()).toBe(1);
  });

  it('is the one of the desktop, not that of the kernel, which is volatile', async () => {
    await using library = await scripted(`
      constructor(...given) { super(); writeFileSync(folder + '/given', JSON.stringify(given)); }`);
    expect(await library.open().read('the id')).toEqual(ok(KEY));
    expect(JSON.parse(await library.folder.read('given'))).toEqual([
      'plugboard',
      'the id',
      { linux: { store: 'secret-service' } },
    ]);
  });

  it('is opened by a process without secrets and without variables that would change it', async () => {
    await using library = await scripted(`
      async getPassword() { return this.kept ?? null; }
      async setPassword(text) {
        this.kept = text;
        writeFileSync(folder + '/seen', JSON.stringify([process.argv, process.env]));
      }`);
    const env = { HOME: '/home/me', TOKEN: 'secret', NODE_OPTIONS: '--title=x', ELSE: 'x' };
    const made = await library.open({ env }).make('a');
    const [argv, seen] = JSON.parse(await library.folder.read('seen')) as [string[], object];
    expect(seen).toEqual({ HOME: '/home/me', PLUGBOARD_PROCESS_MARK: expect.any(String) });
    expect(made.ok && made.value).toMatch(/^[0-9a-f]{64}$/);
    expect(argv.join(' ')).not.toContain(made.ok ? made.value : '');
  });

  it('receives the bus address if there is one', async () => {
    await using library = await scripted(`
      async getPassword() { return JSON.stringify(process.env); }`);
    const env = { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/x', XDG_RUNTIME_DIR: '', TOKEN: 'secret' };
    const keychain = systemKeychain({
      environment: { env, platform: 'linux' },
      clock: systemClock,
      library: join(library.folder.path, 'library.cjs'),
    });
    const read = await keychain.read('a');
    expect(JSON.parse(read.ok ? read.value : '')).toEqual({
      DBUS_SESSION_BUS_ADDRESS: 'unix:path=/x',
      PLUGBOARD_PROCESS_MARK: expect.any(String),
    });
  });

  it('replaces no existing key', async () => {
    await using library = await scripted(`
      async setPassword() { writeFileSync(folder + '/replaced', ''); }`);
    expect(await library.open().make('a')).toEqual(ok(KEY));
    await expect(library.folder.read('replaced')).rejects.toThrow('ENOENT');
  });
});

describe('a failing keychain', () => {
  const refused = (message: string) => err({ kind: 'refused', message });

  it.each([
    [
      'locked',
      `async getPassword() { throw new Error('it is\\nlocked'); }`,
      refused('it is locked'),
    ],
    ['one without the key', 'async getPassword() { return null; }', err({ kind: 'no-entry' })],
    [
      'not there',
      `constructor() { super(); throw new Error('no bus'); }`,
      err({ kind: 'no-service', message: 'no bus' }),
    ],
    ['one that crashes', 'async getPassword() { process.abort(); }', refused('it gave no answer')],
    [
      'one that talks much',
      `async getPassword() { return 'x'.repeat(1e6); }`,
      refused('it gave no answer'),
    ],
  ])('is classified: %s', async (_, body, problem) => {
    await using library = await scripted(body);
    expect(await library.open().read('a')).toEqual(problem);
  });

  it('may be one that forgets what it stored', async () => {
    await using library = await scripted(`
      async getPassword() { return null; }
      async setPassword() {}`);
    expect(await library.open().make('a')).toEqual(
      refused('what was stored could not be read back'),
    );
  });

  it.each(['nowhere.cjs', 'broken.cjs'])('counts as none if its library is %s', async (name) => {
    await using library = await scripted('');
    await library.folder.write('broken.cjs', 'throw new Error("not for this system")');
    const keychain = systemKeychain({
      environment: { env: {}, platform: 'darwin' },
      clock: systemClock,
      library: join(library.folder.path, name),
    });
    const problem = err({ kind: 'no-library' });
    expect(await keychain.look()).toEqual(problem);
    expect(await keychain.make('a')).toEqual(problem);
  });

  it('counts as none, and no process is started, without a bus address', async () => {
    await using library = await scripted('');
    const keychain = systemKeychain({
      environment: { env: { DBUS_SESSION_BUS_ADDRESS: '' }, platform: 'linux' },
      clock: systemClock,
      library: join(library.folder.path, 'library.cjs'),
    });
    expect(await keychain.look()).toEqual(
      err({ kind: 'no-service', message: 'there is no D-Bus session' }),
    );
    await expect(library.loads()).rejects.toThrow('ENOENT');
  });

  it('is waited for half a minute while a person is asked, and no longer', async () => {
    await using library = await scripted(`
      async getPassword() {
        writeFileSync(folder + '/asking', '');
        while (!existsSync(folder + '/answer')) await new Promise((next) => setTimeout(next, 5));
        return 'yes';
      }`);
    const clock = new ManualClock();
    const keychain = library.open({ clock });
    const late = keychain.read('late');
    await asked(library.folder);
    await clock.advance(29_999);
    await library.folder.write('answer', '');
    expect(await late).toEqual(ok('yes'));
    await rm(join(library.folder.path, 'answer'));
    const never = keychain.read('never');
    await asked(library.folder);
    await clock.advance(30_000);
    expect(await settling(never, clock)).toEqual(err({ kind: 'timeout' }));
  });

  it('is not asked again for half a minute', async () => {
    await using library = await scripted(`
      async getPassword() {
        if (existsSync(folder + '/open')) return ${JSON.stringify(KEY)};
        throw new Error('locked');
      }`);
    const clock = new ManualClock();
    const keychain = library.open({ clock });
    expect(await keychain.read('a')).toEqual(refused('locked'));
    await library.folder.write('open', '');
    await clock.advance(29_999);
    expect(await keychain.read('a')).toEqual(refused('locked'));
    expect(await keychain.make('b')).toEqual(refused('locked'));
    expect(await keychain.look()).toEqual(refused('locked'));
    expect(await library.loads()).toBe(1);
    // Even if the clock is set back meanwhile.
    clock.jump(-5 * 3_600_000);
    await clock.advance(1);
    expect(await keychain.read('a')).toEqual(ok(KEY));
  });
});

async function asked({ path }: TempFolder): Promise<void> {
  const question = join(path, 'asking');
  await waitUntil(() => readFile(question).then(Boolean, () => false), { describe: 'a question' });
  await rm(question);
}

/** Waits as long as it takes to end a process. */
async function settling<T>(promise: Promise<T>, clock: ManualClock): Promise<T> {
  let isSettled = false;
  void promise.then(() => {
    isSettled = true;
  });
  const ended = async (): Promise<boolean> => {
    await clock.advance(50);
    return isSettled;
  };
  await waitUntil(ended, { describe: 'the keychain to be done with' });
  return promise;
}
