import { execFileSync } from 'node:child_process';
import { rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '@plugboard/base';
import {
  descendants,
  ManualClock,
  tempFolder,
  type TempFolder,
  verifies,
  waitUntil,
} from '@plugboard/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type FileMatches,
  type SearchEvent,
  type TextPage,
  type TextQuery,
  TextSearch,
} from '../../src/text/index.ts';

let place: TempFolder;
let search: TextSearch;

beforeEach(async () => {
  place = await tempFolder();
  search = new TextSearch({ root: place, clock: systemClock });
});
afterEach(() => place[Symbol.asyncDispose]());

async function page(query: TextQuery): Promise<TextPage> {
  const found = await search.page(query);
  if (!found.ok) throw new Error(found.error.message);
  return found.value;
}

const places = (files: readonly FileMatches[]): readonly string[] =>
  files.flatMap(({ path, matches }) => matches.map(({ line }) => `${path}:${line}`));
const found = async (query: TextQuery): Promise<readonly string[]> =>
  places((await page(query)).files);

describe('a text search', () => {
  verifies('COD-03');

  it('takes a pattern literally unless it is marked as a regex', async () => {
    await place.write('a.ts', 'a.c\nabc\n');
    expect(await found({ pattern: 'a.c' })).toEqual(['a.ts:1']);
    expect(await found({ pattern: 'a.c', regex: true })).toEqual(['a.ts:1', 'a.ts:2']);
  });

  it('is case-sensitive when the pattern has a capital, or as requested', async () => {
    await place.write('a.ts', 'Foo\nfoo\n');
    expect(await found({ pattern: 'foo' })).toEqual(['a.ts:1', 'a.ts:2']);
    expect(await found({ pattern: 'Foo' })).toEqual(['a.ts:1']);
    expect(await found({ pattern: 'foo', case: 'sensitive' })).toEqual(['a.ts:2']);
    expect(await found({ pattern: 'Foo', case: 'insensitive' })).toEqual(['a.ts:1', 'a.ts:2']);
  });

  it('finds whole words only, when requested', async () => {
    await place.write('a.ts', 'foobar\nfoo bar\n');
    expect(await found({ pattern: 'foo', word: true })).toEqual(['a.ts:2']);
  });

  it('selects files by globs and by languages, and never includes ignored files', async () => {
    await place.write('.gitignore', 'ignored.ts\n');
    for (const path of ['a.ts', 'src/b.tsx', 'src/c.py', 'lib/d.js', 'ignored.ts', '.hidden.ts']) {
      await place.write(path, 'word');
    }
    const pattern = 'word';
    expect(await found({ pattern, globs: ['*.ts'] })).toEqual(['a.ts:1']);
    expect(await found({ pattern, globs: ['src/**', '!*.py'] })).toEqual(['src/b.tsx:1']);
    expect(await found({ pattern, globs: ['!src'] })).toEqual(['a.ts:1', 'lib/d.js:1']);
    expect(await found({ pattern, languages: ['typescript'] })).toEqual(['a.ts:1', 'src/b.tsx:1']);
    expect(await found({ pattern, languages: ['Python', 'javascript'] })).toEqual([
      'lib/d.js:1',
      'src/c.py:1',
    ]);
    expect(await found({ pattern, languages: ['python'], globs: ['lib/**'] })).toEqual([]);
  });

  it('returns the lines around a match, without line endings', async () => {
    await place.write('a.ts', 'one\r\ntwo\r\nthree\r\nfour\r\n');
    expect((await page({ pattern: 'three', contextLines: 1 })).files).toEqual([
      {
        path: 'a.ts',
        count: 1,
        matches: [
          {
            line: 3,
            column: 1,
            text: 'three',
            isCut: false,
            before: [{ line: 2, text: 'two', isCut: false }],
            after: [{ line: 4, text: 'four', isCut: false }],
          },
        ],
      },
    ]);
  });

  it('ranks declarations first, then files with that name, then others, tests, and vendored files', async () => {
    await place.write('a.ts', 'use(fooBar)\n');
    await place.write('foo-bar.ts', 'fooBar()\n');
    await place.write('z.ts', '\nexport function fooBar() {}\n');
    await place.write('test/b.test.ts', 'fooBar()\n');
    await place.write('vendor/c.js', 'fooBar()\n');
    expect(await found({ pattern: 'fooBar' })).toEqual([
      'z.ts:2',
      'foo-bar.ts:1',
      'a.ts:1',
      'test/b.test.ts:1',
      'vendor/c.js:1',
    ]);
  });

  it('accepts patterns that look like flags, and unusual file names', async () => {
    await place.write('-e.ts', '--files -x\n');
    await place.write('12:34-x.ts', '--files\n');
    expect(await found({ pattern: '--files' })).toEqual(['-e.ts:1', '12:34-x.ts:1']);
    expect(await found({ pattern: '-x', globs: ['-*'] })).toEqual(['-e.ts:1']);
  });

  it('returns the first results before all files were searched, and then ends ripgrep', async () => {
    for (let number = 0; number < 3000; number += 1) {
      await place.write(`d${number % 50}/f${number}.ts`, 'needle\n'.repeat(200));
    }
    const events: SearchEvent[] = [];
    for await (const event of search.search({ pattern: 'needle', maxResults: 5 })) {
      events.push(event);
    }
    expect(events.map(({ kind }) => kind)).toEqual(['file', 'end']);
    expect(events.at(-1)).toEqual({ kind: 'end', isComplete: false, skipped: [] });
    await waitUntil(() => ownRipgreps().length === 0, { describe: 'ripgrep to end' });
  });

  it('ends ripgrep when it is aborted', async () => {
    // More than the pipes hold, so that it cannot have ended by itself.
    const text = `needle ${'x'.repeat(100)}\n`.repeat(500);
    for (let number = 0; number < 200; number += 1) await place.write(`f${number}.ts`, text);
    const controller = new AbortController();
    const reason = new Error('enough');
    const events = search.search({ pattern: 'needle', maxResults: 1000 }, controller.signal);
    await events.next();
    expect(ownRipgreps()).toHaveLength(1);
    controller.abort(reason);
    const rest = (async () => {
      for await (const _ of events);
    })();
    await expect(rest).rejects.toBe(reason);
    await waitUntil(() => ownRipgreps().length === 0, { describe: 'ripgrep to end' });
  });

  it('returns partial results at its timeout', async () => {
    const clock = new ManualClock();
    await place.write('a.ts', 'needle\n');
    search = new TextSearch({ root: place, clock, timeLimitMs: 0 });
    const events = search.search({ pattern: 'needle' });
    const first = events.next();
    await waitUntil(() => clock.pending > 0, { describe: 'the time limit' });
    await clock.advance(1);
    const all = [(await first).value];
    for await (const event of events) all.push(event);
    expect(all.at(-1)).toMatchObject({ kind: 'end' });
  });
});

