import { type TempFolder, tempFolder, verifies } from '@plugboard/testkit';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ConfigFile } from '../../src/config/index.ts';
import { type Configuration, loadConfig, type LoadOptions } from '../../src/sources/load-config.ts';
import { neutralIn, testEnvironment } from '../config/test-environment.ts';

const flags = { disabled: false, required: false, alwaysLoad: false };
const stdio = (command: string) => ({ kind: 'stdio', command, args: [], env: {}, ...flags });
const servers = (entries: object) => JSON.stringify({ mcpServers: entries });

type Options = Omit<LoadOptions, 'environment'> & Parameters<typeof testEnvironment>[1];

/** Never the real managed file: a test must not depend on its machine. */
function load(folder: TempFolder, options: Options = {}): Promise<Configuration> {
  const { cwd, env, platform, home, ...rest } = options;
  const changes = Object.fromEntries(
    Object.entries({ cwd, env, platform, home }).filter(([, value]) => value !== undefined),
  );
  const environment = testEnvironment(folder.path, changes);
  return loadConfig({ environment, enterprise: [], ...rest });
}

function managed(folder: TempFolder): readonly ConfigFile[] {
  const path = join(folder.path, 'managed-mcp.json');
  return [{ path, scope: 'enterprise', format: 'managed', folder: folder.path }];
}

describe('loadConfig', () => {
  it('returns each server with its origin, its entry and its readiness', async () => {
    await using folder = await tempFolder();
    const file = await folder.write(
      'project/.mcp.json',
      '{\n  "mcpServers": {\n    "files": { "command": "${BIN:-run}", "args": ["${ROOT}"], "cwd": "tools" }\n  }\n}',
    );
    const configuration = await load(folder, { env: { ROOT: '/srv' } });
    expect(configuration.servers).toEqual([
      {
        name: 'files',
        scope: 'project',
        origin: { kind: 'file', file, line: 3, column: 5 },
        author: 'folder',
        written: { ...stdio('${BIN:-run}'), args: ['${ROOT}'], cwd: 'tools' },
        resolved: {
          kind: 'ready',
          entry: { ...stdio('run'), args: ['/srv'], cwd: join(folder.path, 'project/tools') },
        },
        sources: [
          {
            scope: 'project',
            origin: { kind: 'file', file, line: 3, column: 5 },
            author: 'folder',
            part: 'defines',
          },
        ],
      },
    ]);
    expect([configuration.rejected, configuration.diagnostics]).toEqual([[], []]);
  });

  it('reports for every file whether it was read', async () => {
    verifies('CFG-02');
    await using folder = await tempFolder();
    await folder.write('project/.mcp.json', '{}');
    await folder.write('project/.plugboard/settings.json', '{');
    const at = (path: string) => join(folder.path, path);
    expect((await load(folder, { enterprise: managed(folder) })).files).toEqual([
      { path: at('managed-mcp.json'), scope: 'enterprise', state: 'missing' },
      { path: at('project/.plugboard/settings.local.json'), scope: 'local', state: 'missing' },
      { path: at('project/.claude/settings.local.json'), scope: 'local', state: 'missing' },
      { path: at('project/.mcp.json'), scope: 'project', state: 'read' },
      { path: at('project/.plugboard/settings.json'), scope: 'project', state: 'invalid' },
      { path: at('project/.claude/settings.json'), scope: 'project', state: 'missing' },
      { path: at('home/.config/plugboard/settings.json'), scope: 'user', state: 'missing' },
      { path: at('home/.claude/settings.json'), scope: 'user', state: 'missing' },
      { path: at('home/.claude.json'), scope: 'claude-code', state: 'missing' },
    ]);
  });

  it('sorts servers by name, whatever the files', async () => {
    await using folder = await tempFolder();
    await folder.write('project/.mcp.json', servers({ b: { command: 'b' }, Z: { command: 'z' } }));
    await folder.write('home/.claude/settings.json', servers({ a: { command: 'a' } }));
    const { servers: found } = await load(folder, { given: { c: { command: 'c' } } });
    expect(found.map(({ name }) => name)).toEqual(['Z', 'a', 'b', 'c']);
  });

  it.each([
    ['project/.mcp.json', 'project/rel'],
    ['project/.plugboard/settings.json', 'project/rel'],
    ['project/.claude/settings.local.json', 'project/rel'],
    ['home/.claude/settings.json', 'home/rel'],
    ['home/.config/plugboard/settings.json', 'home/rel'],
  ])('resolves a relative cwd in %s as %s', async (path, expected) => {
    await using folder = await tempFolder();
    await folder.write(path, servers({ a: { command: 'a', cwd: './rel' } }));
    const [server] = (await load(folder)).servers;
    expect(server?.resolved).toMatchObject({
      kind: 'ready',
      entry: { ...stdio('a'), cwd: join(folder.path, expected) },
    });
  });

  it('resolves a given relative cwd from the working directory', async () => {
    await using folder = await tempFolder();
    const [server] = (await load(folder, { given: { a: { command: 'a', cwd: '..' } } })).servers;
    expect(server?.resolved).toMatchObject({
      kind: 'ready',
      entry: { ...stdio('a'), cwd: folder.path },
    });
  });

  it('accepts servers named like members of every object', async () => {
    await using folder = await tempFolder();
    const text = '{"mcpServers":{"__proto__":{"command":"p"},"constructor":{"command":"c"}}}';
    await folder.write('project/.mcp.json', text);
    const { servers: found } = await load(folder);
    expect(found.map(({ name, written }) => [name, written])).toEqual([
      ['__proto__', stdio('p')],
      ['constructor', stdio('c')],
    ]);
  });
});

