import { type TempFolder, tempFolder, verifies } from '@plugboard/testkit';
import { symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/sources/load-config.ts';
import { testEnvironment } from '../config/test-environment.ts';

const good = JSON.stringify({ mcpServers: { good: { command: 'good' } } });

async function load(folder: TempFolder, env: Readonly<Record<string, string>> = {}) {
  const environment = testEnvironment(folder.path, { env });
  const { servers, rejected, diagnostics } = await loadConfig({ environment, enterprise: [] });
  return {
    servers: servers.map(({ name, resolved }) => [name, resolved.kind]),
    rejected: rejected.map(({ name }) => name),
    diagnostics,
  };
}

describe('an unusable configuration file', () => {
  verifies('CFG-06');

  const cases: readonly [string, (file: string, folder: TempFolder) => Promise<unknown>, object][] =
    [
      [
        'is a folder',
        (_, folder) => folder.mkdir('project/.mcp.json'),
        {
          severity: 'error',
          code: 'file-is-folder',
          message: 'This is a folder, not a file.',
          suggestion: 'Remove or rename the folder, then write the settings into a file.',
          line: 1,
          column: 1,
        },
      ],
      [
        'is empty',
        (file) => writeFile(file, ''),
        {
          severity: 'warning',
          code: 'file-empty',
          message: 'The file is empty.',
          suggestion: 'Write { "mcpServers": {} } into it, or delete it.',
          line: 1,
          column: 1,
        },
      ],
      [
        'has 50 MB',
        async (file) => {
          await writeFile(file, good);
          await truncate(file, 50 * 1024 * 1024);
        },
        {
          severity: 'error',
          code: 'file-too-large',
          message: 'The file is too large (50.0 MB, at most 16.0 MB).',
          suggestion: 'Check that this is the right file; keep only the settings in it.',
          line: 1,
          column: 1,
        },
      ],
      [
        'leads nowhere',
        (file) => symlink(file, file),
        {
          severity: 'error',
          code: 'file-unreadable',
          message: 'The file cannot be read (ELOOP).',
          suggestion: 'Check that it is a file which you may read.',
          line: 1,
          column: 1,
        },
      ],
      [
        'is not text',
        (file) => writeFile(file, Buffer.from([0xff, 0xfe, 0x7b, 0x00])),
        {
          severity: 'error',
          code: 'file-not-text',
          message: 'The file is not UTF-8 text.',
          suggestion: 'Save it again with the encoding UTF-8.',
          line: 1,
          column: 1,
        },
      ],
      [
        'is broken at line 7',
        (file) =>
          writeFile(
            file,
            '{\n  "mcpServers": {\n    "bad": {\n      "command": "x",\n      "args": [\n        "a"\n        "b"\n      ]\n    }\n  }\n}\n',
          ),
        {
          severity: 'error',
          code: 'syntax',
          message: 'A comma is missing before this.',
          suggestion: 'Add a comma after what comes before.',
          line: 7,
          column: 9,
          server: 'bad',
        },
      ],
      [
        'holds no object',
        (file) => writeFile(file, '\n  []'),
        {
          severity: 'error',
          code: 'wrong-type',
          message: 'The file must be an object.',
          suggestion: 'Write it like { "mcpServers": { "name": { "command": "npx" } } }.',
          line: 2,
          column: 3,
        },
      ],
    ];

  it.each(cases)(
    'yields one clear message, and does not affect other files, if it %s',
    async (_, spoil, diagnostic) => {
      await using folder = await tempFolder();
      await folder.mkdir('project');
      await folder.write('home/.claude/settings.json', good);
      const file = join(folder.path, 'project/.mcp.json');
      await spoil(file, folder);
      const { servers, diagnostics } = await load(folder);
      expect({ servers, diagnostics }).toEqual({
        servers: [['good', 'ready']],
        diagnostics: [{ ...diagnostic, file }],
      });
    },
  );
});

describe('bad entries', () => {
  verifies('CFG-06', 'CFG-07');

  it('in one file are named with their places, and every other server loads', async () => {
    await using folder = await tempFolder();
    const file = await folder.write(
      'project/.mcp.json',
      `{
  "mcpServers": {
    "good": { "command": "good" },
    "odd": { "command": "odd", "argz": [] },
    "wrong": { "command": "wrong", "args": "x" },
    "codebase": { "command": "x" },
    "bad name": { "command": "x" },
    "both": { "command": "x", "url": "https://example.com" },
    "also-good": { "url": "https://example.com" }
  }
}`,
    );
    const { servers, rejected, diagnostics } = await load(folder);
    expect({ servers, rejected }).toEqual({
      servers: [
        ['also-good', 'ready'],
        ['bad-name', 'ready'],
        ['good', 'ready'],
        ['odd', 'ready'],
      ],
      rejected: ['both', 'codebase', 'wrong'],
    });
    expect(
      diagnostics.map((found) => [found.server, found.code, found.file, found.line, found.column]),
    ).toEqual([
      ['odd', 'unknown-key', file, 4, 32],
      ['wrong', 'wrong-type', file, 5, 44],
      ['codebase', 'reserved-name', file, 6, 5],
      ['bad-name', 'bad-name', file, 7, 5],
      ['both', 'command-or-url', file, 8, 5],
    ]);
  });

  it('given by the program are named, and every other server loads', async () => {
    await using folder = await tempFolder();
    const cyclic: Record<string, unknown> = { url: 'https://example.com/mcp' };
    cyclic['oauth'] = cyclic;
    const given = { good: { command: 'x' }, bad: null, workspace: { command: 'x' }, cyclic };
    const environment = testEnvironment(folder.path);
    const found = await loadConfig({ environment, enterprise: [], given });
    expect(found.servers.map(({ name }) => name)).toEqual(['cyclic', 'good']);
    expect(
      found.diagnostics.map(({ server, code, file, line }) => [server, code, file, line]),
    ).toEqual([
      ['bad', 'wrong-type', '(program)', 0],
      ['workspace', 'reserved-name', '(program)', 0],
      // `oauth` contains itself.
      ['cyclic', 'unknown-key', '(program)', 0],
      ['cyclic', 'unknown-key', '(program)', 0],
    ]);
  });
});

describe('a server with unresolved variables', () => {
  verifies('CFG-05');

  const text = `{ "mcpServers": {
  "good": { "command": "x", "env": { "T": "\${TOKEN}" } },
  "needy": {
    "url": "https://\${HOST}/mcp",
    "headers": { "Authorization": "Bearer \${TOKEN} \${API_KEY}" }
  }
} }`;

  it('is reported with variable, file and place, and affects no other', async () => {
    await using folder = await tempFolder();
    const file = await folder.write('project/.mcp.json', text);
    const environment = testEnvironment(folder.path, { env: { TOKEN: 's3cret' } });
    const found = await loadConfig({ environment, enterprise: [] });
    const [fine, needy] = found.servers;
    expect(fine?.resolved.kind).toBe('ready');
    const unset = (variable: string, field: string) => ({
      severity: 'error',
      code: 'unset-variable',
      message: `"needy" needs the environment variable ${variable} (in "${field}"), which is not set.`,
      suggestion: `Set ${variable}, or write a default: \${${variable}:-value}.`,
      file,
      server: 'needy',
    });
    expect(needy?.resolved).toEqual({
      kind: 'unresolved',
      diagnostics: [
        { ...unset('HOST', 'url'), line: 4, column: 12 },
        { ...unset('API_KEY', 'headers.Authorization'), line: 5, column: 35 },
      ],
    });
    expect(found.diagnostics).toEqual([]);
    expect(JSON.stringify([needy, fine?.written])).not.toContain('s3cret');
  });

  it.each([
    ['a placeholder of unknown form', { command: '${file:NAME}' }, 'bad-placeholder'],
    ['a name every object has a member for', { command: '${constructor}' }, 'unset-variable'],
    ['a command that comes out empty', { command: '${EMPTY}' }, 'bad-value'],
    ['a url that comes out wrong', { url: '${SECRET}' }, 'bad-value'],
    ['a url that comes out of another scheme', { url: '${FILE_URL}' }, 'bad-value'],
    [
      'a header with a line break',
      { url: 'https://e.com', headers: { K: '${LINE}' } },
      'bad-value',
    ],
    ['a NUL in an argument', { command: 'x', args: ['a\0b'] }, 'bad-value'],
    ['what looks like the mark of a secret', { url: 'https://e.com/\0secret:A\0' }, 'bad-value'],
  ])('is reported for %s, and no value is shown', async (_, entry, code) => {
    await using folder = await tempFolder();
    const env = { EMPTY: '', SECRET: 's3cret', FILE_URL: 'file:///s3cret', LINE: 's3cret\r\nX: y' };
    const environment = testEnvironment(folder.path, { env });
    const found = await loadConfig({ environment, enterprise: [], given: { s: entry } });
    const [server] = found.servers;
    const problems = server?.resolved.kind === 'unresolved' ? server.resolved.diagnostics : [];
    expect(problems.map((problem) => problem.code)).toEqual([code]);
    expect(JSON.stringify(found)).not.toContain('s3cret');
  });

  it('finds variables on Windows in any letter case', async () => {
    await using folder = await tempFolder();
    const environment = {
      ...testEnvironment(folder.path, { env: { Path: 'C:\\bin' } }),
      platform: 'win32' as const,
    };
    const given = { s: { command: '${PATH}' } };
    const [server] = (await loadConfig({ environment, enterprise: [], given })).servers;
    expect(server?.resolved).toMatchObject({ kind: 'ready', entry: { command: 'C:\\bin' } });
  });
});
