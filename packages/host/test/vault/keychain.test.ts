// The secrets file with its key in a real keychain: GNOME's, on a separate bus.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, readdir, stat, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Clock, err, ok, systemClock } from '@plugboard/base';
import {
  ManualClock,
  missingForSecretService,
  overTime,
  type SecretService,
  startSecretService,
  type TempFolder,
  tempFolder,
  times,
  verifies,
  waitUntil,
} from '@plugboard/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { userPaths } from '../../src/platform/index.ts';
import { fileSecrets, type FileSecretsOptions } from '../../src/vault/file-secrets.ts';
import { type OwnSecrets, secretStore } from '../../src/vault/index.ts';
import { systemKeychain } from '../../src/vault/system-keychain.ts';

const missing = missingForSecretService();
const STATE = 'state/secrets.json';
const KEY = 'config/secrets.key';
const NOWHERE: Readonly<Record<string, string>> = {};
const DISMISSED = "Couldn't access platform storage: Secret Service: unlock prompt was dismissed";
const NO_BUS = { kind: 'no-service', message: 'there is no D-Bus session' };

/** Shared by all tests except those that lock it, which have their own. */
let shared: SecretService;
beforeAll(async () => {
  if (missing === undefined) shared = await startSecretService();
});
afterAll(async () => {
  if (missing === undefined) await shared[Symbol.asyncDispose]();
});
beforeEach(({ skip }) => {
  skip(missing !== undefined, `${missing} is not installed`);
});

interface Openings extends Partial<Pick<FileSecretsOptions, 'choice'>> {
  /** Leads to the keychain; by default, to the shared one. */
  readonly env?: Readonly<Record<string, string>>;
  readonly machine?: string;
  readonly clock?: Clock;
}

/** A store that has read nothing yet. */
function open({ path }: TempFolder, openings: Openings = {}): OwnSecrets {
  const { env = shared.env, machine = 'this machine', clock = systemClock } = openings;
  return fileSecrets({
    file: join(path, STATE),
    keyFile: join(path, KEY),
    keychain: systemKeychain({ environment: { env, platform: 'linux' }, clock }),
    choice: openings.choice ?? 'auto',
    machine: () => Promise.resolve(machine),
    clock,
  });
}

/** Nothing can be read, changed or lost. */
async function expectShut(folder: TempFolder, store: OwnSecrets, problem: unknown): Promise<void> {
  const before = await folder.read(STATE);
  expect(await store.get('ALPHA')).toEqual(err(problem));
  expect(await store.names()).toEqual(err(problem));
  expect(await store.set('ALPHA', 'other')).toEqual(err(problem));
  expect(await store.set('NEW', 'value')).toEqual(err(problem));
  expect(await store.remove('ALPHA')).toEqual(err(problem));
  expect(await folder.read(STATE)).toBe(before);
}

async function stocked(openings: Openings = {}): Promise<TempFolder> {
  const folder = await tempFolder();
  expect(await open(folder, openings).set('ALPHA', 'the value')).toEqual(ok(undefined));
  return folder;
}