describe('a text search over lines', () => {
  verifies('COD-17');

  it.each<[TextQuery, readonly number[]]>([
    [{ pattern: 'try {\n}', multiline: true }, [1, 2]],
    [{ pattern: 'catch.*\\n\\s*// ignored', regex: true, multiline: true }, [2, 3]],
    [{ pattern: 'catch.*\\n\\s*never', regex: true, multiline: true }, []],
  ])('finds all lines of a match: %j', async (query, lines) => {
    await place.write('a.ts', 'try {\n} catch {\n  // ignored\n}\n');
    const { files } = await page(query);
    expect(files.flatMap(({ matches }) => matches.map(({ line }) => line))).toEqual(lines);
  });
});

function ownRipgreps(): readonly number[] {
  return descendants().flatMap(({ command, pid }) => (command.includes('ripgrep') ? [pid] : []));
}

describe('a text search whose ripgrep is killed', () => {
  verifies('COD-03');

  it('is reported as incomplete', async () => {
    await place.write('a.ts', 'here\n');
    // Ripgrep waits for the words of this ignore file.
    execFileSync('mkfifo', [join(place.path, '.ignore')]);
    const searching = page({ pattern: 'here' });
    const pid = await waitUntil(() => ownRipgreps()[0], {
      describe: 'ripgrep to run',
    });
    process.kill(pid, 'SIGKILL');
    expect(await searching).toMatchObject({ files: [], isComplete: false });
  });
});

