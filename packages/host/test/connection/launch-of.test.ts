import { describe, expect, it } from 'vitest';
import type { ServerEntry } from '../../src/config/index.ts';
import { launchOf } from '../../src/connection/launch-of.ts';
import { testEnvironment } from '../config/test-environment.ts';

const common = { disabled: false, required: false, alwaysLoad: false };
const remote = { url: 'https://example.com/mcp', headers: { 'X-Key': 'k' } };

describe('the launch of a server', () => {
  it.each(['http', 'http-or-sse', 'sse'] as const)('is its address, over %s', (kind) => {
    const entry: ServerEntry = { kind, ...remote, ...common };
    expect(launchOf(entry, testEnvironment('/root'))).toEqual({
      ok: true,
      value: { kind, ...remote, era: 'auto' },
    });
  });

  it('contains the proxy of the environment', () => {
    const entry: ServerEntry = {
      kind: 'ws',
      ...remote,
      url: 'wss://example.com',
      ...common,
      protocol: 'modern',
    };
    const environment = testEnvironment('/root', { env: { HTTPS_PROXY: 'http://proxy' } });
    expect(launchOf(entry, environment)).toEqual({
      ok: true,
      value: {
        kind: 'ws',
        url: 'wss://example.com',
        headers: remote.headers,
        era: 'modern',
        network: { proxies: { https: 'http://proxy' }, noProxy: [] },
      },
    });
  });

  it('is an error for an in-process server that the program did not pass', () => {
    expect(launchOf({ kind: 'sdk', ...common }, testEnvironment('/root'))).toEqual({
      ok: false,
      error: { kind: 'unsupported-transport', transport: 'sdk' },
    });
  });

  it.each([
    ['npx', ['-y', 'a'], ['--prefix=/neutral', '-y', 'a']],
    ['/usr/bin/npm', ['exec', 'a'], ['exec', '--prefix=/neutral', 'a']],
    ['npm', ['run', 'a'], ['run', 'a']],
    ['uvx', ['a'], ['a']],
  ])('protects %s %j from the settings of the folder', (command, args, expected) => {
    const launch = { command, args, env: {}, cwd: '/work', npmPrefix: '/neutral' };
    const made = launchOf({ kind: 'stdio', ...launch, ...common }, testEnvironment('/root'));
    expect(made).toMatchObject({ value: { command, args: expected, cwd: '/work' } });
  });

  it('resolves a relative program from the folder of its file, and passes the project to the server', () => {
    const entry = {
      command: './serve',
      args: [],
      env: {},
      cwd: '/neutral',
      programFolder: '/files',
    };
    expect(
      launchOf({ kind: 'stdio', ...entry, ...common }, testEnvironment('/root')),
    ).toMatchObject({
      value: {
        command: '/files/serve',
        cwd: '/neutral',
        env: { PLUGBOARD_PROJECT: '/root/project' },
      },
    });
  });
});
