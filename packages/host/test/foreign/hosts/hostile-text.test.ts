// Files of other hosts are untrusted text: whatever one contains, the others are still read, and only servers
// are offered that could also be added by hand.

import { truncate } from 'node:fs/promises';
import { type TempFolder, tempFolder, verifies } from '@plugboard/testkit';
import { codePoint } from '@plugboard/testkit/code-point';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { entryProblems } from '../../../src/config/merge/entry-problems.ts';
import { expandEntry } from '../../../src/config/resolve/expand.ts';
import { readForeignText } from '../../../src/foreign/foreign-document.ts';
import { offerOf } from '../../../src/foreign/foreign-servers.ts';
import { FOREIGN_HOSTS } from '../../../src/foreign/hosts/all-hosts.ts';
import { NO_VARIABLES, translateText } from '../../../src/foreign/hosts/variables.ts';
import { planImport } from '../../../src/foreign/plan-import.ts';
import { foundIn } from './foreign-fixture.ts';

const CURSOR = 'home/.cursor/mcp.json';
const CODEX = 'home/.codex/config.toml';
const SURROUNDINGS = { env: {}, home: '/home/me', platform: 'linux', project: '/shop' } as const;

async function found(files: Readonly<Record<string, string>>) {
  await using folder = await tempFolder();
  await folder.mkdir('project/.git');
  for (const [path, text] of Object.entries(files)) await folder.write(path, text);
  return await summary(folder);
}

async function summary(folder: TempFolder) {
  const files = await foundIn(folder);
  return {
    servers: files.flatMap(({ servers }) => servers.map(({ name, entry }) => [name, entry])),
    diagnostics: files.flatMap(({ diagnostics }) => diagnostics),
  };
}

const GOOD = JSON.stringify({ mcpServers: { good: { command: 'good' } } });
const OFFERED = [['good', { command: 'good' }]];

describe('a broken file of another host', () => {
  verifies('CFG-13');

  it('yields a diagnostic with its place, in JSON', async () => {
    expect(
      await found({
        'home/.gemini/settings.json': GOOD,
        [CURSOR]: '{\n  "mcpServers": {\n    "a": { "command" "s3cret" }\n  }\n}\n',
      }),
    ).toEqual({
      servers: OFFERED,
      diagnostics: [
        {
          severity: 'error',
          code: 'syntax',
          message: 'A colon is expected between a name and its value.',
          suggestion: 'Write it like "command": "npx".',
          file: `@/${CURSOR}`,
          line: 3,
          column: 22,
        },
      ],
    });
  });

  it('yields a diagnostic with its place, in TOML, without a quotation', async () => {
    expect(
      await found({
        'home/.gemini/settings.json': GOOD,
        [CODEX]: '[mcp_servers.a]\ncommand = "x"\ntoken = s3cret\n',
      }),
    ).toEqual({
      servers: OFFERED,
      diagnostics: [
        {
          severity: 'error',
          code: 'syntax',
          message: 'This is not valid TOML.',
          suggestion: 'Check the text around this place.',
          file: `@/${CODEX}`,
          line: 3,
          column: 9,
        },
      ],
    });
  });

  it('yields a diagnostic if it is a folder, not text, or far too large', async () => {
    await using folder = await tempFolder();
    await folder.mkdir('project/.git');
    await folder.mkdir(CURSOR);
    await folder.write(CODEX, '\0');
    await folder.write('home/.gemini/settings.json', GOOD);
    const large = await folder.write('home/.codeium/mcp_config.json', GOOD);
    await truncate(large, 100 * 1024 * 1024);
    const { servers, diagnostics } = await summary(folder);
    expect(servers).toEqual(OFFERED);
    expect(diagnostics.map(({ code, file }) => [code, file])).toEqual([
      ['file-is-folder', `@/${CURSOR}`],
      ['file-too-large', '@/home/.codeium/mcp_config.json'],
      ['file-not-text', `@/${CODEX}`],
    ]);
  });

  it('yields a diagnostic if it is nested without end', async () => {
    const depth = 100_000;
    const { servers, diagnostics } = await found({
      'home/.gemini/settings.json': GOOD,
      [CURSOR]: `{"a":${'['.repeat(depth)}`,
      [CODEX]: `a = ${'['.repeat(depth)}`,
    });
    expect(servers).toEqual(OFFERED);
    expect(diagnostics.map(({ code, file }) => [code, file])).toEqual([
      ['too-deep', `@/${CURSOR}`],
      ['syntax', `@/${CODEX}`],
    ]);
  });

  it('yields nothing if it is empty', async () => {
    expect(await found({ [CURSOR]: '', [CODEX]: '', 'home/.gemini/settings.json': '' })).toEqual({
      servers: [],
      diagnostics: [],
    });
  });
});