describe('a text search with invalid input', () => {
  verifies('COD-03');
  const problemOf = async (query: TextQuery): Promise<unknown> => {
    const answer = await search.page(query);
    return answer.ok ? answer.value : answer.error;
  };

  it.each<[TextQuery, string]>([
    [{ pattern: '' }, 'pattern-empty'],
    [{ pattern: 'a\nb' }, 'pattern-lines'],
    [{ pattern: 'a\0b' }, 'pattern-lines'],
    [{ pattern: 'x'.repeat(5000) }, 'pattern-too-long'],
    [{ pattern: 'a(', regex: true }, 'pattern-invalid'],
    [{ pattern: '(?=a)', regex: true }, 'pattern-invalid'],
    [{ pattern: '(a{1000}){1000}', regex: true }, 'pattern-invalid'],
    [{ pattern: 'a', globs: ['['] }, 'glob-invalid'],
    [{ pattern: 'a', globs: ['{a'] }, 'glob-invalid'],
    [{ pattern: 'a', languages: ['klingon'] }, 'language-unknown'],
    [{ pattern: 'a', cursor: 'nonsense' }, 'cursor-invalid'],
  ])('refuses %j as %s', async (query, code) => {
    await place.write('a.ts', 'a');
    expect(await problemOf(query)).toMatchObject({ code });
    const streamed: SearchEvent[] = [];
    if (code !== 'cursor-invalid') {
      for await (const event of search.search(query)) streamed.push(event);
      expect(streamed).toMatchObject([{ kind: 'problem', problem: { code } }]);
    }
  });

  it('explains an invalid regex', async () => {
    await place.write('a.ts', 'a');
    expect(await problemOf({ pattern: 'a(', regex: true })).toEqual({
      code: 'pattern-invalid',
      message:
        'the pattern is not valid: regex parse error:\n    (?:a()\n    ^\nerror: unclosed group',
    });
  });

  it.each(['foo(?!bar)', '(?<=a)b', '(a)\\1'])(
    'names no flag of ripgrep in the reason why %s is refused',
    async (pattern) => {
      await place.write('a.ts', 'a');
      const { message } = (await problemOf({ pattern, regex: true })) as { message: string };
      expect(message).toMatch(/not supported/);
      expect(message).not.toMatch(/--|PCRE2/);
      expect(message).toMatch(/search without it/);
    },
  );

  it('answers a pattern that makes other engines hang', async () => {
    await place.write('a.ts', `${'a'.repeat(50_000)}!\n`);
    expect(await found({ pattern: '^(a+)+$', regex: true })).toEqual([]);
    expect(await found({ pattern: '(a*)*b|(x+x+)+y', regex: true })).toEqual([]);
  });

  it('reports that the root is gone', async () => {
    rmSync(place.path, { recursive: true });
    expect(await problemOf({ pattern: 'a' })).toMatchObject({ code: 'root-gone' });
  });
});