describe('the strongest entry of a name', () => {
  verifies('CFG-01', 'CFG-02');

  /** Strongest first. */
  const files = [
    ['local', 'project/sub/.plugboard/settings.local.json'],
    ['local', 'project/sub/.claude/settings.local.json'],
    ['local', 'project/.plugboard/settings.local.json'],
    ['local', 'project/.claude/settings.local.json'],
    ['project', 'project/sub/.mcp.json'],
    ['project', 'project/sub/.plugboard/settings.json'],
    ['project', 'project/sub/.claude/settings.json'],
    ['project', 'project/.mcp.json'],
    ['project', 'project/.plugboard/settings.json'],
    ['project', 'project/.claude/settings.json'],
    ['user', 'home/.config/plugboard/settings.json'],
    ['user', 'home/.claude/settings.json'],
  ] as const;

  it.each(files.map((file, index) => [file[1], index] as const))(
    'wins from %s, over all weaker ones',
    async (_, index) => {
      await using folder = await tempFolder();
      await folder.mkdir('project/.git');
      const cwd = await folder.mkdir('project/sub');
      const present = files.slice(index);
      for (const [, path] of present) await folder.write(path, servers({ s: { command: path } }));
      const { servers: found, diagnostics } = await load(folder, { cwd });
      const [winner, ...losers] = present.map(([scope, path]) => ({
        scope,
        origin: { kind: 'file', file: join(folder.path, path), line: 1, column: 16 },
        author: scope === 'user' ? 'user' : 'folder',
      }));
      expect({ found, diagnostics }).toEqual({
        found: [
          {
            name: 's',
            ...winner,
            written: stdio(present[0]?.[1] ?? ''),
            resolved: {
              kind: 'ready',
              entry: expect.objectContaining(stdio(present[0]?.[1] ?? '')),
            },
            sources: [
              { ...winner, part: 'defines' },
              ...losers.map((loser) => ({ ...loser, part: 'hidden' })),
            ],
          },
        ],
        diagnostics: [],
      });
    },
  );

  it('wins if the program gives it, over every file', async () => {
    await using folder = await tempFolder();
    const local = 'project/.plugboard/settings.local.json';
    const file = await folder.write(local, servers({ s: { command: 'local' } }));
    const options = { given: { s: { command: 'given' } }, givenBy: '--mcp-config' };
    expect((await load(folder, options)).servers).toEqual([
      {
        name: 's',
        scope: 'dynamic',
        origin: { kind: 'given', by: '--mcp-config' },
        author: 'user',
        written: stdio('given'),
        resolved: { kind: 'ready', entry: { ...stdio('given'), cwd: neutralIn(folder.path) } },
        sources: [
          {
            scope: 'dynamic',
            origin: { kind: 'given', by: '--mcp-config' },
            author: 'user',
            part: 'defines',
          },
          {
            scope: 'local',
            origin: { kind: 'file', file, line: 1, column: 16 },
            author: 'folder',
            part: 'hidden',
          },
        ],
      },
    ]);
  });

  it('wins even when it is unusable: the weaker one does not replace it', async () => {
    await using folder = await tempFolder();
    const local = await folder.write(
      'project/.plugboard/settings.local.json',
      servers({ s: { command: 'x', disabled: 'true' } }),
    );
    const project = await folder.write('project/.mcp.json', servers({ s: { command: 'x' } }));
    const { servers: found, rejected, diagnostics } = await load(folder);
    const wrong = {
      severity: 'error',
      code: 'wrong-type',
      message: '"disabled" must be true or false.',
      suggestion: 'Write it like "disabled": true.',
      file: local,
      line: 1,
      column: 46,
      server: 's',
    };
    expect({ found, rejected, diagnostics }).toEqual({
      found: [],
      rejected: [
        {
          name: 's',
          scope: 'local',
          origin: { kind: 'file', file: local, line: 1, column: 16 },
          author: 'folder',
          diagnostics: [wrong],
          sources: [
            {
              scope: 'local',
              origin: { kind: 'file', file: local, line: 1, column: 16 },
              author: 'folder',
              part: 'broken',
            },
            {
              scope: 'project',
              origin: { kind: 'file', file: project, line: 1, column: 16 },
              author: 'folder',
              part: 'defines',
            },
          ],
        },
      ],
      diagnostics: [wrong],
    });
  });

  it('comes from no file when files are left out', async () => {
    await using folder = await tempFolder();
    await folder.write('project/.mcp.json', servers({ s: { command: 'file' } }));
    const configuration = await load(folder, { files: 'none', given: { g: { command: 'g' } } });
    expect(configuration.servers.map(({ name }) => name)).toEqual(['g']);
    expect(configuration.files).toEqual([]);
  });
});

