import { ManualClock, type TempFolder, tempFolder, verifies } from '@plugboard/testkit';
import { chmod, mkdir, readFile, rename, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { approve, revoke } from '../../src/admission/trust-edits.ts';
import { readTrust } from '../../src/admission/trust-store.ts';
import type { TrustLaunch, TrustSubject } from '../../src/admission/trust-subject.ts';
import type { HostEnvironment } from '../../src/platform/index.ts';
import { testEnvironment } from '../config/test-environment.ts';

const LAUNCH: TrustLaunch = {
  command: 'npx',
  args: ['server@1.0.0'],
  env: { TOKEN: '${TOKEN}', MODE: 's3cret' },
  headers: {},
};

interface Place {
  readonly environment: HostEnvironment;
  readonly subject: TrustSubject;
  readonly store: string;
}

async function place(folder: TempFolder): Promise<Place> {
  const environment = testEnvironment(folder.path);
  const root = await folder.mkdir('project');
  return {
    environment,
    subject: { name: 'github', root, launch: LAUNCH },
    store: join(folder.path, 'home/.local/state/plugboard/trust.json'),
  };
}

async function standing(environment: HostEnvironment, subject: TrustSubject) {
  return (await readTrust(environment)).standingOf(subject);
}

describe('an approval in the trust store', () => {
  verifies('CFG-11');

  it('is valid until any part of its subject changes, and names that part', async () => {
    await using folder = await tempFolder();
    const { environment, subject } = await place(folder);
    const clock = new ManualClock();
    const at = clock.now();
    expect(await standing(environment, subject)).toEqual({ kind: 'unknown' });
    expect(await approve(environment, subject, { clock })).toMatchObject({ ok: true });
    expect(await standing(environment, subject)).toEqual({ kind: 'approved', at });

    const { MODE: _gone, ...env } = LAUNCH.env;
    const launch = { ...LAUNCH, args: ['server@2.0.0'], env: { ...env, NODE_OPTIONS: '-r x' } };
    expect(await standing(environment, { ...subject, launch })).toEqual({
      kind: 'changed',
      at,
      changes: [
        { kind: 'changed', field: 'args' },
        { kind: 'removed', field: 'env.MODE' },
        { kind: 'added', field: 'env.NODE_OPTIONS' },
      ],
    });
    expect(await standing(environment, { ...subject, name: 'other' })).toEqual({ kind: 'unknown' });
    const elsewhere = await folder.mkdir('elsewhere');
    expect(await standing(environment, { ...subject, root: elsewhere })).toEqual({
      kind: 'unknown',
    });
  });

  it('is valid for each approved form, until it is revoked', async () => {
    await using folder = await tempFolder();
    const { environment, subject } = await place(folder);
    const later = { ...subject, launch: { ...LAUNCH, args: ['server@2.0.0'] } };
    await approve(environment, subject);
    await approve(environment, later);
    await approve(environment, { ...subject, name: 'other' });
    expect((await standing(environment, subject)).kind).toBe('approved');
    expect((await standing(environment, later)).kind).toBe('approved');
    expect(await revoke(environment, subject)).toEqual({ ok: true, value: { kind: 'revoked' } });
    expect(await standing(environment, subject)).toEqual({ kind: 'unknown' });
    expect(await standing(environment, later)).toEqual({ kind: 'unknown' });
    expect((await readTrust(environment)).consents.map(({ name }) => name)).toEqual(['other']);
    expect(await revoke(environment, subject)).toEqual({
      ok: true,
      value: { kind: 'nothing-to-revoke' },
    });
  });

  it('is stored for the user alone, without any value', async () => {
    await using folder = await tempFolder();
    const { environment, subject, store } = await place(folder);
    await approve(environment, subject, { clock: new ManualClock() });
    expect((await stat(store)).mode & 0o777).toBe(0o600);
    const text = await readFile(store, 'utf8');
    expect(text).not.toMatch(/s3cret|npx|server@|\$\{/);
    expect((await readTrust(environment)).consents).toMatchObject([
      { name: 'github', root: subject.root, at: new ManualClock().now() },
    ]);
  });

  it('is stored once per subject, up to a maximum number', async () => {
    await using folder = await tempFolder();
    const { environment, subject, store } = await place(folder);
    await approve(environment, subject);
    await approve(environment, subject);
    expect((await readTrust(environment)).consents).toHaveLength(1);
    const [one] = (JSON.parse(await readFile(store, 'utf8')) as { consents: [object] }).consents;
    const many = Array.from({ length: 500 }, (_, index) => ({ ...one, name: `s${index}` }));
    await writeFile(store, JSON.stringify({ format: 1, consents: many }));
    await approve(environment, subject);
    const names = (await readTrust(environment)).consents.map(({ name }) => name);
    expect([names.length, names[0], names.at(-1)]).toEqual([500, 's1', 'github']);
  });

  it('is not lost when several are stored at once', async () => {
    await using folder = await tempFolder();
    const { environment, subject } = await place(folder);
    const names = Array.from({ length: 20 }, (_, index) => `server-${index}`);
    await Promise.all(names.map((name) => approve(environment, { ...subject, name })));
    const { consents } = await readTrust(environment);
    expect(consents.map(({ name }) => name).toSorted()).toEqual(names.toSorted());
  });

  it('of a server with too many fields to store is still valid', async () => {
    await using folder = await tempFolder();
    const { environment, subject } = await place(folder);
    const env = Object.fromEntries(Array.from({ length: 2000 }, (_, index) => [`V${index}`, 'x']));
    const large = { ...subject, launch: { ...LAUNCH, env } };
    await approve(environment, large, { clock: new ManualClock() });
    expect((await standing(environment, large)).kind).toBe('approved');
    expect(await standing(environment, subject)).toEqual({
      kind: 'changed',
      at: new ManualClock().now(),
      changes: [],
    });
  });
});

describe('the folder of an approval', () => {
  verifies('CFG-11');

  it('is the real path behind links', async () => {
    await using folder = await tempFolder();
    const { environment, subject } = await place(folder);
    const link = join(folder.path, 'link');
    await symlink(subject.root, link);
    await approve(environment, { ...subject, root: link });
    expect((await standing(environment, subject)).kind).toBe('approved');
    expect((await standing(environment, { ...subject, root: link })).kind).toBe('approved');
    await rename(subject.root, join(folder.path, 'moved'));
    await mkdir(subject.root);
    await symlink(join(folder.path, 'moved'), join(folder.path, 'second'));
    expect(
      (await standing(environment, { ...subject, root: join(folder.path, 'second') })).kind,
    ).toBe('unknown');
  });
});

/** A valid store, as an attacker would write it. */
async function forgedStore(folder: TempFolder): Promise<{ text: string; place: Place }> {
  const known = await place(folder);
  await approve(known.environment, known.subject);
  const text = await readFile(known.store, 'utf8');
  await rename(known.store, `${known.store}.away`);
  return { text, place: known };
}

describe('the trust store and a repository', () => {
  verifies('CFG-11');

  const inside: readonly (readonly [string, string, Partial<HostEnvironment>])[] = [
    ['beside its settings', 'project/.plugboard/trust.json', {}],
    ['at its top', 'project/trust.json', {}],
    ['where the state of a user would be', 'project/.local/state/plugboard/trust.json', {}],
    [
      'under a relative XDG_STATE_HOME',
      'project/state/plugboard/trust.json',
      { env: { XDG_STATE_HOME: 'state' } },
    ],
  ];

  it.each(inside)('approves nothing with a file %s', async (_where, file, changes) => {
    await using folder = await tempFolder();
    const forged = await forgedStore(folder);
    await folder.write(file, forged.text);
    const environment = testEnvironment(folder.path, changes);
    expect((await readTrust(environment)).consents).toEqual([]);
    expect(await standing(environment, forged.place.subject)).toEqual({ kind: 'unknown' });
  });

  const stateInside: readonly (readonly [string, (root: string) => Partial<HostEnvironment>])[] = [
    ['the state is in it', (root) => ({ env: { XDG_STATE_HOME: join(root, 'project') } })],
    ['the state leads into it', (root) => ({ env: { XDG_STATE_HOME: join(root, 'link') } })],
  ];

  it.each(stateInside)('approves nothing when %s', async (_what, changes) => {
    await using folder = await tempFolder();
    const forged = await forgedStore(folder);
    const { subject } = forged.place;
    await folder.mkdir('project/.git');
    await symlink(subject.root, join(folder.path, 'link'));
    const environment = testEnvironment(folder.path, changes(folder.path));
    const store = join(environment.paths.state, 'trust.json');
    await mkdir(dirname(store), { recursive: true });
    await writeFile(store, forged.text, { mode: 0o600 });
    expect((await readTrust(environment)).consents).toHaveLength(1);
    expect(await standing(environment, subject)).toEqual({ kind: 'unknown' });
    expect(await approve(environment, subject)).toEqual({
      ok: false,
      error: { kind: 'store-in-project', store, root: subject.root },
    });
  });

  it('approves nothing with a state folder of the repository when the home is not an absolute path', async () => {
    await using folder = await tempFolder();
    const { subject } = await place(folder);
    // As an absolute path, too, it would be in the current project.
    const home = relative(process.cwd(), join(subject.root, 'home'));
    const env = { XDG_STATE_HOME: join(subject.root, 'state') };
    const environment = testEnvironment(folder.path, { home, env });
    const store = join(environment.paths.state, 'trust.json');
    expect(await approve(environment, subject)).toEqual({
      ok: false,
      error: { kind: 'store-in-project', store, root: subject.root },
    });
  });

  it('accepts the home folder of the user, as long as that is not a repository', async () => {
    await using folder = await tempFolder();
    const { subject } = await place(folder);
    const environment = testEnvironment(folder.path, { home: join(folder.path, 'project') });
    expect(await approve(environment, subject)).toMatchObject({ ok: true });
    expect((await standing(environment, subject)).kind).toBe('approved');
  });

  it('approves nothing when the home is not an absolute path', async () => {
    await using folder = await tempFolder();
    const { subject } = await place(folder);
    const environment = testEnvironment(folder.path, { home: '.' });
    const trust = await readTrust(environment);
    expect([trust.consents, trust.diagnostics]).toMatchObject([[], [{ code: 'file-untrusted' }]]);
    expect(await approve(environment, subject)).toMatchObject({
      ok: false,
      error: { kind: 'unusable-store' },
    });
  });
});

describe('a project that is the home folder, or one above it', () => {
  verifies('CFG-11');

  const homes: readonly (readonly [string, string])[] = [
    ['it is the home', 'project'],
    ['the home is in it', 'project/deep'],
    ['a link leads from the home to it', 'link'],
  ];

  it.each(homes)('is approved like any other: %s', async (_what, home) => {
    await using folder = await tempFolder();
    const { subject } = await place(folder);
    await symlink(subject.root, join(folder.path, 'link'));
    const environment = testEnvironment(folder.path, { home: join(folder.path, home) });
    expect(await standing(environment, subject)).toEqual({ kind: 'unknown' });
    expect(await approve(environment, subject)).toMatchObject({ ok: true });
    expect(await standing(environment, subject)).toMatchObject({ kind: 'approved' });
  });
});

describe('a trust store that another user could have written', () => {
  verifies('CFG-11');

  const spoilt: readonly (readonly [
    string,
    string,
    (store: string, text: string) => Promise<void>,
  ])[] = [
    [
      'because everybody may write it',
      'Others may write the file with what you have approved',
      (store) => chmod(store, 0o602),
    ],
    [
      'because its group may write it',
      'Others may write the file with what you have approved',
      (store) => chmod(store, 0o660),
    ],
    [
      'because everybody may replace it',
      'Everybody may write the folder with what you have approved',
      (store) => chmod(dirname(store), 0o777),
    ],
    [
      'because it is a link',
      'The file with what you have approved is a link',
      async (store) => {
        await rename(store, `${store}.real`);
        await symlink(`${store}.real`, store);
      },
    ],
    [
      'or is broken',
      'The file with what you have approved is broken',
      (store, text) => writeFile(store, text.slice(0, -3)),
    ],
    [
      'or has another form',
      'The file with what you have approved is broken',
      (store, text) => writeFile(store, text.replace('"format": 1', '"format": 2')),
    ],
    [
      'or holds a strange entry',
      'The file with what you have approved is broken',
      (store, text) => writeFile(store, text.replace(/"at": \d+/, '"at": "today"')),
    ],
  ];

  it.each(spoilt)('counts as empty and is not changed: %s', async (_why, reason, spoil) => {
    await using folder = await tempFolder();
    const { environment, subject, store } = await place(folder);
    await approve(environment, subject);
    await spoil(store, await readFile(store, 'utf8'));
    const before = await readFile(store, 'utf8');
    const trust = await readTrust(environment);
    expect(trust.consents).toEqual([]);
    expect(await trust.standingOf(subject)).toEqual({ kind: 'unknown' });
    expect(trust.diagnostics).toMatchObject([
      {
        severity: 'error',
        code: 'file-untrusted',
        message: `${reason}, so no server counts as approved.`,
        file: store,
      },
    ]);
    const refused = {
      ok: false,
      error: { kind: 'unusable-store', diagnostic: trust.diagnostics[0] },
    };
    expect(await approve(environment, subject)).toEqual(refused);
    expect(await revoke(environment, subject)).toEqual(refused);
    expect(await readFile(store, 'utf8')).toBe(before);
  });

  it('refuses to store an approval that would not be valid', async () => {
    await using folder = await tempFolder();
    const { environment, subject } = await place(folder);
    await chmod(await folder.mkdir('home/.local/state/plugboard'), 0o777);
    expect(await approve(environment, subject)).toMatchObject({
      ok: false,
      error: { kind: 'unusable-store', diagnostic: { code: 'file-untrusted' } },
    });
    expect(await standing(environment, subject)).toEqual({ kind: 'unknown' });
  });

  it('cannot be written if a file is in the way', async () => {
    await using folder = await tempFolder();
    const { environment, subject, store } = await place(folder);
    await folder.write('home/.local/state', '');
    expect(await approve(environment, subject)).toEqual({
      ok: false,
      error: { kind: 'unwritable', file: store, code: 'ENOTDIR' },
    });
  });
});
