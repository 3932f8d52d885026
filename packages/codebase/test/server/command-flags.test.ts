import { describe, expect, it } from 'vitest';
import { readFlags, USUAL_PORT } from '../../src/command-flags.ts';

const common = {
  roots: [],
  cacheFolder: undefined,
  logs: 'text',
  format: 'plain',
  embedder: undefined,
  store: undefined,
  languageServers: undefined,
  remotes: undefined,
  ignored: 'refuse',
};
const http = {
  kind: 'http',
  host: undefined,
  tokenVariable: undefined,
  allowedHosts: [],
  allowedOrigins: [],
};

describe('parsing the flags of the command', () => {
  it.each([
    [[], { kind: 'stdio', ...common }],
    [
      ['--root', 'x', '--json-logs'],
      { kind: 'stdio', ...common, roots: [{ path: 'x' }], logs: 'json' },
    ],
    [
      ['--root', 'api=/a', '--root', './b=c', '--root', 'C:\\d=e', '--root', '/f=g'],
      {
        kind: 'stdio',
        ...common,
        roots: [
          { name: 'api', path: '/a' },
          { path: './b=c' },
          { path: 'C:\\d=e' },
          { path: '/f=g' },
        ],
      },
    ],
    [
      ['--language-server', 'py=pyright-langserver --stdio', '--language-server', 'ts=x'],
      {
        kind: 'stdio',
        ...common,
        languageServers: { py: ['pyright-langserver', '--stdio'], ts: ['x'] },
      },
    ],
    [['--http'], { ...http, ...common, port: USUAL_PORT }],
    [['--http', '0'], { ...http, ...common, port: 0 }],
    [['--http=81', '--root', 'x'], { ...http, ...common, port: 81, roots: [{ path: 'x' }] }],
    [['--http', '--host', '::1'], { ...http, ...common, port: USUAL_PORT, host: '::1' }],
    [
      ['--http', '--allow-host', 'a', '--allow-host', 'b', '--token-variable', 'T'],
      { ...http, ...common, port: USUAL_PORT, allowedHosts: ['a', 'b'], tokenVariable: 'T' },
    ],
    [
      ['--http', '--allow-origin', 'https://a', '--format', 'compat'],
      { ...http, ...common, port: USUAL_PORT, allowedOrigins: ['https://a'], format: 'compat' },
    ],
    [
      ['--embedder', 'ollama:m:latest', '--store', 'embedded'],
      {
        kind: 'stdio',
        ...common,
        embedder: { kind: 'ollama', model: 'm:latest' },
        store: { kind: 'embedded' },
      },
    ],
    [
      [
        '--embedder',
        'openai:https://models.example/v1#small',
        '--store',
        'qdrant:http://[::1]:6333',
      ],
      {
        kind: 'stdio',
        ...common,
        embedder: { kind: 'openai', url: 'https://models.example/v1', model: 'small' },
        store: { kind: 'qdrant', url: 'http://[::1]:6333' },
      },
    ],
    [
      ['--embedder', 'none', '--store', '{"kind":"qdrant","url":["https://a","https://b"]}'],
      {
        kind: 'stdio',
        ...common,
        embedder: { kind: 'none' },
        store: { kind: 'qdrant', url: ['https://a', 'https://b'] },
      },
    ],
    [['--help'], { kind: 'help' }],
    [['--version'], { kind: 'version' }],
  ])('accepts %j', (args, value) => {
    expect(readFlags(args)).toEqual({ ok: true, value });
  });

  it.each([
    [['--nothing']],
    [['--http', '70000']],
    [['--http', 'x']],
    [['--host', 'x']],
    [['--allow-origin', 'https://a']],
    [['--format', 'other']],
    [['--embedder', 'openai']],
    [['--embedder', '{']],
    [['--store', '[]']],
    [['file']],
  ])('refuses %j', (args) => {
    expect(readFlags(args)).toMatchObject({ ok: false });
  });
});
