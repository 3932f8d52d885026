import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ManualClock, tempFolder, type TempFolder, verifies, waitUntil } from '@plugboard/testkit';
import { never } from '@plugboard/base';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseLanguageServers } from '../../src/index.ts';
import { LanguageServers } from '../../src/language-server/index.ts';
import { openCodebase, type ToolAnswer } from '../server/codebase-client.ts';

const PROGRAM = fileURLToPath(new URL('./fixtures/scripted-server.mjs', import.meta.url));

let place: TempFolder;

beforeEach(async () => {
  place = await tempFolder();
  await place.write('tree/src/model.ts', 'export class Model {\n  save() {}\n}\n');
  await place.write('tree/src/form.ts', 'export class Form {\n  save() {}\n}\n');
  await place.write('tree/src/user.ts', 'typed.save();\nother.save();\nconst x = typed.save;\n');
  await place.write('tree/.ignore', 'hidden.ts\n');
  await place.write('tree/src/hidden.ts', 'typed.save();\n');
});
afterEach(() => place[Symbol.asyncDispose]());

async function ask(way: string, args: Record<string, unknown> = {}): Promise<ToolAnswer> {
  await using codebase = await openCodebase({
    root: join(place.path, 'tree'),
    cacheFolder: join(place.path, 'cache'),
    embedder: { kind: 'none' },
    languageServers: { typescript: [process.execPath, PROGRAM, way, join(place.path, 'log')] },
  });
  return await codebase.call('find_symbol', { name: 'Model.save', references: 'all', ...args });
}

describe('a language server that the user has named', () => {
  verifies('COD-21');

  it('finds uses of a symbol, without files outside of the tree and ignored files', async () => {
    const { text, data } = await ask('answer');
    expect(text).toContain(`As ${basename(process.execPath)} says.`);
    expect(data).toMatchObject({
      references: [
        { path: 'src/user.ts', line: 1, is_call: true },
        { path: 'src/user.ts', line: 3, is_call: false },
      ],
      references_total: 2,
      references_ambiguous: false,
      references_by: basename(process.execPath),
    });
    expect(JSON.stringify(data)).not.toContain('passwd');
    expect((await ask('answer', { references: 'callers' })).data).toMatchObject({
      references: [{ path: 'src/user.ts', line: 1 }],
    });
  });

  it.each([
    ['die', 'it ended with 3'],
    ['garbage', 'what it says is not the language server protocol'],
  ])('that fails (%s) gives way to the index, and the answer says so', async (way, reason) => {
    const { text, data } = await ask(way);
    expect(text).toContain(`was not of use (${reason}); names are compared instead.`);
    expect(data).toMatchObject({ references_total: 3, references_ambiguous: true });
    expect(data).not.toHaveProperty('references_by');
  });

  it('is not started by questions that it does not answer', async () => {
    await ask('answer', { references: 'none' });
    await expect(place.read('log')).rejects.toThrow();
  });
});

describe('language servers', () => {
  verifies('COD-21');
  const at = {
    path: 'src/model.ts',
    line: 1,
    column: 2,
    text: 'export class Model {\n  save() {}\n}\n',
  };

  it('fail with a reason when they do not answer in time', async () => {
    const clock = new ManualClock();
    const command = [process.execPath, PROGRAM, 'silent', join(place.path, 'log')];
    const root = join(place.path, 'tree');
    await using servers = new LanguageServers(root, { typescript: command }, clock);
    const answer = servers.references(at, never);
    await waitUntil(async () => (await logged()).includes('textDocument/references'), {
      describe: 'the question',
    });
    await clock.advance(40_000);
    expect(await answer).toEqual({ ok: false, error: 'it did not answer in time' });
  });

  it('are started once for several questions', async () => {
    const command = [process.execPath, PROGRAM, 'answer', join(place.path, 'log')];
    const root = join(place.path, 'tree');
    await using servers = new LanguageServers(root, { typescript: command }, new ManualClock());
    expect(await servers.references(at, never)).toMatchObject({ ok: true });
    expect(await servers.references(at, never)).toMatchObject({ ok: true });
    const said = await logged();
    expect(said.filter((method) => method === 'initialize')).toHaveLength(1);
    expect(said.filter((method) => method === 'textDocument/references')).toHaveLength(2);
  });

  it('are programs of the machine, and never programs in the tree', async () => {
    await place.write('tree/bin/tsls', '#!/bin/sh\n');
    await using servers = new LanguageServers(
      join(place.path, 'tree'),
      { typescript: ['bin/tsls'] },
      new ManualClock(),
    );
    expect(await servers.references(at, never)).toEqual({
      ok: false,
      error: 'bin/tsls is not installed',
    });
  });

  async function logged(): Promise<readonly string[]> {
    return (await place.read('log').catch(() => '')).split('\n');
  }
});

describe('the setting that names language servers', () => {
  it('takes languages by their names and endings, and refuses others', () => {
    expect(parseLanguageServers({ py: ['pyright-langserver', '--stdio'] })).toEqual({
      ok: true,
      value: { python: ['pyright-langserver', '--stdio'] },
    });
    expect(parseLanguageServers({ klingon: ['x'], ts: 'x' })).toEqual({
      ok: false,
      error: [
        'languageServers has no language "klingon"',
        'languageServers.ts must be a list: a command and its arguments',
      ],
    });
    expect(parseLanguageServers(undefined)).toEqual({ ok: true, value: {} });
  });
});
