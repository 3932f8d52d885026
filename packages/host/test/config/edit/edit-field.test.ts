import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { tempFolder, verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { enableServer, setField, unsetField } from '../../../src/config/edit/edit-field.ts';

type Path = readonly [string, ...string[]];
const DISABLED: Path = ['disabled'];

/** The result of an edit of server `b`, and the new text. */
async function after(
  text: string,
  edit: (target: { readonly file: string; readonly name: string }) => Promise<unknown>,
): Promise<{ result: unknown; text: string }> {
  await using folder = await tempFolder();
  const file = await folder.write('settings.json', text);
  const result = await edit({ file, name: 'b' });
  expect(await readdir(folder.path)).toEqual(['settings.json']);
  return { result, text: await folder.read('settings.json') };
}

const set =
  (value: unknown, path: Path = DISABLED) =>
  (target: { readonly file: string; readonly name: string }) =>
    setField({ ...target, path, value });
const unset =
  (path: Path = DISABLED) =>
  (target: { readonly file: string; readonly name: string }) =>
    unsetField({ ...target, path });

const done = (kind: string) => ({ ok: true, value: { kind } });

describe('setField', () => {
  verifies('CFG-14');

  it.each([
    [
      'the field of an entry on one line',
      '{\n  "mcpServers": {\n    "b": { "command": "x" }, // b\n    "c": {}\n  }\n}\n',
      '{\n  "mcpServers": {\n    "b": { "command": "x", "disabled": true }, // b\n    "c": {}\n  }\n}\n',
      'changed',
    ],
    [
      'the field of an entry on many lines, among comments',
      '{\r\n\t"mcpServers": {\r\n\t\t// about b\r\n\t\t"b": {\r\n\t\t\t"command": "x" // why\r\n\t\t\t// end\r\n\t\t},\r\n\t}\r\n}',
      '{\r\n\t"mcpServers": {\r\n\t\t// about b\r\n\t\t"b": {\r\n\t\t\t"command": "x", // why\r\n\t\t\t"disabled": true\r\n\t\t\t// end\r\n\t\t},\r\n\t}\r\n}',
      'changed',
    ],
    [
      'a field that is there, in its place',
      '{ "mcpServers": { "b": { "disabled": /* for now */ false, "command": "x" } } }',
      '{ "mcpServers": { "b": { "disabled": /* for now */ true, "command": "x" } } }',
      'changed',
    ],
    [
      'the one that counts of two',
      '{ "mcpServers": { "b": { "disabled": true, "disabled": false, "command": "x" } } }',
      '{ "mcpServers": { "b": { "disabled": true, "disabled": true, "command": "x" } } }',
      'changed',
    ],
    [
      'nothing that is so already',
      '{ "mcpServers": { "b": { "disabled": true } } }',
      '{ "mcpServers": { "b": { "disabled": true } } }',
      'unchanged',
    ],
    [
      'the field of a new entry, which says nothing else',
      '{\n  "mcpServers": {\n    "a": {} // a\n  }\n}\n',
      '{\n  "mcpServers": {\n    "a": {}, // a\n    "b": {\n      "disabled": true\n    }\n  }\n}\n',
      'added',
    ],
    [
      'the field of the first entry',
      '{\n  "$schema": "x"\n}\n',
      '{\n  "$schema": "x",\n  "mcpServers": {\n    "b": {\n      "disabled": true\n    }\n  }\n}\n',
      'added',
    ],
  ])('sets %s', async (_, before, text, kind) => {
    expect(await after(before, set(true))).toEqual({ result: done(kind), text });
  });

  it('creates the file, and the objects above a nested field', async () => {
    await using folder = await tempFolder();
    const file = join(folder.path, '.plugboard/settings.local.json');
    const path: Path = ['headers', 'X-Team'];
    expect(await setField({ file, name: 'b', path, value: 'a' })).toEqual(done('added'));
    expect(await setField({ file, name: 'b', path: ['headers', 'X-Other'], value: 'o' })).toEqual(
      done('changed'),
    );
    expect(JSON.parse(await folder.read('.plugboard/settings.local.json'))).toEqual({
      mcpServers: { b: { headers: { 'X-Team': 'a', 'X-Other': 'o' } } },
    });
  });

  it.each([
    ['a value of the wrong type', '{ "mcpServers": { "b": { "command": "x" } } }', 'wrong-type'],
    ['a value of the wrong type in a new entry', '{}', 'wrong-type'],
  ])('does not write %s', async (_, text, code) => {
    expect(await after(text, set('yes'))).toEqual({
      result: {
        ok: false,
        error: { kind: 'invalid-entry', diagnostics: [expect.objectContaining({ code })] },
      },
      text,
    });
  });

  it('creates no entry under an invalid name', async () => {
    await using folder = await tempFolder();
    const file = join(folder.path, '.mcp.json');
    for (const [name, code] of [
      ['bad name', 'bad-name'],
      ['codebase', 'reserved-name'],
    ] as const) {
      expect(await setField({ file, name, path: DISABLED, value: true })).toEqual({
        ok: false,
        error: { kind: 'invalid-entry', diagnostics: [expect.objectContaining({ code })] },
      });
    }
    expect(await readdir(folder.path)).toEqual([]);
  });

  it('changes an entry that is broken elsewhere', async () => {
    expect(await after('{ "mcpServers": { "b": { "args": 1 } } }', set(true))).toEqual({
      result: done('changed'),
      text: '{ "mcpServers": { "b": { "args": 1, "disabled": true } } }',
    });
  });

  it.each([
    ['{\n "mcpServers": { "b": null } }', DISABLED, '"b" must be an object.', 2, 23],
    ['{ "mcpServers": { "b": { "env": "x" } } }', ['env', 'A'], '"env" must be an object.', 1, 33],
  ] as const)(
    'does not overwrite a value that is not an object: %s',
    async (text, path, message, line, column) => {
      const outcome = await after(text, set('v', path));
      expect(outcome).toEqual({
        result: {
          ok: false,
          error: {
            kind: 'invalid-file',
            diagnostic: expect.objectContaining({ code: 'wrong-type', message, line, column }),
          },
        },
        text,
      });
    },
  );
});

describe('unsetField', () => {
  verifies('CFG-14');

  it.each([
    [
      'a field',
      '{\n  "mcpServers": {\n    "b": {\n      // for now\n      "disabled": true, // sorry\n      "command": "x"\n    }\n  }\n}',
      '{\n  "mcpServers": {\n    "b": {\n      "command": "x"\n    }\n  }\n}',
      'changed',
    ],
    [
      'a field that was written twice',
      '{ "mcpServers": { "b": { "disabled": true, "command": "x", "disabled": true } } }',
      '{ "mcpServers": { "b": { "command": "x" } } }',
      'changed',
    ],
    [
      'an entry that said nothing else',
      '{\n  "mcpServers": {\n    // off\n    "b": { "disabled": true },\n    "c": {}\n  }\n}',
      '{\n  "mcpServers": {\n    "c": {}\n  }\n}',
      'removed',
    ],
    [
      'no entry with a comment in it',
      '{ "mcpServers": { "b": { /* mine */ "disabled": true } } }',
      '{ "mcpServers": { "b": { /* mine */ } } }',
      'changed',
    ],
    [
      'nothing where there is nothing',
      '{ "mcpServers": { "b": { "command": "x" } } }',
      '{ "mcpServers": { "b": { "command": "x" } } }',
      'unchanged',
    ],
  ])('removes %s', async (_, before, text, kind) => {
    expect(await after(before, unset())).toEqual({ result: done(kind), text });
  });

  it('removes a nested field', async () => {
    const text = '{ "mcpServers": { "b": { "url": "x", "headers": { "A": "1", "B": "2" } } } }';
    expect(await after(text, unset(['headers', 'A']))).toEqual({
      result: done('changed'),
      text: '{ "mcpServers": { "b": { "url": "x", "headers": { "B": "2" } } } }',
    });
    expect(await after(text, unset(['env', 'A']))).toEqual({ result: done('unchanged'), text });
  });

  it('lists the existing servers if none has that name', async () => {
    const text = '{ "mcpServers": { "a": {} } }';
    expect(await after(text, unset())).toEqual({
      result: { ok: false, error: { kind: 'not-found', names: ['a'] } },
      text,
    });
  });
});

describe('enableServer', () => {
  it.each([
    [
      'has an entry say so',
      '{ "mcpServers": { "b": { "command": "x", "disabled": true /* why */ } } }',
      '{ "mcpServers": { "b": { "command": "x", "disabled": false /* why */ } } }',
      'changed',
    ],
    [
      'removes an entry that only disabled',
      '{\n  "mcpServers": {\n    "a": {},\n    "b": {\n      "disabled": true\n    }\n  }\n}\n',
      '{\n  "mcpServers": {\n    "a": {}\n  }\n}\n',
      'removed',
    ],
    [
      'adds an entry against a weaker one',
      '{\n  "mcpServers": {\n    "a": {}\n  }\n}\n',
      '{\n  "mcpServers": {\n    "a": {},\n    "b": {\n      "disabled": false\n    }\n  }\n}\n',
      'added',
    ],
    [
      'leaves one as it is that says so already',
      '{ "mcpServers": { "b": { "disabled": false, "command": "x" } } }',
      '{ "mcpServers": { "b": { "disabled": false, "command": "x" } } }',
      'unchanged',
    ],
  ])('%s', async (_, before, text, kind) => {
    expect(await after(before, enableServer)).toEqual({ result: done(kind), text });
  });
});
