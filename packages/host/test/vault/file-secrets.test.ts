import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { err, ok, systemClock } from '@plugboard/base';
import { ManualClock, overTime, type TempFolder, tempFolder, waitUntil } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { userPaths, withFileLock } from '../../src/platform/index.ts';
import { fileSecrets } from '../../src/vault/file-secrets.ts';
import { secretStore, type SecretStore } from '../../src/vault/index.ts';

const STATE = 'home/.local/state/plugboard/secrets.json';
const KEY = 'home/.config/plugboard/secrets.key';

interface Vault extends AsyncDisposable {
  readonly folder: TempFolder;
  readonly file: string;
  readonly keyFile: string;
  /** A store that has read nothing yet, on this machine or another. */
  open(machine?: string): SecretStore;
}

async function vault(secrets: Readonly<Record<string, string>> = {}): Promise<Vault> {
  const folder = await tempFolder();
  const [file, keyFile] = [join(folder.path, STATE), join(folder.path, KEY)];
  const open = (machine = 'this machine'): SecretStore =>
    fileSecrets({ file, keyFile, machine: () => Promise.resolve(machine), clock: systemClock });
  for (const [name, value] of Object.entries(secrets)) {
    expect(await open().set(name, value)).toEqual(ok(undefined));
  }
  return {
    folder,
    file,
    keyFile,
    open,
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

const SECRETS = { ALPHA: 'the first value', BETA: 'the second value' };

interface StoredFile {
  version: number;
  keyMark: string;
  seal: string;
  secrets: Record<string, string>;
}

async function edit({ folder, file }: Vault, change: (stored: StoredFile) => void): Promise<void> {
  const stored = JSON.parse(await folder.read(STATE)) as StoredFile;
  change(stored);
  await writeFile(file, JSON.stringify(stored));
}

describe('the secrets file', () => {
  it('is in the state folder, with its key in the configuration folder, for the user alone', async () => {
    await using folder = await tempFolder();
    const paths = userPaths({}, 'linux', join(folder.path, 'home'));
    const own = { paths, env: {}, platform: 'linux' } as const;
    expect(await secretStore(own).set('TOKEN', 'value')).toEqual(ok(undefined));
    expect(await secretStore(own).get('TOKEN')).toEqual(ok('value'));
    expect(await secretStore(own).names()).toEqual(ok(['TOKEN']));
    expect(await secretStore(own).remove('TOKEN')).toEqual(ok(true));
    for (const [path, name] of [
      [paths.state, 'secrets.json'],
      [paths.config, 'secrets.key'],
    ] as const) {
      // No draft and no lock is left.
      expect(await readdir(path)).toEqual([name]);
      expect((await stat(join(path, name))).mode & 0o777).toBe(0o600);
    }
  });

  it('shows no value, and encrypts the same value differently each time', async () => {
    await using kept = await vault({ ...SECRETS, GAMMA: SECRETS.ALPHA });
    const text = await kept.folder.read(STATE);
    const { secrets } = JSON.parse(text) as StoredFile;
    for (const value of Object.values(SECRETS)) {
      for (const encoding of ['utf8', 'base64', 'hex'] as const) {
        expect(text).not.toContain(Buffer.from(value).toString(encoding).slice(0, 12));
      }
    }
    expect(Object.keys(secrets)).toEqual(['ALPHA', 'BETA', 'GAMMA']);
    expect(secrets['GAMMA']).not.toBe(secrets['ALPHA']);
  });

  it('is not created by reading a secret, nor by removing a missing one', async () => {
    await using kept = await vault();
    const store = kept.open();
    await store.names();
    await store.get('A');
    await store.remove('A');
    expect(await readdir(kept.folder.path)).toEqual([]);
  });

  it('contains no more than 4 MiB', async () => {
    await using kept = await vault();
    const store = kept.open();
    const value = 'x'.repeat(64 * 1024);
    const outcomes = [];
    for (let index = 10; index < 60; index += 1) outcomes.push(await store.set(`S${index}`, value));
    expect(outcomes.filter(({ ok: isStored }) => !isStored)[0]).toEqual(
      err({ kind: 'full', where: kept.file, limit: 4 * 1024 * 1024 }),
    );
    expect(await store.get('S10')).toEqual(ok(value));
  });
});

describe('the key of the secrets file', () => {
  it('works on this machine only', async () => {
    await using kept = await vault(SECRETS);
    const problem = err({ kind: 'wrong-key', where: kept.file, keyFile: kept.keyFile });
    const elsewhere = kept.open('another machine');
    const before = await kept.folder.read(STATE);
    expect(await elsewhere.get('ALPHA')).toEqual(problem);
    expect(await elsewhere.get('OTHER')).toEqual(problem);
    expect(await elsewhere.names()).toEqual(problem);
    expect(await elsewhere.remove('ALPHA')).toEqual(problem);
    // It would mix records of two keys.
    expect(await elsewhere.set('OTHER', 'value')).toEqual(problem);
    expect(await kept.folder.read(STATE)).toBe(before);
    expect(await kept.open().get('ALPHA')).toEqual(ok(SECRETS.ALPHA));
  });

  it('does not open a copy of the file of another user', async () => {
    await using kept = await vault(SECRETS);
    await using thief = await vault({ OWN: 'value' });
    await cp(kept.file, thief.file);
    const problem = err({ kind: 'wrong-key', where: thief.file, keyFile: thief.keyFile });
    expect(await thief.open().get('ALPHA')).toEqual(problem);
  });

  it('is reported as missing, and not created again', async () => {
    await using kept = await vault(SECRETS);
    await rm(kept.keyFile);
    const problem = err({ kind: 'no-key', where: kept.file, keyFile: kept.keyFile });
    expect(await kept.open().get('ALPHA')).toEqual(problem);
    expect(await kept.open().names()).toEqual(problem);
    expect(await kept.open().set('OTHER', 'value')).toEqual(problem);
    await expect(stat(kept.keyFile)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('is created again if nothing depends on the old one', async () => {
    await using kept = await vault(SECRETS);
    await kept.open().remove('ALPHA');
    await kept.open().remove('BETA');
    await rm(kept.keyFile);
    expect(await kept.open().set('OTHER', 'value')).toEqual(ok(undefined));
    expect(await kept.open().get('OTHER')).toEqual(ok('value'));
  });

  it.each([
    ['is empty', ''],
    ['is cut short', '00ff'],
    ['holds something else', 'z'.repeat(64)],
    ['is no text', '\0'.repeat(64)],
    ['is far too long', '0'.repeat(100_000)],
  ])('is a problem when the key file %s', async (_, text) => {
    await using kept = await vault(SECRETS);
    await writeFile(kept.keyFile, text);
    const problem = err({ kind: 'damaged', where: kept.keyFile, names: [] });
    expect(await kept.open().get('ALPHA')).toEqual(problem);
    expect(await kept.open().set('ALPHA', 'value')).toEqual(problem);
  });

  it('is reported if another key is in its place', async () => {
    await using kept = await vault(SECRETS);
    await writeFile(kept.keyFile, '0'.repeat(64));
    expect(await kept.open().get('ALPHA')).toEqual(
      err({ kind: 'wrong-key', where: kept.file, keyFile: kept.keyFile }),
    );
  });
});

describe('a damaged secrets file', () => {
  it('never yields a wrong value, whichever byte is flipped', async () => {
    await using kept = await vault(SECRETS);
    const whole = Buffer.from(await kept.folder.read(STATE));
    const store = kept.open();
    for (let index = 0; index < whole.length; index += 1) {
      for (const bit of [0x01, 0x20, 0x80]) {
        const bytes = Buffer.from(whole);
        bytes[index] = (bytes[index] ?? 0) ^ bit;
        await writeFile(kept.file, bytes);
        const got = await store.get('ALPHA');
        if (got.ok) expect(got.value).toBe(SECRETS.ALPHA);
        else expect(['damaged', 'wrong-key']).toContain(got.error.kind);
      }
    }
  });

  it('never yields a wrong value, wherever it is cut', async () => {
    await using kept = await vault(SECRETS);
    const whole = await kept.folder.read(STATE);
    const problem = err({ kind: 'damaged', where: kept.file, names: [] });
    // The last character is the end of the last line.
    for (let length = 0; length < whole.length - 1; length += 1) {
      await writeFile(kept.file, whole.slice(0, length));
      expect(await kept.open().get('ALPHA')).toEqual(problem);
    }
    expect(await kept.open().set('ALPHA', 'value')).toEqual(problem);
    expect(await kept.open().remove('ALPHA')).toEqual(problem);
  });

  it('is reported with the lost secret; the others are readable, and it can be set again', async () => {
    await using kept = await vault(SECRETS);
    await edit(kept, ({ secrets }) => {
      secrets['BETA'] = Buffer.alloc(60).toString('base64');
    });
    const problem = err({ kind: 'damaged', where: kept.file, names: ['BETA'] });
    const store = kept.open();
    expect(await store.get('BETA')).toEqual(problem);
    expect(await store.names()).toEqual(problem);
    expect(await store.get('NONE')).toEqual(problem);
    expect(await store.get('ALPHA')).toEqual(ok(SECRETS.ALPHA));
    expect(await store.set('BETA', 'again')).toEqual(ok(undefined));
    expect(await store.get('BETA')).toEqual(ok('again'));
    expect(await store.names()).toEqual(ok(['ALPHA', 'BETA']));
  });

  it('stays damaged in the lost secret when another one is set', async () => {
    await using kept = await vault(SECRETS);
    await edit(kept, ({ secrets }) => {
      secrets['BETA'] = 'AAAA';
    });
    const store = kept.open();
    expect(await store.set('GAMMA', 'third')).toEqual(ok(undefined));
    expect(await store.get('BETA')).toEqual(
      err({ kind: 'damaged', where: kept.file, names: ['BETA'] }),
    );
    expect(await store.remove('BETA')).toEqual(ok(true));
    expect(await store.names()).toEqual(ok(['ALPHA', 'GAMMA']));
  });

  it('is detected if a record was moved under another name', async () => {
    await using kept = await vault(SECRETS);
    await edit(kept, ({ secrets }) => {
      secrets['BETA'] = secrets['ALPHA'] ?? '';
    });
    expect(await kept.open().get('BETA')).toEqual(
      err({ kind: 'damaged', where: kept.file, names: ['BETA'] }),
    );
  });

  it('is detected if a record was renamed or left out', async () => {
    await using kept = await vault(SECRETS);
    await edit(kept, ({ secrets }) => {
      secrets['BETTA'] = secrets['BETA'] ?? '';
      delete secrets['BETA'];
    });
    expect(await kept.open().get('BETA')).toEqual(
      err({ kind: 'damaged', where: kept.file, names: ['BETTA'] }),
    );
    await edit(kept, ({ secrets }) => delete secrets['BETTA']);
    const nameless = err({ kind: 'damaged', where: kept.file, names: [] });
    expect(await kept.open().get('BETA')).toEqual(nameless);
    expect(await kept.open().names()).toEqual(nameless);
    expect(await kept.open().remove('BETA')).toEqual(nameless);
  });

  it.each([
    ['a list', '[]'],
    ['of a later version', '{"version":2,"keyMark":"","seal":"","secrets":{}}'],
    ['without secrets', '{"version":1,"keyMark":"","seal":""}'],
    ['with a name that none can have', '{"version":1,"keyMark":"","seal":"","secrets":{"a b":""}}'],
    ['with a record that is no text', '{"version":1,"keyMark":"","seal":"","secrets":{"a":1}}'],
    ['far too large', ' '.repeat(5 * 1024 * 1024)],
    ['no text', '\0'],
  ])('is detected if it is %s', async (_, text) => {
    await using kept = await vault(SECRETS);
    await writeFile(kept.file, text);
    const problem = err({ kind: 'damaged', where: kept.file, names: [] });
    expect(await kept.open().names()).toEqual(problem);
    expect(await kept.open().set('A', 'value')).toEqual(problem);
    expect(await kept.folder.read(STATE)).toBe(text);
  });
});

describe('an unusable place for secrets', () => {
  it('is named when it is a folder', async () => {
    await using kept = await vault();
    await kept.folder.mkdir(STATE);
    const problem = err({ kind: 'unreadable', where: kept.file, code: 'EISDIR' });
    expect(await kept.open().get('A')).toEqual(problem);
    expect(await kept.open().set('A', 'value')).toEqual(problem);
  });

  it('is named when the key is a folder', async () => {
    await using kept = await vault();
    await kept.folder.mkdir(KEY);
    expect(await kept.open().set('A', 'value')).toEqual(
      err({ kind: 'unreadable', where: kept.keyFile, code: 'EISDIR' }),
    );
  });

  it('is named when its folder is a file', async () => {
    await using kept = await vault();
    await kept.folder.write('home/.local/state/plugboard', 'a file');
    expect(await kept.open().get('A')).toEqual(ok(undefined));
    expect(await kept.open().set('A', 'value')).toEqual(
      err({ kind: 'unwritable', where: kept.file, code: 'EEXIST' }),
    );
  });
});

describe('several processes with one secrets file', () => {
  const PROGRAM = fileURLToPath(new URL('./fixtures/set-secrets.mjs', import.meta.url));

  function start(folder: TempFolder, prefix: string, count: number): Started {
    const child = spawn(process.execPath, [PROGRAM, prefix, String(count)], {
      env: { HOME: join(folder.path, 'home') },
    });
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    return { child, said: () => text, ended: once(child, 'close') };
  }

  interface Started {
    readonly child: ChildProcessWithoutNullStreams;
    readonly said: () => string;
    readonly ended: Promise<unknown>;
  }

  it('agree on one key and lose nothing when they store at the same time', async () => {
    await using folder = await tempFolder();
    const started = ['a', 'b', 'c', 'd'].map((prefix) => start(folder, prefix, 5));
    await waitUntil(() => started.every(({ said }) => said() === 'ready\n'), {
      describe: 'all to be ready',
    });
    for (const { child } of started) child.stdin.write('go\n');
    await Promise.all(started.map(({ ended }) => ended));
    expect(started.map(({ said }) => said())).toEqual(started.map(() => 'ready\n'));
    const paths = userPaths({}, 'linux', join(folder.path, 'home'));
    const store = secretStore({ paths, env: {}, platform: 'linux' });
    const wanted = ['a', 'b', 'c', 'd'].flatMap((prefix) =>
      [0, 1, 2, 3, 4].map((index) => [`${prefix}-${index}`, `value ${prefix} ${index}`] as const),
    );
    expect(await store.names()).toEqual(ok(wanted.map(([name]) => name)));
    for (const [name, value] of wanted) expect(await store.get(name)).toEqual(ok(value));
  });

  it('do not wait forever for a process that hangs', async () => {
    await using kept = await vault(SECRETS);
    const clock = new ManualClock();
    const { file, keyFile } = kept;
    const machine = (): Promise<string> => Promise.resolve('this machine');
    const outcome = await withFileLock(file, {}, () =>
      overTime(clock, fileSecrets({ file, keyFile, machine, clock }).set('A', 'value'), 1000),
    );
    expect(outcome).toEqual(err({ kind: 'busy', where: file }));
  });
});
