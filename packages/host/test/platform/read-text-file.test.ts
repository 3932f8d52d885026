import { appendFile, open, symlink, writeFile } from 'node:fs/promises';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { tempFolder } from '@plugboard/testkit';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readTextFile } from '../../src/platform/read-text-file.ts';

const maxBytes = 1000;

describe('reading a text file', () => {
  it('returns any text within the limit', async () => {
    await using folder = await tempFolder();
    const text = fc
      .string({ unit: 'grapheme', maxLength: 50 })
      .filter((each) => !each.includes('\0') && !each.startsWith('\uFEFF'));
    await fc.assert(
      fc.asyncProperty(text, async (written) => {
        const path = await folder.write('file', written);
        expect(await readTextFile(path, { maxBytes: 10_000 })).toEqual({
          ok: true,
          value: written,
        });
      }),
      { numRuns: 50 },
    );
  });

  it('removes a byte order mark, but only the first', async () => {
    await using folder = await tempFolder();
    const path = await folder.write('file', '\uFEFF\uFEFFtext');
    expect(await readTextFile(path, { maxBytes })).toEqual({ ok: true, value: '\uFEFFtext' });
    expect(await readTextFile(path, { maxBytes, byteOrderMark: 'keep' })).toEqual({
      ok: true,
      value: '\uFEFF\uFEFFtext',
    });
  });

  it('follows a link', async () => {
    await using folder = await tempFolder();
    const path = join(folder.path, 'link');
    await symlink(await folder.write('file', 'text'), path);
    expect(await readTextFile(path, { maxBytes })).toEqual({ ok: true, value: 'text' });
  });

  it('counts bytes, exactly', async () => {
    await using folder = await tempFolder();
    const path = await folder.write('file', 'ää');
    expect([
      await readTextFile(path, { maxBytes: 4 }),
      await readTextFile(path, { maxBytes: 3 }),
    ]).toEqual([
      { ok: true, value: 'ää' },
      { ok: false, error: { kind: 'too-large', path, bytes: 4, limit: 3 } },
    ]);
  });

  it('stops at the limit when the file is longer than stated', async () => {
    // Files under /proc report a size of zero, like a file that grows after the check.
    const path = '/proc/self/status';
    expect(await readTextFile(path, { maxBytes: 10 })).toEqual({
      ok: false,
      error: { kind: 'too-large', path, bytes: 11, limit: 10 },
    });
    expect(await readTextFile(path, { maxBytes: 100_000 })).toEqual({
      ok: true,
      value: expect.stringContaining('Name:'),
    });
  });

  it('never returns more than the limit of a file that is being written', async () => {
    await using folder = await tempFolder();
    const path = await folder.write('file', '');
    const writing = (async () => {
      for (let times = 0; times < 50; times += 1) await appendFile(path, 'x'.repeat(50));
    })();
    for (let times = 0; times < 50; times += 1) {
      const read = await readTextFile(path, { maxBytes });
      expect(read.ok ? read.value.length : maxBytes).toBeLessThanOrEqual(maxBytes);
    }
    await writing;
  });
});

describe('reading a text file fails', () => {
  it('for a missing file, a folder, or a path through a file', async () => {
    await using folder = await tempFolder();
    const missing = join(folder.path, 'missing');
    const through = join(await folder.write('file', ''), 'below');
    const dangling = join(folder.path, 'dangling');
    await symlink(missing, dangling);
    expect(
      await Promise.all(
        [missing, through, dangling, folder.path].map((path) => readTextFile(path, { maxBytes })),
      ),
    ).toEqual([
      { ok: false, error: { kind: 'missing', path: missing } },
      { ok: false, error: { kind: 'missing', path: through } },
      { ok: false, error: { kind: 'missing', path: dangling } },
      { ok: false, error: { kind: 'folder', path: folder.path } },
    ]);
  });

  it('for a pipe without a writer and a device, without blocking', async () => {
    await using folder = await tempFolder();
    const pipe = join(folder.path, 'pipe');
    execFileSync('mkfifo', [pipe]);
    expect([
      await readTextFile(pipe, { maxBytes }),
      await readTextFile('/dev/zero', { maxBytes }),
    ]).toEqual([
      { ok: false, error: { kind: 'unreadable', path: pipe, code: 'NOT_A_FILE' } },
      { ok: false, error: { kind: 'unreadable', path: '/dev/zero', code: 'NOT_A_FILE' } },
    ]);
  });

  it('for anything but UTF-8 text', async () => {
    await using folder = await tempFolder();
    const path = join(folder.path, 'file');
    const refused = { ok: false, error: { kind: 'not-text', path } };
    for (const bytes of [[0x61, 0], [0xff, 0xfe, 0x61, 0], [0xc3], [0xed, 0xa0, 0x80]]) {
      await writeFile(path, Buffer.from(bytes));
      expect(await readTextFile(path, { maxBytes })).toEqual(refused);
    }
  });

  it('for a link that leads in a circle', async () => {
    await using folder = await tempFolder();
    const path = join(folder.path, 'circle');
    await symlink(path, path);
    expect(await readTextFile(path, { maxBytes })).toEqual({
      ok: false,
      error: { kind: 'unreadable', path, code: 'ELOOP' },
    });
  });

  it('for an impossible path', async () => {
    const path = 'a\0b';
    expect(await readTextFile(path, { maxBytes })).toEqual({
      ok: false,
      error: { kind: 'unreadable', path, code: 'ERR_INVALID_ARG_VALUE' },
    });
  });

  it('without leaving a file open', async () => {
    await using folder = await tempFolder();
    const path = await folder.write('file', '\0');
    const before = await nextDescriptor(path);
    for (let times = 0; times < 5; times += 1) await readTextFile(path, { maxBytes });
    expect(await nextDescriptor(path)).toBe(before);
  });
});

/** The system assigns the lowest free number. */
async function nextDescriptor(path: string): Promise<number> {
  const handle = await open(path);
  try {
    return handle.fd;
  } finally {
    await handle.close();
  }
}
