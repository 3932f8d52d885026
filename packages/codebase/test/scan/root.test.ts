import { execFileSync } from 'node:child_process';
import { truncateSync } from 'node:fs';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TempFolder, tempFolder, verifies } from '@plugboard/testkit';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { contentHash, Root } from '../../src/scan/index.ts';
import { normalPath } from '../../src/scan/path-problem.ts';

let place: TempFolder;
let root: Root;

beforeEach(async () => {
  place = await tempFolder();
  await place.write('tree/src/a.ts', 'one\ntwo\nthree\n');
  await place.write('outside/secret.txt', 'secret');
  const opened = await Root.open(join(place.path, 'tree'));
  if (!opened.ok) throw new Error(opened.error.message);
  root = opened.value;
});

afterEach(() => place[Symbol.asyncDispose]());

const inTree = (path: string): string => join(place.path, 'tree', path);

async function codeOfReading(path: string): Promise<string> {
  const read = await root.read(path);
  return read.ok ? read.value.text : read.error.code;
}

describe('a path in the root', () => {
  verifies('COD-02');

  it.each([
    ['', 'path-empty'],
    ['..', 'path-outside'],
    ['../outside/secret.txt', 'path-outside'],
    ['src/../../outside/secret.txt', 'path-outside'],
    ['src/../src/a.ts', 'path-outside'],
    ['/etc/passwd', 'path-absolute'],
    ['~/secret', 'path-absolute'],
    ['C:\\Windows', 'path-absolute'],
    ['C:/Windows', 'path-absolute'],
    ['..\\outside\\secret.txt', 'path-backslash'],
    ['src\\a.ts', 'path-backslash'],
    ['src/a.ts\0.png', 'path-nul'],
    ['x'.repeat(256), 'path-too-long'],
    ['x/'.repeat(3000), 'path-too-long'],
    ['src/none.ts', 'not-found'],
    ['src/a.ts/none', 'not-found'],
    ['src', 'not-a-file'],
  ])('%j is refused as %s, for reading, listing and metadata alike', async (path, code) => {
    const read = await root.read(path);
    expect(read).toMatchObject({ ok: false, error: { code } });
    if (code === 'not-a-file') return;
    for (const answer of [await root.list(path), await root.stat(path), await root.resolve(path)]) {
      expect(answer).toMatchObject({ ok: false, error: { code } });
    }
  });

  it('may have redundant parts', async () => {
    expect(await root.resolve('./src//./a.ts')).toEqual({ ok: true, value: 'src/a.ts' });
    expect(await codeOfReading('src/./a.ts')).toBe('one\ntwo\nthree\n');
  });

  it('is shortened in a refusal, which says what to do instead', () => {
    const refused = normalPath(`/${'x'.repeat(5000)}`);
    expect(refused).toMatchObject({ ok: false, error: { path: `/${'x'.repeat(119)}…` } });
    expect(normalPath('/etc')).toMatchObject({
      error: {
        message: '"/etc": it is not inside the root; give a path relative to the root',
      },
    });
  });

  it('is never absolute and never leads upwards once it is normalized', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('.', '/', 'a', '\\', '\0', ':') }), (path) => {
        const normal = normalPath(path);
        if (!normal.ok) return;
        expect(normal.value.split('/')).not.toContain('..');
        expect(normal.value).not.toMatch(/^\/|\0|\\/);
      }),
    );
  });
});

