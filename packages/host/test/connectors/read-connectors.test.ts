import { join } from 'node:path';
import { type TempFolder, tempFolder, verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { type Configuration, loadConfig } from '../../src/sources/load-config.ts';
import { testEnvironment } from '../config/test-environment.ts';

const USER_FILE = 'home/.config/plugboard/settings.json';
const URL = 'https://acme.example/servers';

function load(
  folder: TempFolder,
  env: Readonly<Record<string, string>> = {},
): Promise<Configuration> {
  const environment = testEnvironment(folder.path, { env: { TOKEN: 's3cret', ...env } });
  return loadConfig({
    environment,
    enterprise: [
      {
        path: join(folder.path, 'managed-settings.json'),
        scope: 'enterprise',
        format: 'policy',
        folder: folder.path,
      },
    ],
  });
}

describe('connectors in settings', () => {
  verifies('CFG-09', 'CFG-06');

  it('are those of the user and of the machine owner, whose come first', async () => {
    await using folder = await tempFolder();
    const owner = await folder.write(
      'managed-settings.json',
      JSON.stringify({ connectors: { acme: { url: `${URL}/owner` } } }),
    );
    const user = await folder.write(
      USER_FILE,
      `{\n  "connectors": {\n    "acme": { "url": "${URL}" },\n    "beta": { "url": "${URL}", "headers": { "A": "\${TOKEN}" } }\n  }\n}`,
    );
    const { connectors, diagnostics } = await load(folder);
    expect(diagnostics).toEqual([]);
    expect(
      connectors.map(({ name, scope, origin, resolved }) => ({
        name,
        scope,
        origin,
        entry: resolved.kind === 'ready' && 'url' in resolved.entry && resolved.entry.url,
        headers: resolved.kind === 'ready' && 'url' in resolved.entry && resolved.entry.headers,
      })),
    ).toEqual([
      {
        name: 'acme',
        scope: 'enterprise',
        origin: { kind: 'file', file: owner, line: 1, column: 16 },
        entry: `${URL}/owner`,
        headers: {},
      },
      {
        name: 'beta',
        scope: 'user',
        origin: { kind: 'file', file: user, line: 4, column: 5 },
        entry: URL,
        headers: { A: 's3cret' },
      },
    ]);
  });

  it.each(['.mcp.json', '.plugboard/settings.json', '.plugboard/settings.local.json'])(
    'have no effect in %s, which may have come with the project, with a message',
    async (path) => {
      await using folder = await tempFolder();
      await folder.mkdir('project/.git');
      const text = `{ "mcpServers": {},\n  "connectors": { "acme": { "url": "${URL}" } } }`;
      const file = await folder.write(`project/${path}`, text);
      const { connectors, diagnostics } = await load(folder);
      expect({ connectors, diagnostics }).toEqual({
        connectors: [],
        diagnostics: [
          {
            severity: 'warning',
            code: 'unused-key',
            message: '"connectors" has no effect in a file that may have come with a project.',
            suggestion: 'Move it into your own settings: plugboard config path --scope user',
            file,
            line: 2,
            column: 3,
          },
        ],
      });
    },
  );

  it('have no effect in settings of the user that lie in the project', async () => {
    await using folder = await tempFolder();
    await folder.mkdir('project/.git');
    const file = 'project/config/plugboard/settings.json';
    await folder.write(file, `{ "connectors": { "acme": { "url": "${URL}" } } }`);
    const env = { XDG_CONFIG_HOME: join(folder.path, 'project/config') };
    const { connectors, diagnostics } = await load(folder, env);
    expect([connectors, diagnostics.map(({ code }) => code)]).toEqual([[], ['unused-key']]);
  });

  it('accept known fields only: others have no effect, with a message', async () => {
    await using folder = await tempFolder();
    const file = await folder.write(
      USER_FILE,
      `{ "connectors": { "__proto__": {\n"url": "${URL}",\n"command": "sh",\n"constructor": 1 } } }`,
    );
    const { connectors, diagnostics } = await load(folder);
    expect(connectors.map(({ name, resolved }) => [name, resolved.kind])).toEqual([
      ['__proto__', 'ready'],
    ]);
    expect(diagnostics).toEqual(
      ['command', 'constructor'].map((key, index) => ({
        severity: 'warning',
        code: 'unknown-key',
        message: `"${key}" is not a field of a connector and has no effect.`,
        suggestion: 'Remove it. The fields here are: url, headers, headersHelper.',
        file,
        line: 3 + index,
        column: 1,
      })),
    );
  });

  it.each<[string, unknown, string, string]>([
    ['a list', [], 'wrong-type', '"connectors" must be an object.'],
    ['of which one is no object', { acme: 'x' }, 'wrong-type', 'A connector must be an object.'],
    [
      'of which one has no url',
      { acme: {} },
      'command-or-url',
      'It has no "url", which the type "http" needs.',
    ],
    [
      'of which one has a name in parts',
      { 'plugin:a:b': { url: URL } },
      'bad-name',
      '"plugin:a:b" cannot be the name of a connector.',
    ],
    [
      'whose url needs a secret',
      { acme: { url: 'https://acme.example/${secret:A}' } },
      'bad-value',
      'The "url" of a connector cannot hold a secret.',
    ],
    [
      'whose variable is not set',
      { acme: { url: URL, headers: { A: '${UNSET}' } } },
      'unset-variable',
      '"acme" needs the environment variable UNSET (in "headers.A"), which is not set.',
    ],
  ])('that are %s get a message, and others count', async (_, connectors, code, message) => {
    await using folder = await tempFolder();
    const good = { good: { url: URL } };
    const all = Array.isArray(connectors) ? connectors : { ...(connectors as object), ...good };
    const mcpServers = { s: { command: 's' } };
    const file = await folder.write(USER_FILE, JSON.stringify({ connectors: all, mcpServers }));
    const { connectors: found, diagnostics, servers } = await load(folder);
    expect(diagnostics).toMatchObject([{ severity: 'error', code, message, file }]);
    expect(diagnostics[0]).not.toHaveProperty('server');
    expect(servers.map(({ name }) => name)).toEqual(['s']);
    const usable = found.filter(({ resolved }) => resolved.kind === 'ready');
    expect(usable.map(({ name }) => name)).toEqual(Array.isArray(connectors) ? [] : ['good']);
  });
});
