import { type TempFolder, tempFolder, verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { readConfiguration } from '../../../src/admission/read-configuration.ts';
import { testEnvironment } from '../test-environment.ts';

const USER_FILE = 'home/.config/plugboard/settings.json';
const AWAY = '{ "kind": "openai", "url": "https://models.example", "model": "m" }';
const QDRANT = '{ "kind": "qdrant", "url": ["https://a.example", "https://b.example"] }';
const ROOTS = '["~/library", { "name": "docs", "path": "https://github.com/owner/docs.git" }]';
const SERVERS = '{ "python": ["pyright-langserver", "--stdio"] }';

async function load(folder: TempFolder, trust: 'stored' | 'project' = 'stored') {
  const { codebase, diagnostics } = await readConfiguration({
    environment: testEnvironment(folder.path),
    enterprise: [],
    trust,
  });
  return {
    settings: codebase.map(({ origin: _, ...setting }) => setting),
    problems: diagnostics.map(({ severity, message, line }) => `${line} ${severity}: ${message}`),
  };
}

describe('the setting "codebase"', () => {
  verifies('COD-08');

  it('is read from the settings of the user', async () => {
    await using folder = await tempFolder();
    await folder.write(
      USER_FILE,
      `{ "codebase": { "embedder": ${AWAY}, "store": ${QDRANT}, "languageServers": ${SERVERS}, "roots": ${ROOTS}, "remotes": ["github.com"] } }`,
    );
    expect(await load(folder)).toEqual({
      settings: [
        {
          scope: 'user',
          embedder: JSON.parse(AWAY) as unknown,
          store: JSON.parse(QDRANT) as unknown,
          languageServers: JSON.parse(SERVERS) as unknown,
          roots: JSON.parse(ROOTS) as unknown,
          remotes: ['github.com'],
        },
      ],
      problems: [],
    });
  });

  it.each([
    ['.mcp.json', 'stored', 'project'],
    ['.plugboard/settings.json', 'stored', 'project'],
    ['.plugboard/settings.json', 'project', 'project'],
    ['.plugboard/settings.local.json', 'project', 'local'],
  ] as const)(
    'sends no code anywhere and starts no program because of %s, with trust %s',
    async (file, trust, scope) => {
      await using folder = await tempFolder();
      await folder.write(
        `project/${file}`,
        `{ "mcpServers": {}, "codebase": { "disabled": true, "embedder": ${AWAY}, "store": ${QDRANT}, "languageServers": ${SERVERS}, "roots": ${ROOTS}, "remotes": ["github.com"] } }`,
      );
      expect(await load(folder, trust)).toEqual({
        settings: [{ scope, disabled: true }],
        problems: [
          '1 warning: What "codebase" says about an embedder, a store, language servers, roots or remotes has no effect in a file that may have come with a project.',
        ],
      });
    },
  );

  it('is ignored in a file of another program', async () => {
    await using folder = await tempFolder();
    await folder.write('home/.claude/settings.json', '{ "codebase": { "disabled": true } }');
    expect(await load(folder)).toEqual({ settings: [], problems: [] });
  });

  it.each([
    ['{ "disabled": "yes" }', { disabled: true }, '"codebase.disabled" must be true or false.'],
    ['{ "embedder": "openai" }', {}, '"codebase.embedder" must be "embedded" or "none".'],
    [
      '{ "store": { "kind": "redis" } }',
      {},
      '"codebase.store.kind" must be "embedded" or "qdrant".',
    ],
    ['[]', {}, '"codebase" must be an object.'],
  ])('is reported as invalid if it is %s', async (value, kept, message) => {
    await using folder = await tempFolder();
    await folder.write(USER_FILE, `{ "codebase": ${value} }`);
    expect(await load(folder)).toEqual({
      settings: [{ scope: 'user', ...kept }],
      problems: [`1 error: ${message}`],
    });
  });
});