describe('a text search in large and unusual files', () => {
  verifies('COD-07');

  it('limits 100,000 matches, and reports that there are more', async () => {
    for (let number = 0; number < 100; number += 1) {
      await place.write(`f${number}.ts`, 'needle\n'.repeat(1000));
    }
    const answer = await page({ pattern: 'needle', maxResults: 50 });
    expect(answer).toMatchObject({ total: 10_000, isComplete: false });
    expect(places(answer.files)).toHaveLength(50);
  });

  it('counts all 3,000 matches of one file, and returns them page by page', async () => {
    await place.write('a.ts', 'needle\n'.repeat(3000));
    const answer = await page({ pattern: 'needle', maxResults: 1000 });
    expect(answer).toMatchObject({ total: 3000, isComplete: true });
    const { nextCursor } = answer;
    const second = await page({ pattern: 'needle', maxResults: 1000, cursor: nextCursor });
    expect(places(second.files).slice(0, 2)).toEqual(['a.ts:1001', 'a.ts:1002']);
  });

  it('reports an incomplete answer if a file has more matches than are read with context', async () => {
    await place.write('all.ts', 'needle\n'.repeat(1000));
    const whole = await page({ pattern: 'needle', contextLines: 1 });
    expect(whole).toMatchObject({ total: 1000, isComplete: true });
    await place.write('all.ts', 'needle\n'.repeat(1001));
    const cut = await page({ pattern: 'needle', contextLines: 1 });
    expect(cut).toMatchObject({ total: 1000, isComplete: false });
  });

  it('returns pages without gap or repetition, also after the tree changed', async () => {
    for (let number = 0; number < 12; number += 1)
      await place.write(`f${number}.ts`, 'word\n'.repeat(3));
    const whole = await found({ pattern: 'word', maxResults: 1000 });
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const answer: TextPage = await page({ pattern: 'word', maxResults: 5, cursor });
      seen.push(...places(answer.files));
      cursor = answer.nextCursor;
      search.forget();
    } while (cursor !== undefined);
    expect(seen).toEqual(whole);
    expect(seen).toHaveLength(36);
  });

  it('refuses a cursor of another query', async () => {
    await place.write('a.ts', 'word\nword\n');
    const { nextCursor } = await page({ pattern: 'word', maxResults: 1 });
    const other = await search.page({ pattern: 'other', cursor: nextCursor });
    expect(other).toMatchObject({ ok: false, error: { code: 'cursor-invalid' } });
  });

  it('a line of 50 MB is cut, and costs little, also when it matches everywhere', async () => {
    writeFileSync(join(place.path, 'one.txt'), 'a'.repeat(50 * 2 ** 20));
    const { files } = await page({ pattern: 'a' });
    const [match] = files[0]!.matches;
    expect({ ...match, text: match!.text.length }).toEqual({
      line: 1,
      column: 1,
      text: 500,
      isCut: true,
      before: [],
      after: [],
    });
  });

  it('keeps a match far to the right visible', async () => {
    await place.write('min.js', `${'x'.repeat(1500)}needle${'y'.repeat(1500)}`);
    const [match] = (await page({ pattern: 'needle' })).files[0]!.matches;
    expect(match).toMatchObject({ column: 1501, isCut: true });
    expect(match!.text).toContain('needle');
  });

  it('skips binary files, wherever their NUL is, but not UTF-16 and invalid UTF-8', async () => {
    const write = (name: string, bytes: Buffer): void =>
      writeFileSync(join(place.path, name), bytes);
    write('early.bin', Buffer.from('needle\0\n'));
    write(
      'late.bin',
      Buffer.concat([Buffer.from('needle\n'), Buffer.alloc(300_000, 'x\n'), Buffer.alloc(2)]),
    );
    write('utf16.txt', Buffer.from('\ufeffneedle\n', 'utf16le'));
    write(
      'bad.txt',
      Buffer.from([0xff, 0xfe, 0x41, 0x0a].slice(2).concat([0xff, ...Buffer.from(' needle\n')])),
    );
    expect(await found({ pattern: 'needle' })).toEqual(['bad.txt:2', 'utf16.txt:1']);
    expect((await page({ pattern: 'needle', globs: ['bad*'] })).files[0]!.matches[0]!.text).toBe(
      'ÿ needle',
    );
  });

  it('is not delayed by a sparse file of 2 GB', async () => {
    writeFileSync(join(place.path, 'huge.bin'), 'x');
    truncateSync(join(place.path, 'huge.bin'), 2 ** 31);
    await place.write('a.ts', 'needle\n');
    expect(await found({ pattern: 'needle' })).toEqual(['a.ts:1']);
  });

  it('follows no links out of the tree, and waits for no pipes', async () => {
    verifies('COD-02');
    await place.write('outside/secret.ts', 'needle\n');
    await place.write('tree/a.ts', 'needle\n');
    symlinkSync('../outside', join(place.path, 'tree/folder'));
    symlinkSync('../outside/secret.ts', join(place.path, 'tree/file.ts'));
    execFileSync('mkfifo', [join(place.path, 'tree/pipe.ts')]);
    const root = { path: join(place.path, 'tree') };
    const all = ['a.ts', 'file.ts', 'folder/secret.ts', 'pipe.ts'];
    // Like an outdated index that lists files which were replaced by links and pipes.
    const index = { candidates: () => all, paths: () => all };
    for (const one of [undefined, index]) {
      search = new TextSearch({ root, clock: systemClock, index: one });
      expect(await found({ pattern: 'needle' })).toEqual(['a.ts:1']);
    }
  });

  it('finds nothing in a link that replaces a file after the check', async () => {
    verifies('COD-02');
    await place.write('outside/secret.ts', 'needle of others\n');
    await place.write('tree/a.ts', 'needle\n');
    const swap = (): void => {
      rmSync(join(place.path, 'tree/a.ts'));
      symlinkSync('../outside/secret.ts', join(place.path, 'tree/a.ts'));
    };
    const all = ['a.ts'];
    const swapping = Object.assign([...all], {
      filter: (isChosen: (path: string) => boolean) => {
        const chosen = all.filter(isChosen);
        swap();
        return chosen;
      },
    });
    const index = { candidates: () => swapping as readonly string[], paths: () => all };
    search = new TextSearch({
      root: { path: join(place.path, 'tree') },
      clock: systemClock,
      index,
    });
    expect(await found({ pattern: 'needle' })).toEqual([]);
  });
});
