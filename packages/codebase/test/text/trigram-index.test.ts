import {
  appendFileSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { never, systemClock } from '@plugboard/base';
import { draftName } from '@plugboard/base/platform';
import { tempFolder, type TempFolder, verifies, waitUntil } from '@plugboard/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listFiles, TreeWatch } from '../../src/scan/index.ts';
import { TextSearch, TrigramIndex } from '../../src/text/index.ts';
import type { CheckedQuery } from '../../src/text/text-query.ts';

let place: TempFolder;
let root: { readonly path: string };
let folder: string;

beforeEach(async () => {
  place = await tempFolder();
  root = { path: await place.mkdir('tree') };
  folder = join(place.path, 'index');
  for (let number = 0; number < 200; number += 1) {
    await place.write(`tree/src/f${number}.ts`, `const value${number} = 'text of ${number}';\n`);
  }
});
afterEach(() => place[Symbol.asyncDispose]());

const asked = (pattern: string, isRegex = false): CheckedQuery => ({
  pattern,
  isRegex,
  isWord: false,
  isMultiline: false,
  caseRule: 'smart',
  globs: [],
  languages: [],
  contextLines: 0,
  maxResults: 10,
});

async function built(
  onFailure: (thrown: unknown) => void = (thrown) => expect.fail(String(thrown)),
): Promise<TrigramIndex> {
  const index = await TrigramIndex.open({ root, folder, onFailure });
  await index.update(listFiles(root, never));
  await index.settled();
  return index;
}

const segments = (): readonly string[] =>
  readdirSync(folder).filter((name) => name.endsWith('.seg'));

describe('the trigram index', () => {
  verifies('COD-03');

  it('names the files that can contain a pattern, and few others', async () => {
    await using index = await built();
    expect(index.candidates(asked('VALUE77'))).toEqual(['src/f77.ts']);
    expect(index.candidates(asked('value77.*77', true))).toEqual(['src/f77.ts']);
    expect(index.candidates(asked('nowhere'))).toEqual([]);
  });

  it('keeps a file that was added during a listing that does not contain it', async () => {
    await using index = await built();
    const listing = [];
    index.listingBegins();
    for await (const file of listFiles(root, never)) listing.push(file);
    await place.write('tree/src/late.ts', 'const lateComer = 1;\n');
    index.tell(['src/late.ts'], []);
    await index.update(listing);
    expect(index.candidates(asked('lateComer'))).toEqual(['src/late.ts']);
    // The next listing without the file is correct.
    rmSync(join(root.path, 'src/late.ts'));
    index.listingBegins();
    await index.update(listing);
    expect(index.candidates(asked('lateComer'))).toEqual([]);
  });

  it('gives no candidates when it cannot know them, or when most files match', async () => {
    await using index = await built();
    expect(index.candidates(asked('ab'))).toBeUndefined();
    expect(index.candidates(asked('value[0-9]*|.', true))).toBeUndefined();
    expect(index.candidates(asked('const'))).toBeUndefined();
  });

  it('covers UTF-16, and letters whose length changes with their case', async () => {
    writeFileSync(join(root.path, 'utf16.txt'), Buffer.from('\ufeffwide needle\n', 'utf16le'));
    await place.write('tree/kelvin.ts', 'bac\u212apac\u212a\n');
    await place.write('tree/long-s.ts', 'pa\u017f\u017fport\n');
    await using index = await built();
    const search = new TextSearch({ root, clock: systemClock, index });
    for (const [pattern, path] of [
      ['wide needle', 'utf16.txt'],
      ['backpack', 'kelvin.ts'],
      ['passport', 'long-s.ts'],
    ] as const) {
      expect(index.candidates(asked(pattern))).toContain(path);
      expect(await search.page({ pattern })).toMatchObject({
        value: { files: [{ path }], total: 1 },
      });
    }
  });

  it('is stored, and reads only changed files the next time', async () => {
    await (await built())[Symbol.asyncDispose]();
    const before = segments();
    await place.write('tree/src/f1.ts', 'entirely other\n');
    await place.write('tree/new.ts', 'something new\n');
    rmSync(join(root.path, 'src/f2.ts'));
    await using index = await TrigramIndex.open({ root, folder });
    expect(index.candidates(asked('value3;'))).toBeUndefined();
    await index.update(listFiles(root, never));
    expect(index.state).toMatchObject({ kind: 'warm', files: 200, waiting: 2 });
    await index.settled();
    expect(index.state).toMatchObject({ kind: 'warm', files: 200, waiting: 0 });
    expect(segments()).toHaveLength(before.length + 1);
    expect(index.candidates(asked('something new'))).toEqual(['new.ts']);
    expect(index.candidates(asked('value1 '))).toEqual([]);
    expect(index.candidates(asked('value2 '))).toEqual([]);
  });

  it('treats a changed file as a candidate until it has been read again', async () => {
    await using index = await built();
    await place.write('tree/src/f5.ts', 'entirely other\n');
    index.tell(['src/f5.ts'], []);
    expect(index.candidates(asked('no such thing'))).toEqual(['src/f5.ts']);
    await index.settled();
    expect(index.candidates(asked('no such thing'))).toEqual([]);
    expect(index.candidates(asked('entirely'))).toEqual(['src/f5.ts']);
  });

  it('removes a folder that is gone', async () => {
    await using index = await built();
    index.tell([], ['src']);
    expect(index.state).toMatchObject({ files: 0 });
  });

  it('treats all files as candidates while it may be stale', async () => {
    await using index = await built();
    index.doubt();
    expect([index.candidates(asked('value77')), index.paths()]).toEqual([undefined, undefined]);
  });

  it.each<[string, (file: string) => void]>([
    ['cut', (file) => truncateSync(file, 5000)],
    ['empty', (file) => truncateSync(file, 0)],
    ['longer', (file) => appendFileSync(file, 'x')],
    ['changed in one byte', (file) => flip(file)],
  ])('is rebuilt with a notice when a part of it is %s', async (_, spoil) => {
    await (await built())[Symbol.asyncDispose]();
    spoil(join(folder, segments()[0]!));
    await using index = await built();
    expect(index.state).toMatchObject({ broken: 1, files: 200, waiting: 0 });
    expect(index.candidates(asked('value77'))).toEqual(['src/f77.ts']);
  });

  it('drops segments that are mostly outdated', async () => {
    await using index = await built();
    const [first] = segments();
    const paths = Array.from({ length: 150 }, (_, number) => `src/f${number}.ts`);
    for (const path of paths) await place.write(`tree/${path}`, `changed ${path}\n`);
    index.tell(paths, []);
    await index.settled();
    await waitUntil(() => !segments().includes(first!), { describe: 'the old part to go' });
    expect(index.candidates(asked('value177'))).toEqual(['src/f177.ts']);
    expect(index.candidates(asked('changed src/f77'))).toEqual(['src/f77.ts']);
  });

  it('still finds everything when it cannot be written', async () => {
    writeFileSync(folder, 'a file where the folder should be');
    const failures: unknown[] = [];
    await using index = await built((thrown) => failures.push(thrown));
    expect(failures).toHaveLength(1);
    const search = new TextSearch({ root, clock: systemClock, index });
    expect(await search.page({ pattern: 'value77' })).toMatchObject({ value: { total: 1 } });
  });

  it('removes half-written files of a killed builder, and keeps those of a running one', async () => {
    await (await built())[Symbol.asyncDispose]();
    const [name] = segments();
    const left = `${name}.0123456789ab.tmp`;
    const begun = `${name}.ba9876543210.tmp`;
    for (const draft of [left, begun]) writeFileSync(join(folder, draft), 'half of it');
    const longAgo = (Date.now() - 11 * 60_000) / 1000;
    utimesSync(join(folder, left), longAgo, longAgo);
    await using index = await built();
    expect(readdirSync(folder)).toEqual([name, begun]);
    expect(index.candidates(asked('value77'))).toEqual(['src/f77.ts']);
  });

  it('removes the files of a killed builder when it writes its next part', async () => {
    verifies('POL-19');
    await (await built())[Symbol.asyncDispose]();
    const [name] = segments();
    const own = draftName();
    const drafts = [own.replace(`-${process.pid}-`, '-2147483646-'), own];
    const earlier = (Date.now() - 2 * 60_000) / 1000;
    for (const draft of drafts) {
      writeFileSync(join(folder, draft), 'half of it');
      utimesSync(join(folder, draft), earlier, earlier);
    }
    rmSync(join(folder, name ?? ''));
    await using _index = await built();
    expect(readdirSync(folder).filter((each) => drafts.includes(each))).toEqual(drafts.slice(1));
  });

  it('is no larger than a fifth of typical text', async () => {
    const source = readFileSync(new URL('../../src/text/text-search.ts', import.meta.url), 'utf8');
    let bytes = 0;
    for (let number = 0; number < 300; number += 1) {
      const text = source.replaceAll('query', `query${number}`);
      await place.write(`tree/large/f${number}.ts`, text);
      bytes += text.length;
    }
    await using index = await built();
    expect(index.state.bytes / bytes).toBeLessThan(0.2);
  });

  it('finds an edit within half a second', async () => {
    await using index = await built();
    await using _watch = await TreeWatch.open(root, (change) => {
      if (change.kind === 'files') index.tell(change.changed, change.removed);
      else index.doubt();
    });
    const search = new TextSearch({ root, clock: systemClock, index });
    let edits = 0;
    // On a busy machine a program may not get its turn within that time, but it does before long.
    await waitUntil(
      async () => {
        edits += 1;
        const pattern = `thing ${edits} never seen before`;
        const startedAt = performance.now();
        await place.write('tree/src/f9.ts', `a ${pattern}\n`);
        await waitUntil(
          async () => {
            const page = await search.page({ pattern });
            return page.ok && page.value.total === 1;
          },
          { describe: 'the edit to be found' },
        );
        return performance.now() - startedAt < 500;
      },
      { describe: 'an edit that is found in time' },
    );
  });
});

function flip(file: string): void {
  const bytes = readFileSync(file);
  bytes[bytes.length - 100]! ^= 1;
  writeFileSync(file, bytes);
}
