import { readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { type TempFolder, tempFolder, verifies, type ZipEntry, zipOf } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { unpackZip } from '../../src/platform/unpack-zip.ts';
import { ZIP_LIMITS, type ZipLimits } from '../../src/platform/zip-entry.ts';

async function unpack(
  folder: TempFolder,
  zip: Buffer,
  limits?: ZipLimits,
): Promise<Awaited<ReturnType<typeof unpackZip>>> {
  const file = join(folder.path, 'in.zip');
  await writeFile(file, zip);
  const target = join(folder.path, 'out');
  return unpackZip(limits === undefined ? { file, target } : { file, target, limits });
}

/** Every file below a folder, with its mode and text. */
async function filesIn(folder: string): Promise<Record<string, readonly [number, string]>> {
  const items = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = items.filter((item) => item.isFile());
  const read = files.map(async ({ parentPath, name }) => {
    const path = join(parentPath, name);
    const { mode } = await stat(path);
    return [path.slice(folder.length + 1), [mode & 0o7777, await readFile(path, 'utf8')]] as const;
  });
  return Object.fromEntries(await Promise.all(read));
}

/** The files after a zip was refused: only the zip itself. */
async function expectNothingLeft(folder: TempFolder): Promise<void> {
  expect(await readdir(folder.path)).toEqual(['in.zip']);
}

const refusal = (entry: string, reason: string) => ({
  ok: false,
  error: { kind: 'refused', entry, reason },
});

describe('unpacking a zip', () => {
  it('creates the folder with its files, executable or not, and nothing more', async () => {
    await using folder = await tempFolder();
    const zip = zipOf([
      { name: 'folder/', mode: 0o040777 },
      { name: 'folder/stored.txt', data: 'täxt', method: 0, mode: 0o100666 },
      { name: 'folder/run', data: 'x'.repeat(5000), mode: 0o104711 },
      { name: 'dos', data: '', mode: 0 },
    ]);
    expect(await unpack(folder, zip)).toEqual({ ok: true, value: undefined });
    expect(await filesIn(join(folder.path, 'out'))).toEqual({
      'folder/stored.txt': [0o644, 'täxt'],
      'folder/run': [0o755, 'x'.repeat(5000)],
      dos: [0o644, ''],
    });
    expect((await readdir(folder.path)).toSorted()).toEqual(['in.zip', 'out']);
  });

  it('keeps an existing folder', async () => {
    await using folder = await tempFolder();
    await folder.write('out/mine', 'mine');
    expect(await unpack(folder, zipOf([{ name: 'a', data: 'a' }]))).toEqual({
      ok: false,
      error: { kind: 'exists' },
    });
    expect(await filesIn(join(folder.path, 'out'))).toMatchObject({
      mine: [expect.any(Number), 'mine'],
    });
    expect((await readdir(folder.path)).toSorted()).toEqual(['in.zip', 'out']);
  });
});

describe('a zip that reaches out of its folder', () => {
  verifies('CFG-09');
  const OK: ZipEntry = { name: 'fine', data: 'fine' };

  it.for([
    ['/etc/evil', 'absolute-path'],
    ['//host/share', 'absolute-path'],
    ['C:/evil', 'absolute-path'],
    ['c:evil', 'absolute-path'],
    ['../evil', 'leaves-folder'],
    ['a/../../evil', 'leaves-folder'],
    ['a/..', 'leaves-folder'],
    ['../', 'leaves-folder'],
    ['..\\evil', 'bad-name'],
    ['a\\b', 'bad-name'],
    ['a\0b', 'bad-name'],
    ['a\nb', 'bad-name'],
    ['', 'bad-name'],
    ['a//b', 'bad-name'],
    ['./a', 'bad-name'],
    ['a/./b', 'bad-name'],
    ['a./b', 'bad-name'],
    ['a ', 'bad-name'],
    ['ab:stream', 'bad-name'],
  ] as const)('is refused as a whole: %j', async ([name, reason]) => {
    await using folder = await tempFolder();
    expect(await unpack(folder, zipOf([OK, { name, data: 'evil' }]))).toEqual(
      refusal(name, reason),
    );
    await expectNothingLeft(folder);
  });

  it('is refused if a name is not UTF-8', async () => {
    await using folder = await tempFolder();
    const result = await unpack(folder, zipOf([{ name: Buffer.from([0x61, 0xff]) }]));
    expect(result).toEqual(refusal('a\uFFFD', 'bad-name'));
  });

  it.for([
    ['a link', 0o120777],
    ['a pipe', 0o010644],
    ['a device', 0o020644],
    ['a socket', 0o140644],
    ['a folder that is called like a file', 0o040755],
  ] as const)('is refused for %s', async ([, mode]) => {
    await using folder = await tempFolder();
    expect(await unpack(folder, zipOf([OK, { name: 'x', data: '/etc', mode }]))).toEqual(
      refusal('x', 'not-a-file'),
    );
    await expectNothingLeft(folder);
  });

  it('does not write through what an earlier entry created', async () => {
    await using folder = await tempFolder();
    const zip = zipOf([
      { name: 'x', data: folder.path, mode: 0o120777 },
      { name: 'x/evil', data: 'evil' },
    ]);
    expect(await unpack(folder, zip)).toEqual(refusal('x', 'not-a-file'));
    await expectNothingLeft(folder);
  });
});

describe('names that are equal on some file system', () => {
  it.for([
    [['a', 'a'], 'same-name'],
    [['Readme', 'README'], 'same-name'],
    [['caf\u00E9', 'cafe\u0301'], 'same-name'],
    [['stra\u00DFe', 'STRASSE'], 'same-name'],
    [['Folder/a', 'folder/b'], 'same-name'],
    [['Folder/', 'folder/b'], 'same-name'],
    [['a', 'a/b'], 'file-is-folder'],
    [['a/b', 'a'], 'file-is-folder'],
    [['a/', 'a'], 'file-is-folder'],
  ] as const)('are refused: %j', async ([[first, second], reason]) => {
    await using folder = await tempFolder();
    const mode = (name: string) => (name.endsWith('/') ? 0o040755 : 0o100644);
    const zip = zipOf([first, second].map((name) => ({ name, mode: mode(name) })));
    expect(await unpack(folder, zip)).toEqual(refusal(second, reason));
    await expectNothingLeft(folder);
  });

  it('do not include a listed folder that contains files', async () => {
    await using folder = await tempFolder();
    const zip = zipOf([
      { name: 'a/b/c', data: '1' },
      { name: 'a/', mode: 0o040755 },
      { name: 'a/b/', mode: 0o040755 },
      { name: 'a/d', data: '2' },
    ]);
    expect((await unpack(folder, zip)).ok).toBe(true);
  });

  it('are refused for a folder that has bytes', async () => {
    await using folder = await tempFolder();
    const zip = zipOf([{ name: 'a/', data: 'x', mode: 0o040755 }]);
    expect(await unpack(folder, zip)).toEqual(refusal('a/', 'file-is-folder'));
  });
});

describe('a zip that does not contain what it lists', () => {
  it.for([
    ['encrypted', { flags: 1 }, 'encrypted'],
    ['with a masked list', { flags: 0x2000 }, 'encrypted'],
    ['packed in another way', { method: 12 }, 'unknown-compression'],
    ['longer than it says', { size: 10 }, 'wrong-size'],
    ['longer than it says, and not packed', { size: 10, method: 0 }, 'wrong-size'],
    ['shorter than it says', { size: 2000 }, 'wrong-size'],
    ['with a wrong checksum', { checksum: 7 }, 'broken'],
    ['cut off', { packedSize: 3 }, 'broken'],
  ] as const)('is refused: %s', async ([, lie, reason]) => {
    await using folder = await tempFolder();
    const data = Buffer.from(Array.from({ length: 1000 }, (_, index) => (index * 31) % 251));
    expect(await unpack(folder, zipOf([{ name: 'x', data, ...lie }]))).toEqual(
      refusal('x', reason),
    );
    await expectNothingLeft(folder);
  });

  it('is given up as soon as it turns out longer, before the rest is read', async () => {
    await using folder = await tempFolder();
    const data = Buffer.from(Array.from({ length: 200_000 }, (_, index) => (index * index) % 251));
    // Reading it to its end would fail with another error.
    const zip = zipOf([{ name: 'x', data, size: 10, packedSize: 500 }]);
    expect(await unpack(folder, zip)).toEqual(refusal('x', 'wrong-size'));
    await expectNothingLeft(folder);
  });

  it('is refused if it uses strong encryption', async () => {
    await using folder = await tempFolder();
    expect(await unpack(folder, zipOf([{ name: 'x', data: 'x', flags: 0x40 }]))).toEqual({
      ok: false,
      error: { kind: 'not-a-zip' },
    });
  });
});

describe('a zip that is too large', () => {
  it('is refused for more than 10,000 entries', async () => {
    await using folder = await tempFolder();
    const entries = Array.from({ length: 10_001 }, (_, index) => ({ name: `${index}`, method: 0 }));
    expect(await unpack(folder, zipOf(entries))).toEqual({
      ok: false,
      error: { kind: 'too-many-entries', limit: 10_000 },
    });
    await expectNothingLeft(folder);
  });

  it('is refused for more than 512 MiB, before anything is written', async () => {
    await using folder = await tempFolder();
    const half = 256 * 1024 * 1024;
    const zip = zipOf([
      { name: 'a', data: 'a', size: half, packedSize: half },
      { name: 'b', data: 'b', size: half + 1, packedSize: half },
    ]);
    expect(await unpack(folder, zip)).toEqual({
      ok: false,
      error: { kind: 'too-large', limit: 2 * half },
    });
    await expectNothingLeft(folder);
  });

  it('is refused if its compression ratio is too high', async () => {
    await using folder = await tempFolder();
    const zip = zipOf([{ name: 'bomb', data: Buffer.alloc(4 * 1024 * 1024) }]);
    expect(await unpack(folder, zip)).toEqual(refusal('bomb', 'too-compressed'));
    await expectNothingLeft(folder);
  });

  it('is refused if entries share their bytes', async () => {
    await using folder = await tempFolder();
    const limits = { ...ZIP_LIMITS, maxRatio: 5, ratioFrom: 10_000 };
    const data = Buffer.from('0123456789abcdefghij'.repeat(400));
    const shared = (name: string): ZipEntry => ({ name, data, offset: 0 });
    const names = Array.from({ length: 50 }, (_, index) => `${index}`.padStart(2, '0'));
    const honest = zipOf([shared('00')]);
    const cheap = zipOf(names.map(shared));
    // The bytes of all but the first are removed, so that only the list contains them.
    const perEntry = honest.length - 22 - 48;
    const bomb = Buffer.concat([cheap.subarray(0, perEntry), cheap.subarray(perEntry * 50)]);
    bomb.writeUInt32LE(perEntry, bomb.length - 6);
    expect(await unpack(folder, bomb, limits)).toEqual({
      ok: false,
      error: { kind: 'too-large', limit: bomb.length * 5 },
    });
    expect((await unpack(folder, bomb, { ...limits, maxRatio: 1000 })).ok).toBe(true);
  });
});

describe('a file that is not a zip', () => {
  it.for([
    ['', { kind: 'not-a-zip' }],
    ['PK\u0003\u0004 and no more', { kind: 'not-a-zip' }],
    ['{"name": "x"}'.repeat(100), { kind: 'not-a-zip' }],
  ] as const)('is refused: %j', async ([text, error]) => {
    await using folder = await tempFolder();
    expect(await unpack(folder, Buffer.from(text))).toEqual({ ok: false, error });
    await expectNothingLeft(folder);
  });

  it('is refused if it is missing, a folder, or a dangling link', async () => {
    await using folder = await tempFolder();
    await symlink('nowhere', join(folder.path, 'link'));
    const target = join(folder.path, 'out');
    const tried = ['missing', '.', 'link'].map((name) =>
      unpackZip({ file: join(folder.path, name), target }),
    );
    expect(await Promise.all(tried)).toEqual([
      { ok: false, error: { kind: 'missing' } },
      { ok: false, error: { kind: 'unreadable', code: 'NOT_A_FILE' } },
      { ok: false, error: { kind: 'missing' } },
    ]);
  });

  it('never makes unpacking throw or write beside its folder, whatever the bytes are', async () => {
    const fair = zipOf([
      { name: 'a/b', data: 'text text text text' },
      { name: 'c', data: 'more', method: 0 },
    ]);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat({ max: fair.length - 1 }), fc.nat({ max: 255 })), {
          minLength: 1,
          maxLength: 8,
        }),
        fc.nat({ max: fair.length }),
        async (changes, length) => {
          const bytes = Buffer.from(fair);
          for (const [at, value] of changes) bytes[at] = value;
          await using folder = await tempFolder();
          const cut = length % 4 === 0 ? bytes.subarray(0, length) : bytes;
          const { ok } = await unpack(folder, cut);
          const left = (await readdir(folder.path)).toSorted();
          expect(left).toEqual(ok ? ['in.zip', 'out'] : ['in.zip']);
        },
      ),
      { numRuns: 300 },
    );
  });
});
