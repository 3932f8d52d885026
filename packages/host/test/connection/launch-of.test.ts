import { describe, expect, it } from 'vitest';
import type { ServerEntry } from '../../src/config/index.ts';
import { launchOf } from '../../src/connection/launch-of.ts';
import { testEnvironment } from '../config/test-environment.ts';

const common = { disabled: false, required: false, alwaysLoad: false };
const remote = { url: 'https://example.com/mcp', headers: { 'X-Key': 'k' } };

describe('what it takes to reach a server', () => {
  it.each(['http', 'http-or-sse', 'sse'] as const)('is its address, over %s', (kind) => {
    const entry: ServerEntry = { kind, ...remote, ...common };
    expect(launchOf(entry, testEnvironment('/root'))).toEqual({
      ok: true,
      value: { kind, ...remote, era: 'auto' },
    });
  });

  it('names the proxy that the environment asks for', () => {
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

  it('is nothing for a server that the program did not hand over', () => {
    expect(launchOf({ kind: 'sdk', ...common }, testEnvironment('/root'))).toEqual({
      ok: false,
      error: { kind: 'unsupported-transport', transport: 'sdk' },
    });
  });
});