describe('an entry of another host', () => {
  verifies('CFG-13');

  it('does not affect inherited object members', async () => {
    const { servers, diagnostics } = await found({
      [CURSOR]: `{ "mcpServers": {
        "__proto__": { "command": "a" },
        "constructor": { "command": "b" },
        "inherits": { "__proto__": { "command": "c" } },
        "env": { "command": "d", "env": { "__proto__": "x", "toString": "y" } }
      } }`,
      [CODEX]: '[mcp_servers.x]\ncommand = "e"\n[mcp_servers.x.__proto__]\npolluted = "yes"\n',
    });
    expect(servers).toEqual([
      ['proto', { command: 'a' }],
      ['constructor', { command: 'b' }],
      ['env', { command: 'd', env: { toString: 'y' } }],
      ['x', { command: 'e' }],
    ]);
    expect(diagnostics.map(({ message }) => message)).toEqual([
      '"inherits" cannot be imported: it has neither a command nor a url.',
    ]);
    expect('polluted' in {}).toBe(false);
  });

  it('is refused alone if its values are invalid', async () => {
    const { servers, diagnostics } = await found({
      [CURSOR]: `{ "mcpServers": {
        "text": "npx",
        "number": { "command": 7 },
        "args": { "command": "a", "args": "-y" },
        "both": { "command": "a", "url": "https://example.com" },
        "type": { "type": "carrier-pigeon", "command": "a" },
        "password": { "url": "https://me:s3cret@example.com" },
        "good": { "command": "good", "timeout": "soon" }
      } }`,
    });
    expect(servers).toEqual(OFFERED);
    expect(diagnostics.map(({ message }) => message)).toEqual([
      '"text" cannot be imported: its entry is not an object.',
      '"number" cannot be imported. "command" must be text.',
      '"args" cannot be imported. "args" must be a list of texts.',
      '"both" cannot be imported. It has both a "command" and a "url".',
      '"type" cannot be imported. "type" is not a kind of server that is known.',
      '"password" cannot be imported. "url" holds a user name or a password.',
    ]);
  });

  it('gets a valid name', async () => {
    const { servers } = await found({
      [CURSOR]: JSON.stringify({
        mcpServers: Object.fromEntries(
          ['my server', 'a/b', '???', 'codebase', 'x'.repeat(80)].map((name) => [
            name,
            { command: 'c' },
          ]),
        ),
      }),
    });
    expect(servers.map(([name]) => name)).toEqual([
      'my-server',
      'a-b',
      'server',
      'my-codebase',
      'x'.repeat(64),
    ]);
  });
});

/** Keys that some host supports, so that the rules for them are tested. */
const KEYS = [
  ...['type', 'command', 'args', 'env', 'cwd', 'url', 'headers', 'envFile', 'disabled', 'enabled'],
  ...['timeout', 'httpUrl', 'serverUrl', 'env_vars', 'env_http_headers', 'bearer_token_env_var'],
  ...['http_headers', 'startup_timeout_sec', 'enabled_tools', 'disabledTools', 'includeTools'],
  ...['environment', 'oauth', 'headersHelper', 'source', 'settings', 'transportType', '__proto__'],
];

const words = fc.oneof(
  fc.string(),
  fc.constantFrom('stdio', 'http', 'sse', 'local', '${', '$${X}', '${X}', '${env:X}', '{env:X}'),
  fc.constantFrom('$X', '${input:a}', '${file:/x}', '${workspaceFolder}', 'https://example.com'),
);
const values = fc.oneof(
  words,
  fc.array(words),
  fc.dictionary(fc.oneof(fc.string(), fc.constantFrom('__proto__', 'TOKEN')), words),
  fc.jsonValue({ maxDepth: 3 }),
);
const pairs = fc.array(fc.tuple(fc.constantFrom(...KEYS), values), { maxLength: 8 });
const entries = fc.oneof(
  fc.jsonValue(),
  pairs.map((given) => Object.fromEntries(given)),
  // Often a valid server.
  fc.tuple(words, pairs).map(([command, given]) => ({ ...Object.fromEntries(given), command })),
);

describe('arbitrary text', () => {
  verifies('CFG-13');

  it.each(FOREIGN_HOSTS.map((host) => [host.id, host] as const))(
    'of %s yields only servers that could be added by hand',
    (_, host) => {
      fc.assert(
        fc.property(fc.string(), entries, fc.jsonValue(), (name, value, setting) => {
          const at = { file: '/f', line: 1, column: 1 };
          const offer = offerOf(host, { name, value, setting: () => setting, at }, SURROUNDINGS);
          if (offer.kind !== 'server') return;
          const { server } = offer;
          expect(entryProblems({ file: '/f', name: server.name, entry: server.entry })).toEqual([]);
          // A written entry is read again as the same, so a repeated import finds it.
          const written: unknown = JSON.parse(JSON.stringify(server.entry));
          const file = { host: host.id, path: '/f', owner: 'user', diagnostics: [] } as const;
          const [planned] = planImport(
            [{ ...file, servers: [server] }],
            new Map([[server.name, written]]),
          );
          expect(planned?.change).toEqual({ kind: 'same' });
        }),
        { numRuns: 300 },
      );
    },
  );

  it.each(['json', 'toml'] as const)('as a %s file never throws', async (syntax) => {
    const pieces = fc.oneof(
      fc.string({ unit: codePoint }),
      fc.constantFrom('{', '}', '[', ']', '"', '=', '\n', '[mcp_servers.a]', '"mcpServers":', '//'),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(pieces), async (parts) => {
        const file = { path: '/f', syntax, owner: 'user' } as const;
        const serverMaps = [['mcpServers'], ['mcp_servers']];
        const { kind } = await readForeignText({ file, text: parts.join(''), serverMaps });
        expect(['read', 'invalid']).toContain(kind);
      }),
      { numRuns: 300 },
    );
  });

  it('is passed on literally if the other host does so', () => {
    fc.assert(
      fc.property(fc.array(words), (parts) => {
        const text = parts.join('');
        const command = translateText(text, 'command', NO_VARIABLES).text;
        const entry = { kind: 'stdio', command, args: [], env: {}, ...NOTHING_SAID } as const;
        const expanded = expandEntry(entry, () => 'filled in');
        expect(expanded).toEqual({ ok: true, value: { ...entry, command: text } });
      }),
    );
  });
});

const NOTHING_SAID = { disabled: false, required: false, alwaysLoad: false };