describe('a file of the machine owner', () => {
  verifies('CFG-01');

  async function withOthers(folder: TempFolder): Promise<Options> {
    await folder.write('project/.mcp.json', servers({ p: { command: 'p' }, s: { command: 'p' } }));
    await folder.write('home/.claude/settings.json', 'broken');
    const given = { g: { command: 'g' }, inside: { type: 'sdk' }, s: { type: 'sdk' } };
    return { enterprise: managed(folder), given };
  }

  it('excludes every other source but servers of the program itself', async () => {
    await using folder = await tempFolder();
    const options = await withOthers(folder);
    const file = await folder.write('managed-mcp.json', servers({ s: { command: 'managed' } }));
    const { servers: found, diagnostics, files } = await load(folder, options);
    expect(found.map(({ name, scope, written }) => [name, scope, written.kind])).toEqual([
      ['inside', 'dynamic', 'sdk'],
      ['s', 'enterprise', 'stdio'],
    ]);
    expect(files).toEqual([{ path: file, scope: 'enterprise', state: 'read' }]);
    expect(diagnostics).toEqual([
      {
        severity: 'warning',
        code: 'enterprise-exclusive',
        message: '"g" is left out: this machine\'s owner decides which servers there are.',
        suggestion: 'Ask the owner of the machine to add it.',
        file: '(program)',
        line: 0,
        column: 0,
        server: 'g',
      },
    ]);
  });

  it.each([
    ['empty', ''],
    ['broken', '{"mcpServers":'],
  ])('excludes them also when it is %s', async (_, text) => {
    await using folder = await tempFolder();
    const options = await withOthers(folder);
    const file = await folder.write('managed-mcp.json', text);
    const { servers: found, files } = await load(folder, options);
    expect(found.map(({ name }) => name)).toEqual(['inside', 's']);
    expect(files).toEqual([{ path: file, scope: 'enterprise', state: 'invalid' }]);
  });

  it('excludes them also when it is a folder, and when files are left out', async () => {
    await using folder = await tempFolder();
    const options = await withOthers(folder);
    await folder.mkdir('managed-mcp.json');
    const { servers: found } = await load(folder, { ...options, files: 'none' });
    expect(found.map(({ name }) => name)).toEqual(['inside', 's']);
  });

  it('changes nothing when it is absent', async () => {
    await using folder = await tempFolder();
    const { servers: found } = await load(folder, await withOthers(folder));
    expect(found.map(({ name, scope }) => [name, scope])).toEqual([
      ['g', 'dynamic'],
      ['inside', 'dynamic'],
      ['p', 'project'],
      ['s', 'dynamic'],
    ]);
  });
});
