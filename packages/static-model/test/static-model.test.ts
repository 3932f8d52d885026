import { cp, mkdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openStaticModel, readStaticModel, type StaticModel } from '@plugboard/static-model';
import { tempFolder } from '@plugboard/testkit';
import { beforeAll, describe, expect, test } from 'vitest';

const PACKAGE = fileURLToPath(new URL('..', import.meta.url));
const FILES = ['model.json', 'vocab.txt', 'table.i8', 'weights.f32'];

let model: StaticModel;

beforeAll(async () => {
  const opened = await openStaticModel();
  if (!opened.ok) throw new Error(opened.error);
  model = opened.value;
});

function cosine(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0);
}

function nearest(query: string, texts: readonly string[]): string | undefined {
  const vector = model.embedQuery(query);
  return texts
    .map((text) => ({ text, score: cosine(vector, model.embedDocument(text)) }))
    .toSorted((a, b) => b.score - a.score)[0]?.text;
}

describe('a static model', () => {
  test('makes vectors of length one', () => {
    for (const text of ['create_issue', 'Opens the file and reads its lines.', 'Größe 文件 file']) {
      const vector = model.embedDocument(text);
      expect(vector).toHaveLength(model.dimensions);
      expect(cosine(vector, vector)).toBeCloseTo(1, 5);
    }
  });

  test('makes the same vector for the same text, whatever it embedded before', () => {
    const first = model.embedDocument('list the issues of a repository');
    model.embedDocument('something else entirely, with issues and issues and issues');
    expect(model.embedDocument('list the issues of a repository')).toEqual(first);
  });

  test('makes a zero vector for a text without a known token', () => {
    expect(model.embedQuery('').every((value) => value === 0)).toBe(true);
    expect(model.embedQuery('… — !?').every((value) => value === 0)).toBe(true);
  });

  test('reads the words of identifiers', () => {
    const spaced = model.embedDocument('create pull request');
    expect(cosine(model.embedDocument('createPullRequest'), spaced)).toBeCloseTo(1, 5);
    expect(cosine(model.embedDocument('create_pull_request'), spaced)).toBeCloseTo(1, 5);
  });

  test('finds the text that means the same in other words', () => {
    const tools = [
      'delete_file: Removes a file from the disk',
      'send_email: Sends a message to a mail address',
      'get_forecast: The weather of the next days',
    ];
    expect(nearest('will it rain tomorrow', tools)).toBe(tools[2]);
    expect(nearest('erase a document', tools)).toBe(tools[0]);
    expect(nearest('write a letter by e-mail', tools)).toBe(tools[1]);
  });

  test('reads a long text only as far as its first tokens', () => {
    const first = 'open the file and read it '.repeat(40);
    const vector = model.embedDocument(first);
    expect(model.embedDocument(`${first}${'weather '.repeat(5000)}`)).toEqual(vector);
  });
});

describe('the files of a static model', () => {
  async function copied(folder: string): Promise<void> {
    await mkdir(folder, { recursive: true });
    await Promise.all(FILES.map((name) => cp(join(PACKAGE, name), join(folder, name))));
  }

  test('are refused if one is missing, with a fix', async () => {
    await using place = await tempFolder();
    const opened = await readStaticModel(join(place.path, 'nowhere'));
    expect(opened).toMatchObject({ ok: false });
    expect(opened.ok ? '' : opened.error).toContain('fix: install @plugboard/static-model again');
  });

  test('are refused if one was cut or changed', async () => {
    await using place = await tempFolder();
    await copied(place.path);
    expect(await readStaticModel(place.path)).toMatchObject({ ok: true });
    await truncate(join(place.path, 'table.i8'), 4096);
    const cut = await readStaticModel(place.path);
    expect(cut.ok ? '' : cut.error).toMatch(/table\.i8 is damaged/);
    await copied(place.path);
    await rm(join(place.path, 'vocab.txt'));
    await writeFile(join(place.path, 'vocab.txt'), 'one\ntwo');
    const changed = await readStaticModel(place.path);
    expect(changed.ok ? '' : changed.error).toMatch(/vocab\.txt is damaged/);
  });

  test('are refused if the description is invalid or has other sizes', async () => {
    await using place = await tempFolder();
    await copied(place.path);
    const path = join(place.path, 'model.json');
    const description = await readFile(path, 'utf8');
    await writeFile(path, description.replace('"dimensions": 256', '"dimensions": 128'));
    const misfit = await readStaticModel(place.path);
    expect(misfit.ok ? '' : misfit.error).toMatch(/do not belong together/);
    for (const wrong of [
      '',
      '[]',
      '{"id":"x"}',
      description.replace('vocab.txt', '../vocab.txt'),
    ]) {
      await writeFile(path, wrong);
      const refused = await readStaticModel(place.path);
      expect(refused.ok ? '' : refused.error).toMatch(/does not describe a model/);
    }
  });
});