describe('a key in the keychain', () => {
  verifies('AUT-10');

  it('opens the file, and is in no folder', async () => {
    await using folder = await stocked();
    expect(await open(folder).get('ALPHA')).toEqual(ok('the value'));
    expect(await readdir(folder.path)).toEqual(['state']);
    expect(await readdir(join(folder.path, 'state'))).toEqual(['secrets.json']);
    const file = join(folder.path, STATE);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(JSON.parse(await folder.read(STATE))).toMatchObject({
      version: 1,
      keychain: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
    expect(await open(folder).inUse()).toEqual(ok({ kind: 'keychain', file }));
  });

  it('is not in a copy of all folders, which are useless without the keychain', async () => {
    await using folder = await stocked({ choice: 'file' });
    // With an old key file, which is copied as well.
    expect(await open(folder).set('BETA', 'second')).toEqual(ok(undefined));
    await using copy = await tempFolder();
    await cp(folder.path, copy.path, { recursive: true });
    const where = join(copy.path, STATE);
    const shut = { kind: 'no-keychain', need: 'locked', where };
    await expectShut(copy, open(copy, { env: NOWHERE }), { ...shut, problem: NO_BUS });
    await using other = await startSecretService();
    const problem = { ...shut, problem: { kind: 'no-entry' } };
    await expectShut(copy, open(copy, { env: other.env }), problem);
    // Nor by a field of the file that points to the key file.
    const { keychain: _, ...stored } = JSON.parse(await copy.read(STATE)) as { keychain: string };
    await writeFile(where, JSON.stringify(stored));
    const keyFile = join(copy.path, KEY);
    await expectShut(copy, open(copy, { env: NOWHERE }), { kind: 'wrong-key', where, keyFile });
  });

  it('opens nothing on another machine', async () => {
    await using folder = await stocked();
    const where = join(folder.path, STATE);
    const problem = { kind: 'wrong-key', where, keyFile: undefined };
    await expectShut(folder, open(folder, { machine: 'another machine' }), problem);
    expect(await open(folder).get('ALPHA')).toEqual(ok('the value'));
  });

  it('is kept when the last secret is removed, for the next one', async () => {
    await using folder = await stocked();
    const idOf = async (): Promise<unknown> =>
      (JSON.parse(await folder.read(STATE)) as { keychain?: unknown }).keychain;
    const id = await idOf();
    expect(await open(folder).remove('ALPHA')).toEqual(ok(true));
    expect(await open(folder).set('BETA', 'second')).toEqual(ok(undefined));
    expect(await idOf()).toBe(id);
  });

  it('is found by its id, and no other field of the file is used for that', async () => {
    await using folder = await stocked();
    const where = join(folder.path, STATE);
    for (const keychain of ['', 'x', '--help', null, 7, 'A'.repeat(32)]) {
      const stored = JSON.parse(await folder.read(STATE)) as object;
      await writeFile(where, JSON.stringify({ ...stored, keychain }));
      await expectShut(folder, open(folder), { kind: 'damaged', where, names: [] });
    }
  });
});

describe('a secrets file whose key is in another file', () => {
  it('is read, and moves its key to the keychain with the next secret', async () => {
    await using folder = await stocked({ env: NOWHERE });
    const [file, keyFile] = [join(folder.path, STATE), join(folder.path, KEY)];
    const used = { kind: 'file', file, keyFile };
    expect(await open(folder, { env: NOWHERE }).inUse()).toEqual(ok({ ...used, why: NO_BUS }));
    expect(await open(folder, { choice: 'file' }).inUse()).toEqual(ok({ ...used, why: 'chosen' }));
    expect(await open(folder).inUse()).toEqual(ok({ ...used, why: 'not-yet' }));
    expect(await open(folder).get('ALPHA')).toEqual(ok('the value'));
    const store = open(folder);
    expect(await store.set('BETA', 'second')).toEqual(ok(undefined));
    expect(await store.inUse()).toEqual(ok({ kind: 'keychain', file }));
    expect(await open(folder).get('ALPHA')).toEqual(ok('the value'));
    expect(await open(folder).names()).toEqual(ok(['ALPHA', 'BETA']));
    const problem = { kind: 'no-keychain', need: 'locked', where: file, problem: NO_BUS };
    await expectShut(folder, open(folder, { env: NOWHERE }), problem);
  });

  it('moves its key back to a file if that is chosen again', async () => {
    await using folder = await stocked();
    expect(await open(folder, { choice: 'file' }).get('ALPHA')).toEqual(ok('the value'));
    expect(await open(folder, { choice: 'file' }).set('BETA', 'second')).toEqual(ok(undefined));
    const away = open(folder, { env: NOWHERE });
    expect(await away.get('ALPHA')).toEqual(ok('the value'));
    expect(await away.get('BETA')).toEqual(ok('second'));
  });

  it('keeps its key there while a secret is damaged, and reports the damage', async () => {
    await using folder = await stocked({ env: NOWHERE });
    const file = join(folder.path, STATE);
    const stored = JSON.parse(await folder.read(STATE)) as { secrets: object };
    const secrets = { ...stored.secrets, BROKEN: 'AAAA' };
    await writeFile(file, JSON.stringify({ ...stored, secrets }));
    expect(await open(folder).set('BETA', 'second')).toEqual(ok(undefined));
    expect(await open(folder, { env: NOWHERE }).get('ALPHA')).toEqual(ok('the value'));
    expect(await open(folder).get('BROKEN')).toEqual(
      err({ kind: 'damaged', where: file, names: ['BROKEN'] }),
    );
  });
});

describe('an unusable keychain', () => {
  verifies('AUT-10');

  it('is not used if it is locked, and reported if it has the key', async () => {
    await using service = await startSecretService();
    const { env } = service;
    await using locked = await stocked({ env });
    await service.lock();
    const problem = { kind: 'refused', message: DISMISSED };
    await using fresh = await tempFolder();
    const store = open(fresh, { env });
    expect(await store.set('ALPHA', 'the value')).toEqual(ok(undefined));
    const [file, keyFile] = [join(fresh.path, STATE), join(fresh.path, KEY)];
    expect(await store.inUse()).toEqual(ok({ kind: 'file', file, keyFile, why: problem }));
    const where = join(locked.path, STATE);
    const shut = { kind: 'no-keychain', need: 'locked', where, problem };
    await expectShut(locked, open(locked, { env }), shut);
    await service.unlock();
    expect(await open(locked, { env }).get('ALPHA')).toEqual(ok('the value'));
  });

  it.each(['left', 'frozen'])('is detected soon if its service has %s', async (how) => {
    await using service = await startSecretService();
    if (how === 'left') await service.leave();
    else service.freeze();
    await using folder = await tempFolder();
    const store = open(folder, { env: service.env });
    expect(await store.set('ALPHA', 'the value')).toEqual(ok(undefined));
    expect(await store.inUse()).toMatchObject(ok({ kind: 'file', why: { kind: 'no-service' } }));
  });

  it('is given up if the bus connects and stays silent', async () => {
    await using folder = await tempFolder();
    await using bus = await muteBus(folder);
    const clock = new ManualClock();
    const store = open(folder, { env: { DBUS_SESSION_BUS_ADDRESS: bus.address }, clock });
    const started = clock.elapsed();
    const storing = store.set('ALPHA', 'the value');
    await bus.visited;
    await clock.advance(8000);
    expect(await overTime(clock, storing, 50)).toEqual(ok(undefined));
    expect(clock.elapsed() - started).toBeLessThan(10_000);
    expect(await store.inUse()).toMatchObject(ok({ kind: 'file', why: { kind: 'timeout' } }));
    expect(await store.get('ALPHA')).toEqual(ok('the value'));
  });

  it('is a problem if a keychain is required', async () => {
    await using folder = await tempFolder();
    const where = join(folder.path, STATE);
    const problem = { kind: 'no-keychain', need: 'chosen', where, problem: NO_BUS };
    const store = open(folder, { env: NOWHERE, choice: 'keychain' });
    expect(await store.set('ALPHA', 'the value')).toEqual(err(problem));
    expect(await store.names()).toEqual(ok([]));
    await using older = await stocked({ choice: 'file' });
    const strict = open(older, { env: NOWHERE, choice: 'keychain' });
    expect(await strict.get('ALPHA')).toEqual(ok('the value'));
    expect(await strict.set('BETA', 'second')).toEqual(
      err({ ...problem, where: join(older.path, STATE) }),
    );
  });
});

describe('PLUGBOARD_SECRETS', () => {
  async function inUseWith(said: string | undefined): Promise<unknown> {
    await using folder = await tempFolder();
    const paths = userPaths({}, 'linux', folder.path);
    const env = { ...shared.env, ...(said === undefined ? {} : { PLUGBOARD_SECRETS: said }) };
    const store = secretStore({ paths, env, platform: 'linux' });
    const stored = await store.set('ALPHA', 'the value');
    const used = await store.inUse();
    return stored.ok && used.ok ? used.value.kind : [stored, used];
  }

  it('chooses the place of the key, by default the keychain if there is one', async () => {
    const said = [undefined, '', 'auto', 'keychain', 'file'];
    expect(await Promise.all(said.map(inUseWith))).toEqual([
      ...['keychain', 'keychain', 'keychain', 'keychain', 'file'],
    ]);
  });

  it.each(['keyring', 'File', ' file'])('is refused when it is %j', async (said) => {
    const problem = err({ kind: 'invalid-choice' });
    expect(await inUseWith(said)).toEqual([problem, problem]);
  });
});

describe('many processes with one keychain', () => {
  verifies('AUT-10');
  const PROGRAM = fileURLToPath(new URL('./fixtures/set-secrets.mjs', import.meta.url));

  it('agree on one key and lose nothing', async () => {
    await using folder = await tempFolder();
    const prefixes = Array.from({ length: times(6, 20) }, (_, index) => `p${index + 10}`);
    const env = { ...shared.env, HOME: folder.path, PLUGBOARD_SECRETS: 'keychain' };
    const started = prefixes.map((prefix) => {
      const child = spawn(process.execPath, [PROGRAM, prefix, '2'], { env });
      let said = '';
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        said += text;
      });
      return { child, said: () => said, ended: once(child, 'close') };
    });
    await waitUntil(() => started.every(({ said }) => said() === 'ready\n'), {
      describe: 'all to be ready',
    });
    for (const { child } of started) child.stdin.write('go\n');
    await Promise.all(started.map(({ ended }) => ended));
    expect(started.map(({ said }) => said())).toEqual(started.map(() => 'ready\n'));
    const paths = userPaths({}, 'linux', folder.path);
    const store = secretStore({ paths, env, platform: 'linux' });
    expect(await store.names()).toEqual(
      ok(prefixes.flatMap((prefix) => [`${prefix}-0`, `${prefix}-1`])),
    );
    for (const prefix of prefixes) {
      expect(await store.get(`${prefix}-1`)).toEqual(ok(`value ${prefix} 1`));
    }
  });
});

interface MuteBus extends AsyncDisposable {
  readonly address: string;
  readonly visited: Promise<unknown>;
}

async function muteBus({ path }: TempFolder): Promise<MuteBus> {
  const socket = join(path, 'mute');
  const server: Server = createServer();
  const visited = once(server, 'connection');
  server.listen(socket);
  await once(server, 'listening');
  return {
    address: `unix:path=${socket}`,
    visited,
    async [Symbol.asyncDispose]() {
      const [visitor] = (await visited) as [{ destroy(): void }];
      visitor.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
