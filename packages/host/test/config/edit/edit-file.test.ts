import { tempFolder } from '@plugboard/testkit';
import { readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { addServer, removeServer } from '../../../src/config/edit/edit-file.ts';

const entry = { command: 'npx', args: ['-y', 'x'] };
const added = { ok: true, value: { kind: 'added' } };
const replaced = { ok: true, value: { kind: 'replaced' } };
const removed = { ok: true, value: { kind: 'removed' } };

/** Adds `b` to a text and returns the new text. */
async function add(
  text: string,
  path = 'settings.json',
  replace: 'refuse' | 'overwrite' = 'refuse',
) {
  await using folder = await tempFolder();
  const file = await folder.write(path, text);
  const result = await addServer({ file, name: 'b', entry: { command: 'x' }, replace });
  return { result, text: await folder.read(path) };
}

async function remove(text: string, path = 'settings.json') {
  await using folder = await tempFolder();
  const file = await folder.write(path, text);
  const result = await removeServer({ file, name: 'b' });
  return { result, text: await folder.read(path) };
}

describe('addServer', () => {
  it('creates the folders above the file', async () => {
    await using folder = await tempFolder();
    const file = join(folder.path, 'deep/.plugboard/settings.local.json');
    expect(await addServer({ file, name: 'a', entry, replace: 'refuse' })).toEqual(added);
    expect(await readdir(dirname(file))).toEqual(['.gitignore', 'settings.local.json']);
  });

  it('keeps personal settings private and out of git, and shares those of a project', async () => {
    await using folder = await tempFolder();
    const modes = [];
    for (const path of ['.plugboard/settings.local.json', 'config/settings.json', '.mcp.json']) {
      const file = join(folder.path, path);
      await addServer({ file, name: 'a', entry, replace: 'refuse' });
      modes.push((await stat(file)).mode & 0o077);
    }
    expect(modes.slice(0, 2)).toEqual([0, 0]);
    expect(modes[2]).not.toBe(0);
    expect(await folder.read('.plugboard/.gitignore')).toBe('settings.local.json\n.gitignore\n');
  });

  it('creates the file', async () => {
    await using folder = await tempFolder();
    const file = join(folder.path, '.mcp.json');
    expect(await addServer({ file, name: 'a', entry, replace: 'refuse' })).toEqual(added);
    expect(await folder.read('.mcp.json')).toBe(`{
  "mcpServers": {
    "a": {
      "command": "npx",
      "args": [
        "-y",
        "x"
      ]
    }
  }
}
`);
    expect(await readdir(folder.path)).toEqual(['.mcp.json']);
  });

  it.each([
    [
      'an empty file',
      '',
      '{\n  "mcpServers": {\n    "b": {\n      "command": "x"\n    }\n  }\n}\n',
    ],
    [
      'a file of comments',
      '// mine\n',
      '// mine\n{\n  "mcpServers": {\n    "b": {\n      "command": "x"\n    }\n  }\n}\n',
    ],
    [
      'an empty object',
      '{}',
      '{\n  "mcpServers": {\n    "b": {\n      "command": "x"\n    }\n  }\n}',
    ],
    [
      'an empty map',
      '{ "mcpServers": {} }\n',
      '{ "mcpServers": {\n  "b": {\n    "command": "x"\n  }\n} }\n',
    ],
    [
      'a map of comments',
      '{\n  "mcpServers": {\n    // none yet\n  }\n}',
      '{\n  "mcpServers": {\n    // none yet\n    "b": {\n      "command": "x"\n    }\n  }\n}',
    ],
    [
      'other settings',
      '{\n    "theme": 1, // dark\n}',
      '{\n    "theme": 1, // dark\n    "mcpServers": {\n        "b": {\n            "command": "x"\n        }\n    },\n}',
    ],
    [
      'one line',
      '{"mcpServers":{"a":{"command":"a"}}}',
      '{"mcpServers":{"a":{"command":"a"}, "b": {"command":"x"}}}',
    ],
    [
      'tabs and Windows line ends',
      '{\r\n\t"mcpServers": {\r\n\t\t"a": {}\r\n\t}\r\n}\r\n',
      '{\r\n\t"mcpServers": {\r\n\t\t"a": {},\r\n\t\t"b": {\r\n\t\t\t"command": "x"\r\n\t\t}\r\n\t}\r\n}\r\n',
    ],
    [
      'a trailing comma',
      '{\n  "mcpServers": {\n    "a": {},\n  },\n}',
      '{\n  "mcpServers": {\n    "a": {},\n    "b": {\n      "command": "x"\n    },\n  },\n}',
    ],
    [
      'comments around the last one',
      '{\n  "mcpServers": {\n    // first\n    "a": {} /* x */ // about a\n    // the end\n  }\n}',
      '{\n  "mcpServers": {\n    // first\n    "a": {}, /* x */ // about a\n    "b": {\n      "command": "x"\n    }\n    // the end\n  }\n}',
    ],
  ])('writes into %s and keeps the rest', async (_, before, after) => {
    expect(await add(before)).toEqual({ result: added, text: after });
  });

  it('keeps the bare map of .mcp.json', async () => {
    expect(await add('{\n  "a": { "command": "a" }\n}\n', '.mcp.json')).toEqual({
      result: added,
      text: '{\n  "a": { "command": "a" },\n  "b": {\n    "command": "x"\n  }\n}\n',
    });
  });

  it('wraps the servers of a new or empty .mcp.json', async () => {
    expect(await add('{}\n', '.mcp.json')).toEqual({
      result: added,
      text: '{\n  "mcpServers": {\n    "b": {\n      "command": "x"\n    }\n  }\n}\n',
    });
  });

  const taken = '{\n  "mcpServers": {\n    "b": { "command": "old" }, // keep\n    "c": {}\n  }\n}';

  it('keeps an existing server of that name by default', async () => {
    expect(await add(taken)).toEqual({
      result: { ok: false, error: { kind: 'exists' } },
      text: taken,
    });
  });

  it('replaces a server of that name on request, in its place', async () => {
    expect(await add(taken, 'settings.json', 'overwrite')).toEqual({
      result: replaced,
      text: '{\n  "mcpServers": {\n    "b": {\n      "command": "x"\n    }, // keep\n    "c": {}\n  }\n}',
    });
    const line = '{"mcpServers":{"b":{},"c":{}}}';
    expect(await add(line, 'settings.json', 'overwrite')).toEqual({
      result: replaced,
      text: '{"mcpServers":{"b":{"command":"x"},"c":{}}}',
    });
  });

  it.each([
    ['{ "mcpServers": { "a": { nope } } }', 'syntax', 26],
    ['{ "mcpServers": {} } }', 'syntax', 22],
    ['{ "mcpServers": [] }', 'wrong-type', 17],
    ['[]', 'wrong-type', 1],
  ])('does not touch %s', async (text, code, column) => {
    const outcome = await add(text);
    expect(outcome).toEqual({
      result: {
        ok: false,
        error: {
          kind: 'invalid-file',
          diagnostic: expect.objectContaining({ code, line: 1, column }),
        },
      },
      text,
    });
  });

  it('refuses a folder instead of a file', async () => {
    await using folder = await tempFolder();
    const file = await folder.mkdir('.mcp.json');
    expect(await addServer({ file, name: 'a', entry, replace: 'refuse' })).toEqual({
      ok: false,
      error: {
        kind: 'invalid-file',
        diagnostic: expect.objectContaining({ code: 'file-is-folder', file }),
      },
    });
  });

  it('reports why a file cannot be written', async () => {
    await using folder = await tempFolder();
    await folder.write('not-a-folder', '');
    const file = join(folder.path, 'not-a-folder/settings.json');
    expect(await addServer({ file, name: 'a', entry, replace: 'refuse' })).toEqual({
      ok: false,
      error: { kind: 'unwritable', file, code: expect.stringMatching(/^E[A-Z]+$/) },
    });
  });

  it.each([
    ['codebase', entry, 'reserved-name'],
    ['bad name', entry, 'bad-name'],
    ['a', {}, 'command-or-url'],
    ['a', { command: 1 }, 'wrong-type'],
  ])('does not write an entry that could not be read again: %s %j', async (name, wrong, code) => {
    await using folder = await tempFolder();
    const file = join(folder.path, '.mcp.json');
    expect(await addServer({ file, name, entry: wrong, replace: 'refuse' })).toEqual({
      ok: false,
      error: {
        kind: 'invalid-entry',
        diagnostics: [expect.objectContaining({ code, file, server: name })],
      },
    });
    expect(await readdir(folder.path)).toEqual([]);
  });
});

describe('removeServer', () => {
  it.each([
    ['the only one', '{\n  "mcpServers": {\n    "b": {}\n  }\n}', '{\n  "mcpServers": {\n  }\n}'],
    [
      'the only one, with a trailing comma',
      '{ "mcpServers": { "b": {}, } }',
      '{ "mcpServers": { } }',
    ],
    [
      'the first',
      '{\n  "mcpServers": {\n    // about b\n    "b": {}, // b\n    // about c\n    "c": {}\n  }\n}',
      '{\n  "mcpServers": {\n    // about c\n    "c": {}\n  }\n}',
    ],
    [
      'one with remarks above it, and no others',
      `{
  "mcpServers": { // all of them
    // about the first

    /* about a */
    "a": {}, // a
    // of the databases

    // about b,
    /* in more
       // than one line */
    // and its token
    "b": {
      // inside
      "command": "x" // too
    },
    // about c
    "c": {}
    // the end
  }
}`,
      `{
  "mcpServers": { // all of them
    // about the first

    /* about a */
    "a": {}, // a
    // of the databases

    // about c
    "c": {}
    // the end
  }
}`,
    ],
    [
      'the last with remarks above it',
      '{\r\n\t"mcpServers": {\r\n\t\t"a": {}, // a\r\n\t\t// about b\r\n\t\t"b": {}\r\n\t}\r\n}',
      '{\r\n\t"mcpServers": {\r\n\t\t"a": {} // a\r\n\t}\r\n}',
    ],
    [
      'one below an entry that is switched off',
      '{\n  "mcpServers": {\n    // about old\n    // "old": { "command": "x" },\n    // about b\n    "b": {},\n    "c": {}\n  }\n}',
      '{\n  "mcpServers": {\n    // about old\n    // "old": { "command": "x" },\n    "c": {}\n  }\n}',
    ],
    [
      'the only one, but no remark that may be about all',
      '{\n  "mcpServers": {\n    // ours\n    "b": {}\n  }\n}',
      '{\n  "mcpServers": {\n    // ours\n  }\n}',
    ],
    [
      'one between',
      '{\n  "mcpServers": {\n    "a": {}, // a\n    "b": {\n      "command": "x"\n    },\n    "c": {} // c\n  }\n}',
      '{\n  "mcpServers": {\n    "a": {}, // a\n    "c": {} // c\n  }\n}',
    ],
    [
      'the last',
      '{\r\n\t"mcpServers": {\r\n\t\t"a": {}, // a\r\n\t\t"b": {}\r\n\t}\r\n}',
      '{\r\n\t"mcpServers": {\r\n\t\t"a": {} // a\r\n\t}\r\n}',
    ],
    [
      'the last, with a trailing comma',
      '{\n  "mcpServers": {\n    "a": {},\n    "b": {},\n  }\n}',
      '{\n  "mcpServers": {\n    "a": {},\n  }\n}',
    ],
    ['one of a line', '{"mcpServers":{"a":{}, "b":{}, "c":{}}}', '{"mcpServers":{"a":{}, "c":{}}}'],
    ['the last of a line', '{"mcpServers":{"a":{}, "b":{}}}', '{"mcpServers":{"a":{}}}'],
    [
      'one with a comment before its comma',
      '{"mcpServers":{"b":{} /* x */, "c":{}}}',
      '{"mcpServers":{ /* x */ "c":{}}}',
    ],
    [
      'one that was written twice',
      '{"mcpServers":{"b":{}, "a":{}, "b":{"command":"x"}}}',
      '{"mcpServers":{"a":{}}}',
    ],
  ])('removes %s and keeps the rest', async (_, before, after) => {
    expect(await remove(before)).toEqual({ result: removed, text: after });
  });

  it('removes a server from the bare map of .mcp.json', async () => {
    expect(await remove('{\n  "a": {},\n  "b": {}\n}', '.mcp.json')).toEqual({
      result: removed,
      text: '{\n  "a": {}\n}',
    });
  });

  it('lists the existing servers if none has that name', async () => {
    const text = '{"mcpServers":{"a":{},"c":{},"a":{}}}';
    expect(await remove(text)).toEqual({
      result: { ok: false, error: { kind: 'not-found', names: ['a', 'c'] } },
      text,
    });
  });

  it('creates no file when there is nothing to remove', async () => {
    await using folder = await tempFolder();
    const file = join(folder.path, '.mcp.json');
    expect(await removeServer({ file, name: 'b' })).toEqual({
      ok: false,
      error: { kind: 'not-found', names: [] },
    });
    expect(await readdir(folder.path)).toEqual([]);
  });
});