describe('a link in the root', () => {
  verifies('COD-02');

  it('is refused when it leads to a file outside', async () => {
    await symlink(join(place.path, 'outside/secret.txt'), inTree('link.txt'));
    expect(await codeOfReading('link.txt')).toBe('path-outside');
  });

  it('is refused when it leads to a folder outside, also for files in that folder', async () => {
    await symlink(join(place.path, 'outside'), inTree('folder'));
    expect(await codeOfReading('folder/secret.txt')).toBe('path-outside');
    expect(await root.list('folder')).toMatchObject({ error: { code: 'path-outside' } });
  });

  it('is refused when it leads to a folder whose name only begins like the root', async () => {
    await mkdir(join(place.path, 'tree-of-others'));
    await writeFile(join(place.path, 'tree-of-others/x'), 'secret');
    await symlink('../tree-of-others', inTree('others'));
    expect(await codeOfReading('others/x')).toBe('path-outside');
  });

  it('is followed within the tree', async () => {
    await symlink('src/a.ts', inTree('inner.ts'));
    expect(await codeOfReading('inner.ts')).toBe('one\ntwo\nthree\n');
  });

  it('is refused when it leads to itself', async () => {
    await symlink('loop', inTree('loop'));
    expect(await codeOfReading('loop')).toBe('path-outside');
  });

  it('is refused when it leads into /proc', async () => {
    await symlink('/proc/self/root/etc', inTree('proc'));
    await symlink('/proc/self/environ', inTree('environ'));
    expect(await codeOfReading('proc/hostname')).toBe('path-outside');
    expect(await codeOfReading('environ')).toBe('path-outside');
  });
});

describe('something that is not a regular file', () => {
  verifies('COD-02');

  it('is not opened: a pipe without a writer is refused at once', async () => {
    execFileSync('mkfifo', [inTree('pipe')]);
    expect(await codeOfReading('pipe')).toBe('special-file');
  });

  it('is refused when the root is the whole disk', async () => {
    const disk = await Root.open('/');
    if (!disk.ok) throw new Error(disk.error.message);
    for (const path of ['dev/zero', 'dev/null', 'proc/self/environ', 'proc/1/mem', 'sys/kernel']) {
      expect(await disk.value.read(path)).toMatchObject({ error: { code: 'special-file' } });
    }
  });

  it('is not accepted as a root', async () => {
    expect(await Root.open('/proc')).toMatchObject({ error: { code: 'root-gone' } });
    expect(await Root.open(inTree('src/a.ts'))).toMatchObject({ error: { code: 'root-gone' } });
  });
});

describe('a root that disappears', () => {
  it('makes reads fail as root-gone', async () => {
    await rm(root.path, { recursive: true });
    expect(await root.read('src/a.ts')).toMatchObject({ error: { code: 'root-gone' } });
    expect(await root.list('.')).toMatchObject({ error: { code: 'root-gone' } });
    expect(await root.stat('src')).toMatchObject({ error: { code: 'root-gone' } });
  });
});

