import { lstat, mkdir, readdir, readFile, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Json, type JsonObject, Scope } from '@plugboard/base';
import { tempFolder, verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { type Part, type SavedFile, toText } from '../../src/output/index.ts';
import type { ContentBlock } from '../../src/protocol/index.ts';
import { givenOutput, outputIn, text } from './output-cases.ts';

const wav = Buffer.from('RIFF0000WAVE').toString('base64');
const audio = (mimeType = 'audio/wav', data = wav): ContentBlock => ({
  type: 'audio',
  data,
  mimeType,
});

/** The file that the last part, a note, names. */
function notedFile(parts: readonly Part[]): SavedFile {
  const last = parts.at(-1);
  const file = last?.kind === 'note' ? last.file : undefined;
  if (file === undefined) throw new Error('no note names a file');
  expect(toText(parts)).toContain(`in the file ${file.path} (${file.bytes} bytes, id ${file.id})`);
  return file;
}

function filesOf(parts: readonly Part[]): readonly SavedFile[] {
  return parts.flatMap((part) => ('file' in part && part.file !== undefined ? [part.file] : []));
}

describe('a result within its budget', () => {
  it('passes unchanged, and no file is written', async () => {
    verifies('OUT-01');
    await using scope = new Scope();
    const { fit, folder } = await givenOutput(scope);
    const words = '\u001B[2Jhello \u0007 ![x](https://evil.example/?q=1)';
    const link = { type: 'resource_link', uri: 'file:///etc/passwd', name: 'x' } as const;
    expect(await fit([text(words), link])).toEqual([
      { kind: 'text', text: words },
      { kind: 'link', uri: 'file:///etc/passwd', name: 'x', mimeType: undefined },
    ]);
    expect(await readdir(folder)).toEqual([]);
  });
});

describe('a result above its budget', () => {
  it('is cut, and the complete text is in a file that the note names', async () => {
    verifies('OUT-02');
    await using scope = new Scope();
    const { fit } = await givenOutput(scope);
    const whole = Array.from({ length: 50_000 }, (_, index) => `line ${index} äß😀`).join('\n');
    const parts = await fit([text(whole)]);
    const { path } = notedFile(parts);
    expect(await readFile(path, 'utf8')).toBe(whole);
    const shown = toText(parts);
    expect(shown.length).toBeLessThanOrEqual(100_000);
    expect(shown).toContain(`This result has ${whole.length} characters`);
    expect(shown).toContain(path);
    expect(shown).toContain('left out');
  });

  it('is cut by tokens too', async () => {
    verifies('OUT-02');
    await using scope = new Scope();
    const { fit } = await givenOutput(scope);
    const parts = await fit([text('敏捷的棕色狐狸'.repeat(4000))]);
    expect(notedFile(parts).path).toMatch(/\.txt$/);
    expect(toText(parts).length).toBeLessThan(20_000);
  });

  it('keeps its structure if it is structured, with the complete value as JSON', async () => {
    verifies('OUT-02');
    await using scope = new Scope();
    const { fit } = await givenOutput(scope);
    const structuredContent = {
      rows: Array.from({ length: 20_000 }, (_, id) => ({ id })),
      page: 1,
    };
    const parts = await fit([], { structuredContent });
    const [part] = parts;
    expect(part?.kind === 'structured' && Object.keys(part.value as JsonObject)).toEqual([
      'rows',
      'page',
    ]);
    const { path } = notedFile(parts);
    expect(path).toMatch(/\.json$/);
    expect(JSON.parse(await readFile(path, 'utf8'))).toEqual(structuredContent);
  });

  it('of a million parts is reduced to few, quickly, and the rest is in a file', async () => {
    verifies('OUT-02');
    await using scope = new Scope();
    const { fit } = await givenOutput(scope);
    const parts = await fit(Array.from({ length: 1_000_000 }, (_, index) => text(`${index}`)));
    expect(parts.length).toBe(1001);
    const lines = (await readFile(notedFile(parts).path, 'utf8')).trimEnd().split('\n');
    expect([lines.length, lines.at(-1)]).toEqual([999_000, '{"kind":"text","text":"999999"}']);
  });

  it('is still cut if no file can be written, with a note', async () => {
    verifies('OUT-02');
    await using scope = new Scope();
    const { path } = scope.use(await tempFolder());
    await writeFile(join(path, 'results'), 'in the way');
    const parts = await outputIn(path).fit([text('x'.repeat(200_000)), audio()]);
    expect(parts.at(-1)).toEqual({
      kind: 'note',
      text: expect.stringContaining('The rest could not be saved: E') as string,
    });
    expect(toText(parts).length).toBeLessThanOrEqual(100_000);
  });

  it('passes unchanged if the program requests raw results', async () => {
    await using scope = new Scope();
    const { fit } = await givenOutput(scope, 'as-is');
    const whole = 'x'.repeat(200_000);
    expect(await fit([text(whole)])).toEqual([{ kind: 'text', text: whole }]);
  });
});

describe('binary content', () => {
  it('goes to private files of the right type, and small parts are included as well', async () => {
    verifies('OUT-01');
    verifies('OUT-03');
    await using scope = new Scope();
    const { fit, folder } = await givenOutput(scope);
    const blob = Buffer.from('%PDF').toString('base64');
    const resource = { uri: 'a:b', mimeType: 'application/pdf', blob };
    const parts = await fit([audio(), { type: 'resource', resource }]);
    const [sound, document] = filesOf(parts);
    expect(parts).toEqual([
      { kind: 'audio', data: wav, mimeType: 'audio/wav', file: sound },
      {
        kind: 'resource',
        uri: 'a:b',
        mimeType: 'application/pdf',
        body: { kind: 'blob', data: blob },
        file: document,
      },
    ]);
    expect([sound?.path.slice(-4), document?.path.slice(-4)]).toEqual(['.wav', '.pdf']);
    expect(await readFile(sound?.path ?? '', 'latin1')).toBe('RIFF0000WAVE');
    expect(toText(parts)).toContain(`in the file ${sound?.path}`);
    const modes = await Promise.all(
      [join(folder, 'results'), sound?.path ?? '', document?.path ?? ''].map((path) => lstat(path)),
    );
    expect(modes.map(({ mode }) => (mode & 0o777).toString(8))).toEqual(['700', '600', '600']);
  });

  it('that is large is in its file only', async () => {
    verifies('OUT-03');
    await using scope = new Scope();
    const { fit } = await givenOutput(scope);
    const bytes = Buffer.alloc(6_000_001, 7);
    // Line breaks, which some encoders add, do not count.
    const data = bytes.toString('base64').replaceAll(/.{76}/g, '$&\n');
    const parts = await fit([audio('audio/mpeg', data)]);
    const [file] = filesOf(parts);
    expect(parts).toEqual([
      { kind: 'file', file, about: 'audio audio/mpeg, too large to be sent along' },
    ]);
    expect(bytes.equals(await readFile(file?.path ?? ''))).toBe(true);
  });

  it('stays within the quota of the session', async () => {
    verifies('OUT-03');
    await using scope = new Scope();
    const few = await givenOutput(scope, { files: { maxFiles: 1 } });
    expect(filesOf(await few.fit([audio(), audio()]))).toHaveLength(1);
    const small = await givenOutput(scope, { files: { maxBytes: 20 } });
    expect(filesOf(await small.fit([audio(), audio()]))).toHaveLength(1);
    expect(await readdir(join(small.folder, 'results'))).toHaveLength(1);
  });

  it('beyond fifty parts goes into one file', async () => {
    await using scope = new Scope();
    const { fit, folder } = await givenOutput(scope);
    const parts = await fit(Array.from({ length: 200 }, () => audio()));
    expect(parts).toHaveLength(51);
    expect(parts.at(-1)).toMatchObject({ kind: 'note' });
    expect(await readdir(join(folder, 'results'))).toHaveLength(51);
  });

  it('of an earlier day is removed, and an open folder is made private', async () => {
    verifies('OUT-03');
    await using scope = new Scope();
    const { fit, folder } = await givenOutput(scope);
    const results = join(folder, 'results');
    await mkdir(results, { mode: 0o755 });
    await writeFile(join(results, 'old.wav'), 'x');
    const before = Date.now() / 1000 - 25 * 3600;
    await utimes(join(results, 'old.wav'), before, before);
    await writeFile(join(results, 'young.wav'), 'x');
    const [file] = filesOf(await fit([audio()]));
    expect((await readdir(results)).toSorted()).toEqual([`${file?.id}.wav`, 'young.wav']);
    expect((await lstat(results)).mode & 0o777).toBe(0o700);
  });

  it('is not written through a link to another folder', async () => {
    verifies('OUT-03');
    await using scope = new Scope();
    const { fit, folder } = await givenOutput(scope);
    const elsewhere = scope.use(await tempFolder()).path;
    await symlink(elsewhere, join(folder, 'results'));
    expect(await fit([audio()])).toEqual([{ kind: 'audio', data: wav, mimeType: 'audio/wav' }]);
    expect(await readdir(elsewhere)).toEqual([]);
  });
});

describe('the part of a result for programs', () => {
  it('is the structured content, also if a reader gets it as text', async () => {
    verifies('OUT-01');
    await using scope = new Scope();
    const { fitted } = await givenOutput(scope);
    const structuredContent = { content: 'two\nlines\n' };
    expect(await fitted([text('two\nlines\n')], { structuredContent })).toEqual({
      parts: [{ kind: 'text', text: 'two\nlines\n' }],
      structured: structuredContent,
    });
    expect(await fitted([text('{"sum":3}')], { structuredContent: { sum: 3 } })).toEqual({
      parts: [{ kind: 'structured', value: { sum: 3 } }],
      structured: { sum: 3 },
    });
  });

  it('is `_meta` of the result', async () => {
    verifies('OUT-05');
    await using scope = new Scope();
    const { fitted } = await givenOutput(scope);
    const _meta = { 'example.com/cost': { tokens: 3 } };
    expect(await fitted([text('hi')], { _meta })).toEqual({
      parts: [{ kind: 'text', text: 'hi' }],
      meta: _meta,
    });
  });

  it('is bounded: large values are cut, unless the program requests raw results', async () => {
    verifies('OUT-05');
    await using scope = new Scope();
    const rows = Array.from({ length: 100_000 }, (_, id) => ({ id }));
    const more = { structuredContent: { rows }, _meta: { rows } };
    const { fitted } = await givenOutput(scope);
    const { structured, meta } = await fitted([], more);
    for (const cut of [structured, meta]) {
      expect(JSON.stringify(cut).length).toBeLessThanOrEqual(500_000);
      expect(JSON.stringify(cut)).toMatch(/more items/);
    }
    const longKey = { ['k'.repeat(600_000)]: 1 };
    expect((await fitted([], { _meta: longKey })).meta).toEqual({
      '…': '… an object with 1 keys',
    });
    const asIs = await (await givenOutput(scope, 'as-is')).fitted([], more);
    expect([asIs.structured, asIs.meta]).toEqual([{ rows }, { rows }]);
  });
});

describe('a result without content', () => {
  it('is delivered as the JSON that the server sent, with a note', async () => {
    verifies('OUT-06');
    await using scope = new Scope();
    const { fit } = await givenOutput(scope);
    const parts = await fit([], { structuredContent: { value: 42 }, lacksContent: true });
    expect(parts).toEqual([
      { kind: 'structured', value: { value: 42 } },
      { kind: 'note', text: expect.stringContaining('without "content"') as string },
    ]);
  });
});

describe('structured content', () => {
  const outputSchema = {
    type: 'object',
    properties: { sum: { type: 'number' } },
    required: ['sum'],
  } as const;

  it('that violates the schema is flagged, and delivered', async () => {
    verifies('OUT-04');
    await using scope = new Scope();
    const { fit } = await givenOutput(scope, {}, { outputSchema });
    const wrong = await fit([], { structuredContent: { sum: 'three' } });
    expect(wrong).toEqual([
      {
        kind: 'structured',
        value: { sum: 'three' },
        problems: [{ path: '/sum', message: 'must be number' }],
      },
    ]);
    expect(toText(wrong)).toContain('/sum must be number');
    expect(await fit([], { structuredContent: { sum: 3 } })).toEqual([
      { kind: 'structured', value: { sum: 3 } },
    ]);
  });

  it.each<[string, Json, string]>([
    ['no object', [1], 'must be object'],
    ['null', null, 'must be object'],
    ['without what is required', {}, "must have required property 'sum'"],
  ])('that is %s is flagged', async (_, structuredContent, message) => {
    verifies('OUT-04');
    await using scope = new Scope();
    const { fit } = await givenOutput(scope, {}, { outputSchema });
    expect(await fit([], { structuredContent })).toEqual([
      { kind: 'structured', value: structuredContent, problems: [{ path: '', message }] },
    ]);
  });

  it('that violates the schema is noted if a reader gets its text', async () => {
    verifies('OUT-04');
    await using scope = new Scope();
    const { fit } = await givenOutput(scope, {}, { outputSchema });
    expect(await fit([text('three')], { structuredContent: { words: 'three' } })).toEqual([
      { kind: 'text', text: 'three' },
      {
        kind: 'note',
        text: "The structured result is not what the tool's output schema promises: must have required property 'sum'",
      },
    ]);
  });

  it('that is missing although promised is noted, unless the tool failed', async () => {
    verifies('OUT-04');
    await using scope = new Scope();
    const { fit } = await givenOutput(scope, {}, { outputSchema });
    expect((await fit([text('3')])).map(({ kind }) => kind)).toEqual(['text', 'note']);
    expect(await fit([text('no')], { isError: true })).toEqual([{ kind: 'text', text: 'no' }]);
  });

  it('is checked for a short time at most, whatever schema and value', async () => {
    verifies('OUT-04');
    await using scope = new Scope();
    const names = Array.from({ length: 40 }, (_, index) => `a${index}`);
    const $defs = Object.fromEntries(
      names.map((name, index) => {
        const $ref = `#/$defs/a${index + 1}`;
        return [name, index === 39 ? { type: 'object' } : { allOf: [{ $ref }, { $ref }] }];
      }),
    );
    const laughs = { $ref: '#/$defs/a0', $defs };
    const { fit } = await givenOutput(scope, {}, { outputSchema: laughs });
    expect(await fit([], { structuredContent: { a: 1 } })).toEqual([
      { kind: 'structured', value: { a: 1 } },
    ]);
  });
});
