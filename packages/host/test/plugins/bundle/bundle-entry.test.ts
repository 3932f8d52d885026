import * as fc from 'fast-check';
import { verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { bundleEntry } from '../../../src/plugins/bundle/bundle-entry.ts';
import { readManifest } from '../../../src/plugins/bundle/bundle-manifest.ts';
import { DOLLAR } from '../../../src/plugins/bundle/fill-in.ts';
import type { Answer } from '../../../src/plugins/bundle/question.ts';
import { manifestOf, runs } from './bundle.ts';

interface GivenAnswers {
  readonly values?: Readonly<Record<string, Answer>>;
  readonly secrets?: readonly string[];
  readonly platform?: NodeJS.Platform;
  readonly folder?: string;
  readonly unanswered?: 'show';
}

function translate(manifest: object, given: GivenAnswers = {}) {
  const { values = {}, secrets = [], platform = 'linux', folder = '/plugins/files' } = given;
  const read = readManifest(manifest, platform);
  if (read.manifest === undefined) throw new Error(JSON.stringify(read.findings));
  const answers = { values: new Map(Object.entries(values)), secrets: new Set(secrets) };
  const home = platform === 'win32' ? 'C:\\me' : '/home/me';
  const unanswered = given.unanswered ?? 'leave-out';
  return bundleEntry(read.manifest, answers, { folder, home, platform, unanswered });
}

const entryOf = (manifest: object, given?: GivenAnswers) => translate(manifest, given).entry;

describe('the entry of a bundle', () => {
  verifies('CFG-09');

  it('has the placeholders of the manifest format filled in', () => {
    const args = ['${__dirname}', '${HOME}', '${DESKTOP}', '${DOCUMENTS}', '${DOWNLOADS}'];
    const manifest = runs({ args: [...args, 'a${/}b${pathSeparator}c'] });
    expect(entryOf(manifest)).toEqual({
      command: 'node',
      args: [
        '/plugins/files',
        '/home/me',
        '/home/me/Desktop',
        '/home/me/Documents',
        '/home/me/Downloads',
        'a/b/c',
      ],
      env: {},
      cwd: '/plugins/files',
    });
    expect(entryOf(manifest, { platform: 'win32', folder: 'C:\\p' }).args).toEqual([
      'C:\\p',
      'C:\\me',
      'C:\\me\\Desktop',
      'C:\\me\\Documents',
      'C:\\me\\Downloads',
      'a\\b\\c',
    ]);
  });

  it('has answers filled in, lists as separate arguments, and secrets as references', () => {
    const manifest = runs(
      {
        args: [
          '--n=${user_config.n}',
          '${user_config.dirs}',
          'all:${user_config.dirs}',
          '-${user_config.on}',
        ],
        env: {
          KEY: '${user_config.key}',
          BOTH: 'Bearer ${user_config.key}!',
          DIRS: '${user_config.dirs}',
        },
      },
      {
        n: { type: 'number' },
        on: { type: 'boolean' },
        dirs: { type: 'directory', multiple: true },
        key: { type: 'string', sensitive: true },
      },
    );
    const values = { n: 7, on: false, dirs: ['/a', '/b c'] };
    expect(entryOf(manifest, { values, secrets: ['key'] })).toEqual({
      command: 'node',
      args: ['--n=7', '/a', '/b c', 'all:/a,/b c', '-false'],
      env: {
        KEY: '${secret:plugin.files.key}',
        BOTH: 'Bearer ${secret:plugin.files.key}!',
        DIRS: '/a,/b c',
      },
      cwd: '/plugins/files',
    });
  });

  it('uses defaults, with placeholders filled in, and leaves out unanswered parts', () => {
    const manifest = runs(
      {
        args: [
          '${user_config.dirs}',
          'x${user_config.none}',
          '${user_config.list}',
          '${user_config.none}',
        ],
        env: {
          NONE: '${user_config.none}',
          SOME: '[${user_config.none}]',
          LEVEL: '${user_config.level}',
        },
      },
      {
        dirs: {
          type: 'directory',
          multiple: true,
          required: true,
          default: ['${HOME}/a', '${DESKTOP}'],
        },
        level: { type: 'number', default: 3 },
        list: { type: 'file', multiple: true, default: [] },
        none: { type: 'string', default: '' },
      },
    );
    const made = translate(manifest);
    expect({ entry: made.entry, missing: made.missing, findings: made.findings }).toEqual({
      entry: {
        command: 'node',
        args: ['/home/me/a', '/home/me/Desktop', 'x', '', ''],
        env: { SOME: '[]', LEVEL: '3' },
        cwd: '/plugins/files',
      },
      missing: [],
      findings: [],
    });
    expect(entryOf(manifest, { unanswered: 'show' }).env).toEqual({
      NONE: '${user_config.none}',
      SOME: '[${user_config.none}]',
      LEVEL: '3',
    });
  });

  it('reports missing required answers, and the place of a field in the manifest', () => {
    const manifest = runs(
      {
        args: ['a', '${user_config.dirs}', 'b'],
        platform_overrides: { linux: { env: { A: 'b' } } },
      },
      {
        dirs: { type: 'directory', multiple: true },
        key: { type: 'string', required: true, sensitive: true },
        other: { type: 'string', required: true },
      },
    );
    const made = translate(manifest, { values: { dirs: ['/1', '/2'], other: 'x' } });
    expect(made.missing.map(({ name }) => name)).toEqual(['key']);
    const config = ['server', 'mcp_config'];
    expect(
      [['command'], ['args'], ['args', 2], ['args', 3], ['env', 'A'], ['cwd'], []].map(made.pathOf),
    ).toEqual([
      [...config, 'command'],
      [...config, 'args'],
      [...config, 'args', 1],
      [...config, 'args', 2],
      [...config, 'platform_overrides', 'linux', 'env', 'A'],
      ['server'],
      ['server'],
    ]);
  });

  it('uses platform-specific values in place of the others', () => {
    const manifest = runs({
      command: 'server/run',
      args: ['a'],
      env: { A: '1' },
      platform_overrides: {
        win32: { command: 'server/run.exe', args: ['b'] },
        darwin: { env: {} },
      },
    });
    const binary = { ...manifest, server: { ...(manifest['server'] as object), type: 'binary' } };
    expect(entryOf(binary)).toEqual({
      command: '/plugins/files/server/run',
      args: ['a'],
      env: { A: '1' },
      cwd: '/plugins/files',
    });
    expect(entryOf(binary, { platform: 'win32', folder: 'C:\\p' })).toEqual({
      command: 'C:\\p\\server/run.exe',
      args: ['b'],
      env: { A: '1' },
      cwd: 'C:\\p',
    });
    expect(entryOf(binary, { platform: 'darwin' }).env).toEqual({});
  });

  it.for([
    ['node', 'linux', 'node', 'node'],
    ['./bin/x', 'linux', 'binary', '/plugins/files/bin/x'],
    ['/usr/bin/x', 'linux', 'binary', '/usr/bin/x'],
    ['${__dirname}/x', 'linux', 'binary', '/plugins/files/x'],
    ['bin/x', 'win32', 'binary', '/plugins/files\\bin/x.exe'],
    ['bin/x', 'win32', 'node', '/plugins/files\\bin/x'],
  ] as const)('runs %s on %s (%s) as %s', ([command, platform, type, expected]) => {
    const server = { type, entry_point: 'x', mcp_config: { command } };
    expect(entryOf(manifestOf({ server }), { platform }).command).toBe(expected);
  });

  it('runs a uv bundle without a configuration from its folder', () => {
    const server = { type: 'uv', entry_point: 'src/server.py' };
    expect(entryOf(manifestOf({ manifest_version: '0.4', server }))).toEqual({
      command: 'uv',
      args: ['run', '--directory', '/plugins/files', 'src/server.py'],
      env: {},
      cwd: '/plugins/files',
    });
  });

  it.for([
    [
      { args: ['${user_config.nope}'] },
      {},
      ['args', 0],
      '"user_config.nope" is used and not declared.',
    ],
    [
      { env: { A: '${secret:github}' } },
      {},
      ['env', 'A'],
      'A bundle may not name secrets; it has to ask for them.',
    ],
  ] as const)('is refused for %j', ([config, questions, path, message]) => {
    expect(translate(runs(config, questions)).findings).toEqual([
      {
        severity: 'error',
        code: 'bad-value',
        path: ['server', 'mcp_config', ...path],
        on: 'value',
        message,
        suggestion: 'Get another version of the bundle, or tell its author.',
      },
    ]);
  });

  it('is refused for a default that its question would not accept', () => {
    const made = translate(runs({}, { n: { type: 'number', default: 9, max: 5 } }));
    expect(made.findings.map(({ path, message }) => [path, message])).toEqual([
      [['user_config', 'n', 'default'], 'The default of "user_config.n" is none that it takes.'],
    ]);
  });
});

/** Resolves a written text with a store of secrets. */
function expanded(text: string, secret: string): string {
  return text.replaceAll(/\$\$\{|\$\{([^}]*)\}/g, (found, name?: string) => {
    if (found === '$${') return '${';
    if (name === DOLLAR.name) return DOLLAR.value;
    return name === 'secret:plugin.files.key' ? secret : `<${name ?? ''}>`;
  });
}

describe('an answer of the user to a bundle', () => {
  const tricky = fc.string({
    unit: fc.constantFrom('$', '{', '}', '${', '$${', 'HOME', 'user_config.b', ':-', 'x', '"'),
    minLength: 1,
    maxLength: 8,
  });

  it('arrives literally, whatever is around it, after variables are expanded', () => {
    const template = fc.array(
      fc.constantFrom(
        '$',
        '{',
        '}',
        'x',
        '${user_config.a}',
        '${user_config.b}',
        '${user_config.key}',
      ),
      { minLength: 1, maxLength: 6 },
    );
    fc.assert(
      fc.property(template, tricky, tricky, tricky, (parts, a, b, secret) => {
        // The author is responsible for two pieces that form a variable only together.
        fc.pre(!/\$\{(?!user_config\.)|\{\}|\$\{user_config\.\w+(?!\w|\})/.test(parts.join('')));
        const manifest = runs(
          { args: [parts.join('')] },
          {
            a: { type: 'string' },
            b: { type: 'string' },
            key: { type: 'string', sensitive: true },
          },
        );
        const { args } = entryOf(manifest, { values: { a, b }, secrets: ['key'] });
        const typed = new Map([
          ['${user_config.a}', a],
          ['${user_config.b}', b],
          ['${user_config.key}', secret],
        ]);
        const wanted = parts.map((part) => typed.get(part) ?? part);
        expect(args.map((text) => expanded(text, secret))).toEqual([wanted.join('')]);
      }),
    );
  });
});
