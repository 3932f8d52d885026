import { parse } from 'smol-toml';
import { describe, expect, it } from 'vitest';
import { editJson } from '../../src/foreign/json-entry.ts';
import { editToml } from '../../src/foreign/toml-entry.ts';

const VALUE = { command: 'plugboard', args: ['serve'] };
const added = { path: ['mcpServers'], name: 'plugboard', value: VALUE };
const removed = { ...added, value: undefined };

describe('a server in the JSON of another host', () => {
  it.each([
    ['{\n  // mine\n  "mcpServers": {\n    "a": { "command": "x" }, // first\n  },\n}\n'],
    ['{ "mcpServers": { "a": {} }, "theme": "dark" }'],
    ['{\r\n\t"mcpServers": {\r\n\t\t"a": {}\r\n\t}\r\n}\r\n'],
  ])('is added and removed again without a trace: %j', (text) => {
    const with_ = editJson(text, added);
    if (!with_.ok) throw new Error(with_.error);
    expect(with_.value.text).not.toBe(text);
    const without = editJson(with_.value.text, removed);
    expect(without).toEqual({ ok: true, value: { text, before: VALUE } });
  });

  it.each([
    ['', { mcpServers: { plugboard: VALUE } }],
    ['{}', { mcpServers: { plugboard: VALUE } }],
    ['{ "a": 1 }', { a: 1, mcpServers: { plugboard: VALUE } }],
    ['{ "mcpServers": {} }', { mcpServers: { plugboard: VALUE } }],
  ])('is added if there is no map of servers yet: %j', (text, expected) => {
    const edited = editJson(text, added);
    expect(JSON.parse(edited.ok ? edited.value.text : 'null')).toEqual(expected);
  });

  it.each([
    ['{ "a": 1, "mcpServers": { "plugboard": {} } }', '{ "a": 1 }'],
    ['{\n  "mcpServers": {\n    "plugboard": {}\n  },\n  "a": 1\n}', '{\n  "a": 1\n}'],
    [
      '{\n  "a": 1,\n  // mine\n  "mcpServers": {\n    "plugboard": {}\n  }\n}',
      '{\n  "a": 1,\n  // mine\n  "mcpServers": {\n  }\n}',
    ],
    ['{ "mcpServers": { /* mine */ "plugboard": {} } }', '{ "mcpServers": { /* mine */ } }'],
    ['{ "mcpServers": { "a": {}, "plugboard": {} } }', '{ "mcpServers": { "a": {} } }'],
  ])(
    'is removed with its map on request, if the map has no other server and no comment: %j',
    (text, left) => {
      const edited = editJson(text, { ...removed, emptyMap: 'remove' });
      expect(edited).toEqual({ ok: true, value: { text: left, before: {} } });
    },
  );

  it.each(['{', '[]', '"x"', '{ "mcpServers": [] }', '{ "mcpServers": null }', '{ "a": 1 } }'])(
    'is not written into a text of another form: %s',
    (text) => {
      expect(editJson(text, added)).toEqual({ ok: false, error: 'invalid' });
    },
  );
});

const table = { path: ['mcp_servers'], name: 'plugboard', value: VALUE };

describe('a server in the TOML of another host', () => {
  const BEFORE = [
    'model = "o5" # mine',
    '',
    '[mcp_servers.files]',
    'command = "files"',
    'args = ["""a',
    '[not.a.table]',
    '"""]',
    '',
    '# about the profile',
    '[profiles.fast]',
    'model = "o4"',
    '',
  ].join('\n');

  it('is added as a table at the end, and removed again without a trace', async () => {
    const edited = await editToml(BEFORE, table);
    if (!edited.ok) throw new Error(edited.error);
    expect(edited.value.text).toBe(
      `${BEFORE}\n[mcp_servers.plugboard]\ncommand = "plugboard"\nargs = [ "serve" ]\n`,
    );
    const out = await editToml(edited.value.text, { ...table, value: undefined });
    expect(out).toMatchObject({ ok: true, value: { text: BEFORE } });
  });

  it.each(['a = 1\n\n\n', 'a = 1\r\n', '', '# mine\n\n'])(
    'is removed from the end with the one empty line above it: %j',
    async (text) => {
      const edited = await editToml(text, table);
      if (!edited.ok) throw new Error(edited.error);
      const out = await editToml(edited.value.text, { ...table, value: undefined });
      expect(out).toMatchObject({ ok: true, value: { text } });
    },
  );

  it('is replaced in its place, with the tables below it', async () => {
    const text = [
      '[mcp_servers.plugboard]',
      'command = "old"',
      '[mcp_servers.plugboard.env]',
      'A = "b"',
      '',
      '# next',
      '[other]',
      'x = 1',
      '',
    ].join('\r\n');
    const edited = await editToml(text, table);
    expect(edited).toMatchObject({
      ok: true,
      value: {
        text: [
          '[mcp_servers.plugboard]',
          'command = "plugboard"',
          'args = [ "serve" ]',
          '',
          '# next',
          '[other]',
          'x = 1',
          '',
        ].join('\r\n'),
      },
    });
  });

  it('has its headers if it is reached over HTTP', async () => {
    const value = { url: 'http://127.0.0.1:4343/mcp', http_headers: { Authorization: 'Bearer x' } };
    const edited = await editToml(BEFORE, { ...table, value });
    if (!edited.ok) throw new Error(edited.error);
    expect(parse(edited.value.text)).toMatchObject({ mcp_servers: { plugboard: value } });
    const out = await editToml(edited.value.text, { ...table, value: undefined });
    expect(out).toMatchObject({ ok: true, value: { text: BEFORE } });
  });

  it.each([
    ['[mcp_servers]\nplugboard = { command = "x" }\n', 'not-a-table'],
    ['mcp_servers = { a = { command = "x" } }\n', 'not-a-table'],
    ['mcp_servers.plugboard.command = "x"\n', 'not-a-table'],
    ['x = "[mcp_servers.plugboard]\n', 'invalid'],
    ['mcp_servers = 3\n', 'not-a-table'],
  ])('is not written if that cannot be done safely: %j', async (text, error) => {
    expect(await editToml(text, table)).toEqual({ ok: false, error });
  });

  it('is not confused with a line of a string that looks like its title', async () => {
    const text =
      'a = """\n[mcp_servers.plugboard]\n"""\n\n[mcp_servers.plugboard]\ncommand = "x"\n';
    const edited = await editToml(text, table);
    expect(edited).toEqual({ ok: false, error: 'not-a-table' });
  });
});