describe('reading a file', () => {
  verifies('COD-07');

  it('returns a range of lines and where the range ends', async () => {
    expect(await root.read('src/a.ts', { startLine: 2, endLine: 2 })).toEqual({
      ok: true,
      value: {
        path: 'src/a.ts',
        size: 14,
        text: 'two\n',
        startLine: 2,
        endLine: 2,
        isEnd: false,
        cutLines: [],
        hasInvalidText: false,
      },
    });
  });

  it('returns pages that together make up the file, whatever its lines', async () => {
    const line = fc.string({ unit: fc.constantFrom('a', 'é', '😀', '\r', ' '), maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(line, { maxLength: 40 }),
        fc.integer({ min: 1, max: 100 }),
        async (lines, maxBytes) => {
          const text = lines.join('\n');
          await writeFile(inTree('pages.txt'), text);
          let whole = '';
          for (let startLine = 1; ;) {
            const page = await root.read('pages.txt', { startLine, maxBytes });
            if (!page.ok) throw new Error(page.error.message);
            whole += page.value.text;
            if (page.value.isEnd) break;
            startLine = page.value.endLine + 1;
          }
          expect(whole).toBe(text);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('reports that the file ends before the requested line', async () => {
    expect(await root.read('src/a.ts', { startLine: 9 })).toMatchObject({
      error: { code: 'no-such-line' },
    });
  });

  it('keeps line endings', async () => {
    await writeFile(inTree('crlf.txt'), 'a\r\nb\r\n');
    expect(await codeOfReading('crlf.txt')).toBe('a\r\nb\r\n');
  });

  it('reads lines that are not UTF-8 as Latin-1, and reports that', async () => {
    await writeFile(inTree('latin1.txt'), Buffer.from('caf\xe9\n', 'latin1'));
    expect(await root.read('latin1.txt')).toMatchObject({
      ok: true,
      value: { text: 'café\n', hasInvalidText: true },
    });
  });

  it('refuses a binary file', async () => {
    await writeFile(inTree('image.png'), Buffer.from([0x89, 0x50, 0, 0]));
    expect(await codeOfReading('image.png')).toBe('binary-file');
  });

  it('cuts a line of 50 MB, and continues with the next line', async () => {
    await writeFile(inTree('long.txt'), `${'é'.repeat(25_000_000)}\nafter\n`);
    const read = await root.read('long.txt');
    if (!read.ok) throw new Error(read.error.message);
    const { text, cutLines, endLine, isEnd, hasInvalidText } = read.value;
    expect({ cutLines, endLine, isEnd, hasInvalidText, length: text.length }).toEqual({
      cutLines: [1],
      endLine: 2,
      isEnd: true,
      hasInvalidText: false,
      length: 8 * 1024 + 1 + 6,
    });
    expect(text.endsWith('é\nafter\n')).toBe(true);
  });

  it('returns the beginning of a file of 2 GB without reading the rest', async () => {
    await writeFile(inTree('huge.txt'), 'line\n'.repeat(4000));
    truncateSync(inTree('huge.txt'), 2 ** 31);
    const before = process.memoryUsage().rss;
    const read = await root.read('huge.txt', { endLine: 3 });
    expect(read).toMatchObject({ ok: true, value: { text: 'line\nline\nline\n', size: 2 ** 31 } });
    expect(process.memoryUsage().rss - before).toBeLessThan(64 * 2 ** 20);
    expect(await root.readBytes('huge.txt', 1024)).toEqual({ ok: true, value: undefined });
  });

  it('can be aborted', async () => {
    const reason = new Error('enough');
    await expect(root.read('src/a.ts', {}, AbortSignal.abort(reason))).rejects.toBe(reason);
  });
});

describe('listing a folder', () => {
  it('sorts, marks ignored entries, and shows links as links', async () => {
    await place.write('tree/.gitignore', '*.log\n/build/\n');
    await place.write('tree/src/.gitignore', '!kept.log\n');
    await place.write('tree/src/kept.log', '');
    await place.write('tree/b.log', 'x');
    await place.write('tree/build/x.js', '');
    await symlink('/etc', inTree('etc'));
    const listed = await root.list('.');
    if (!listed.ok) throw new Error(listed.error.message);
    expect(listed.value).toEqual({
      path: '',
      total: 5,
      isCut: false,
      isMarked: true,
      entries: [
        { name: 'build', path: 'build', kind: 'folder', isIgnored: true },
        { name: 'src', path: 'src', kind: 'folder', isIgnored: false },
        { name: '.gitignore', path: '.gitignore', kind: 'file', size: 14, isIgnored: true },
        { name: 'b.log', path: 'b.log', kind: 'file', size: 1, isIgnored: true },
        { name: 'etc', path: 'etc', kind: 'link', isIgnored: false },
      ],
    });
    const inFolder = await root.list('src');
    expect(inFolder).toMatchObject({ value: { total: 3 } });
    const shown = inFolder.ok ? inFolder.value.entries.filter((one) => !one.isIgnored) : [];
    expect(shown).toMatchObject([{ path: 'src/a.ts', size: 14 }, { path: 'src/kept.log' }]);
  });

  it('returns pages', async () => {
    verifies('COD-07');
    for (let number = 0; number < 25; number += 1) await place.write(`tree/many/f${number}`, '');
    const seen: string[] = [];
    for (let offset: number | undefined = 0; offset !== undefined;) {
      const listed = await root.list('many', { offset, limit: 10 });
      if (!listed.ok) throw new Error(listed.error.message);
      seen.push(...listed.value.entries.map(({ name }) => name));
      offset = listed.value.nextOffset;
    }
    expect(seen).toEqual(Array.from({ length: 25 }, (_, n) => `f${n}`).toSorted());
  });

  it('is refused for a file', async () => {
    expect(await root.list('src/a.ts')).toMatchObject({ error: { code: 'not-a-folder' } });
  });
});

describe('a content hash', () => {
  it('is the same for text and its bytes', () => {
    expect(contentHash('abc')).toBe(contentHash(Buffer.from('abc')));
    expect(contentHash('abc')).toBe('ba7816bf8f01cfea414140de5dae2223');
  });
});
