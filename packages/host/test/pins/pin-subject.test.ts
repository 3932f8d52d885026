import { describe, expect, it } from 'vitest';
import { verifies } from '@plugboard/testkit';
import { pinSubjectOf } from '../../src/pins/pin-subject.ts';

type Server = Parameters<typeof pinSubjectOf>[0];

const COMMON = { disabled: false, required: false, alwaysLoad: false };
const STDIO = { ...COMMON, kind: 'stdio', command: 'npx', args: ['-y', 'pkg'], env: {} } as const;
const HTTP = { ...COMMON, kind: 'http', url: 'https://a.example/mcp', headers: {} } as const;

function server(entry: object, changes: Partial<Server> = {}): Server {
  return {
    name: 's',
    scope: 'user',
    author: 'user',
    origin: { kind: 'file', file: '/home/me/settings.json', line: 1, column: 1 },
    sources: [],
    written: entry,
    resolved: { kind: 'ready', entry },
    ...changes,
  } as unknown as Server;
}

function keyOf(entry: object, changes: Partial<Server> = {}, cwd = '/work'): string | undefined {
  return pinSubjectOf(server(entry, changes), cwd)?.key;
}

const PROJECT = {
  scope: 'project',
  author: 'folder',
  origin: { kind: 'file', file: '/one/.mcp.json', line: 2, column: 3 },
} as const;

describe("the key of a server's pins", () => {
  verifies('POL-05');

  it.each<[string, string | undefined, string | undefined]>([
    ['a variable', keyOf({ ...STDIO, env: { A: '1' } }), keyOf({ ...STDIO, env: { A: '2' } })],
    ['a header', keyOf({ ...HTTP, headers: { A: '1' } }), keyOf({ ...HTTP, headers: { A: '2' } })],
    ['a token in the url', keyOf({ ...HTTP, url: `${HTTP.url}?key=1` }), keyOf(HTTP)],
    [
      'a token on the command line',
      keyOf({ ...STDIO, args: ['pkg', '--token', 'abc', '--api-key=def'] }),
      keyOf({ ...STDIO, args: ['pkg', '--token', 'xyz', '--api-key=uvw'] }),
    ],
    ['the folder one is in', keyOf(STDIO, {}, '/one'), keyOf(STDIO, {}, '/two')],
    ['where it is written', keyOf(STDIO, {}), keyOf(STDIO, { origin: { kind: 'given', by: 'x' } })],
  ])('does not depend on %s', (_, one, other) => {
    expect(one).toMatch(/^[0-9a-f]{40}$/);
    expect(other).toBe(one);
  });

  it('depends on the name, the program, its arguments, the address and the project', () => {
    const keys = [
      keyOf(STDIO),
      keyOf(STDIO, { name: 't' }),
      keyOf({ ...STDIO, command: 'uvx' }),
      keyOf({ ...STDIO, args: ['-y', 'pkg@2'] }),
      keyOf({ ...STDIO, cwd: '/there' }),
      keyOf({ ...STDIO, args: ['./server.js'] }, {}, '/one'),
      keyOf({ ...STDIO, args: ['./server.js'] }, {}, '/two'),
      keyOf(HTTP),
      keyOf({ ...HTTP, url: 'https://b.example/mcp' }),
      keyOf({ ...HTTP, url: 'https://a.example/other' }),
      keyOf(STDIO, PROJECT),
      keyOf(STDIO, { ...PROJECT, origin: { ...PROJECT.origin, file: '/two/.mcp.json' } }),
    ];
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('is undefined for a server of the program, or an unresolved one', () => {
    expect(keyOf({ ...COMMON, kind: 'sdk' })).toBeUndefined();
    const resolved = { kind: 'unresolved', diagnostics: [] } as unknown as Server['resolved'];
    expect(keyOf(STDIO, { resolved })).toBeUndefined();
  });

  it('is the same with the current folder stated and without', () => {
    const now = (entry: object, cwd: string) => ({
      resolved: { kind: 'ready', entry: { ...entry, cwd } } as unknown as Server['resolved'],
    });
    const stated = { ...STDIO, cwd: 'project' };
    expect(keyOf(stated, now(STDIO, '/work'))).toBe(keyOf(STDIO));
    expect(keyOf(STDIO, now(STDIO, '/neutral'))).toBe(keyOf(STDIO));
  });
});
