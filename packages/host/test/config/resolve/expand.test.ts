import { verifies } from '@plugboard/testkit';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RemoteEntry, StdioEntry } from '../../../src/config/fields/server-entry.ts';
import { expandEntry, type Lookup } from '../../../src/config/resolve/expand.ts';

const flags = { disabled: false, required: false, alwaysLoad: false };

function stdio(fields: Partial<StdioEntry>): StdioEntry {
  return { kind: 'stdio', command: 'run', args: [], env: {}, ...flags, ...fields };
}

function remote(fields: Partial<RemoteEntry>): RemoteEntry {
  return { kind: 'http', url: 'https://example.com/mcp', headers: {}, ...flags, ...fields };
}

const variables = new Map([
  ['HOME', '/home/me'],
  ['EMPTY', ''],
  ['TOKEN', 's3cret'],
  ['NESTED', '${TOKEN}'],
  ['_under_1', 'ok'],
]);
const lookup: Lookup = (name) => variables.get(name);

describe('expandEntry', () => {
  verifies('CFG-05');

  it.each([
    ['plain', 'plain'],
    ['${HOME}/bin', '/home/me/bin'],
    ['${HOME}${TOKEN}', '/home/mes3cret'],
    ['${_under_1}', 'ok'],
    ['${EMPTY}', ''],
    ['${EMPTY:-default}', 'default'],
    ['${UNSET:-default}', 'default'],
    ['${UNSET:-}', ''],
    ['${HOME:-default}', '/home/me'],
    ['${UNSET:-a:-b}', 'a:-b'],
    ['${UNSET:-two words}', 'two words'],
    ['$HOME', '$HOME'],
    ['$', '$'],
    ['100$', '100$'],
    ['{HOME}', '{HOME}'],
    ['$${HOME}', '${HOME}'],
    ['$$${HOME}', '$${HOME}'],
    ['${NESTED}', '${TOKEN}'],
  ])('turns %j into %j', (text, expected) => {
    expect(expandEntry(stdio({ args: [text] }), lookup)).toEqual({
      ok: true,
      value: stdio({ args: [expected] }),
    });
  });

  it.each([
    '${',
    '${HOME',
    '${}',
    '${1A}',
    '${A B}',
    '${secret:}',
    '${secret:A B}',
    '${secret:NAME:-default}',
    '${secret:NAME',
    `\${secret:${'x'.repeat(129)}}`,
    '${UNSET:-${HOME}}',
    '${UNSET:-${secret:NAME}}',
    '${A-b}',
  ])('refuses %j rather than passing it on', (text) => {
    expect(expandEntry(stdio({ args: ['fine', text] }), lookup)).toEqual({
      ok: false,
      error: [{ kind: 'malformed', path: ['args', 1] }],
    });
  });

  it('expands every field of a started server that may contain variables, and only those', () => {
    const entry = stdio({
      command: '${HOME}/run',
      args: ['--token', '${TOKEN}'],
      env: { A: '${TOKEN}', '${HOME}': 'key stays' },
      cwd: '${HOME}/work',
      envFile: '${HOME}/.env',
    });
    expect(expandEntry(entry, lookup)).toEqual({
      ok: true,
      value: stdio({
        command: '/home/me/run',
        args: ['--token', 's3cret'],
        env: { A: 's3cret', '${HOME}': 'key stays' },
        cwd: '/home/me/work',
        envFile: '/home/me/.env',
      }),
    });
  });

  it('leaves a mark for every secret, which only its own placeholder can produce', () => {
    const entry = stdio({
      command: '${secret:bin}',
      args: ['--token=${secret:a.b-c_1}', '${NESTED_SECRET}', '$${secret:A}'],
      env: { A: '${HOME}${secret:A}${secret:B}' },
      cwd: '${secret:folder}/x',
    });
    expect(expandEntry(entry, (name) => (name === 'HOME' ? 'h' : '${secret:A}'))).toEqual({
      ok: true,
      value: stdio({
        command: '\0secret:bin\0',
        args: ['--token=\0secret:a.b-c_1\0', '${secret:A}', '${secret:A}'],
        env: { A: 'h\0secret:A\0\0secret:B\0' },
        cwd: '\0secret:folder\0/x',
      }),
    });
  });

  it('allows no secrets in the path of a file that is read before the connection', () => {
    expect(expandEntry(stdio({ envFile: '${secret:A}' }), lookup)).toEqual({
      ok: false,
      error: [{ kind: 'malformed', path: ['envFile'] }],
    });
  });

  it.each([
    ['as written', '\0secret:A\0'],
    ['as a variable', '${FORGED}'],
    ['as a default', '${UNSET:-\0secret:A\0}'],
    ['in pieces', '\0secret:${A}\0'],
    ['around a real one', '\0secret:A${secret:B}'],
  ])('does not mistake text for the mark of a secret: %s', (_, text) => {
    const forged: Lookup = (name) =>
      new Map([
        ['FORGED', '\0secret:A\0'],
        ['A', 'A'],
      ]).get(name);
    for (const entry of [
      stdio({ args: [text] }),
      stdio({ cwd: text }),
      remote({ url: `https://example.com/${text}` }),
      remote({ headers: { A: text } }),
    ]) {
      const expanded = expandEntry(entry, forged);
      expect(expanded.ok ? [] : expanded.error.map(({ kind }) => kind)).toEqual(['nul']);
    }
  });

  it.each(['http', 'sse', 'ws', 'http-or-sse'] as const)(
    'expands url and headers of %s',
    (kind) => {
      const entry = remote({
        kind,
        url: 'https://${HOST:-example.com}/mcp',
        headers: { Authorization: 'Bearer ${TOKEN}' },
      });
      expect(expandEntry(entry, lookup)).toEqual({
        ok: true,
        value: remote({
          kind,
          url: 'https://example.com/mcp',
          headers: { Authorization: 'Bearer s3cret' },
        }),
      });
    },
  );

  it('leaves a server of the program unchanged', () => {
    const entry = { kind: 'sdk', ...flags } as const;
    expect(expandEntry(entry, lookup)).toEqual({ ok: true, value: entry });
  });

  it('names every unset variable and its field', () => {
    const entry = stdio({
      command: '${NO_COMMAND}',
      args: ['${NO_A}', '${NO_A}${NO_B}'],
      env: { KEY: 'x${NO_C}' },
    });
    expect(expandEntry(entry, lookup)).toEqual({
      ok: false,
      error: [
        { kind: 'unset', variable: 'NO_COMMAND', path: ['command'] },
        { kind: 'unset', variable: 'NO_A', path: ['args', 0] },
        { kind: 'unset', variable: 'NO_A', path: ['args', 1] },
        { kind: 'unset', variable: 'NO_B', path: ['args', 1] },
        { kind: 'unset', variable: 'NO_C', path: ['env', 'KEY'] },
      ],
    });
  });

  it('never throws and never passes a placeholder on', () => {
    const piece = fc.constantFrom('$', '{', '}', 'A', ' ', '${A}', '${B:-d}', '${A', 'é');
    const text = fc.array(piece).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(text, fc.option(fc.string(), { nil: undefined }), (raw, value) => {
        const plain = value?.replaceAll('$', '');
        const result = expandEntry(stdio({ args: [raw] }), (name) =>
          name === 'A' ? plain : undefined,
        );
        const [argument = ''] = result.ok && result.value.kind === 'stdio' ? result.value.args : [];
        const escapes = raw.split('$${').length - 1;
        expect(argument.split('${').length - 1).toBeLessThanOrEqual(escapes);
      }),
    );
  });

  it('leaves text without a placeholder untouched', () => {
    fc.assert(
      fc.property(fc.string(), (raw) => {
        fc.pre(!raw.includes('${'));
        const entry = stdio({ command: raw, args: [raw], env: { K: raw }, cwd: raw });
        expect(expandEntry(entry, () => 'never')).toEqual({ ok: true, value: entry });
      }),
    );
  });
});
