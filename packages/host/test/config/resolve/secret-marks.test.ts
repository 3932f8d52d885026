import { tempFolder, verifies } from '@plugboard/testkit';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type {
  RemoteEntry,
  ServerEntry,
  StdioEntry,
} from '../../../src/config/fields/server-entry.ts';
import {
  fillSecrets,
  markOf,
  secretDiagnostic,
  secretsIn,
  unfitSecrets,
  withoutMarks,
  withSecretsAsWritten,
} from '../../../src/config/resolve/secret-marks.ts';
import { spawnProcess } from '../../../src/platform/index.ts';
import { loadConfig } from '../../../src/sources/index.ts';
import { testEnvironment } from '../test-environment.ts';

const flags = { disabled: false, required: false, alwaysLoad: false };
const local: StdioEntry = {
  kind: 'stdio',
  command: markOf('bin'),
  args: ['-t', `x${markOf('a')}y${markOf('b')}`],
  env: { A: markOf('a'), B: 'plain' },
  cwd: `/${markOf('dir')}`,
  ...flags,
};
const remote: RemoteEntry = {
  kind: 'http',
  url: `https://example.com/${markOf('path')}/mcp`,
  headers: { Authorization: `Bearer ${markOf('a')}` },
  ...flags,
};

async function resolvedOf(entry: unknown): Promise<unknown> {
  await using folder = await tempFolder();
  const environment = testEnvironment(folder.path);
  const { servers } = await loadConfig({ environment, enterprise: [], given: { s: entry } });
  return servers[0]?.resolved;
}

describe('the secrets of an entry', () => {
  verifies('CFG-15');

  it('are named once each, whatever the field', () => {
    expect([local, remote, { kind: 'sdk', ...flags } as const].map(secretsIn)).toEqual([
      ['bin', 'a', 'b', 'dir'],
      ['path', 'a'],
      [],
    ]);
  });

  it('are filled in everywhere, literally', () => {
    const values = new Map(['bin', 'a', 'b', 'dir', 'path'].map((name) => [name, `$&${name}`]));
    expect(fillSecrets(local, values)).toEqual({
      ok: true,
      value: {
        ...local,
        command: '$&bin',
        args: ['-t', 'x$&ay$&b'],
        env: { A: '$&a', B: 'plain' },
        cwd: '/$&dir',
      },
    });
    expect(fillSecrets(remote, values)).toEqual({
      ok: true,
      value: {
        ...remote,
        url: 'https://example.com/$&path/mcp',
        headers: { Authorization: 'Bearer $&a' },
      },
    });
  });

  it('are all named if they are missing, and then nothing is filled in', () => {
    expect(fillSecrets(local, new Map([['a', 'x']]))).toEqual({
      ok: false,
      error: ['bin', 'b', 'dir'],
    });
  });

  it('are not expanded inside other secrets', () => {
    const values = new Map([
      ['a', markOf('path')],
      ['path', 'p'],
    ]);
    const filled = fillSecrets(remote, values);
    expect(filled.ok && 'headers' in filled.value && filled.value.headers).toEqual({
      Authorization: `Bearer ${markOf('path')}`,
    });
    // The result is then refused, since it contains a NUL.
    expect(unfitSecrets(remote, values)).toEqual(['a']);
  });

  it('leave no mark behind, and no text is lost', () => {
    const name = fc.stringMatching(/^[A-Za-z0-9_.-]{1,128}$/);
    const plain = fc.string().filter((text) => !text.includes('\0'));
    fc.assert(
      fc.property(plain, name, plain, (before, secret, after) => {
        const text = `${before}${markOf(secret)}${after}`;
        const entry: ServerEntry = { ...local, command: text, args: [], env: {}, cwd: '/' };
        expect(secretsIn(entry)).toEqual([secret]);
        expect(withoutMarks(text)).toBe(before + after);
        expect(withSecretsAsWritten(text)).toBe(`${before}\${secret:${secret}}${after}`);
        const filled = fillSecrets(entry, new Map([[secret, '<>']]));
        expect(filled.ok && 'command' in filled.value && filled.value.command).toBe(
          `${before}<>${after}`,
        );
      }),
    );
  });

  it.each([
    ['a line break in a header', remote, { path: 'p', a: 'x\r\nX-Evil: 1' }, ['a']],
    ['a NUL in a header', remote, { path: 'p', a: 'x\0' }, ['a']],
    [
      'a url that is none',
      { ...remote, url: markOf('path') },
      { path: 'nowhere', a: 'x' },
      ['path'],
    ],
    [
      'a url of another scheme',
      { ...remote, url: markOf('path') },
      { path: 'file:///x', a: 'x' },
      ['path'],
    ],
    ['a NUL in an argument', local, { bin: 'b', a: 'x\0', b: 'b', dir: 'd' }, ['a']],
    ['nothing at all', local, { bin: 'b', a: 'x\ny', b: 'b', dir: 'd' }, []],
  ] as const)('are refused for %s', (_, entry, values, unfit) => {
    expect(unfitSecrets(entry, new Map(Object.entries(values)))).toEqual(unfit);
  });
});

describe('the mark of a secret', () => {
  verifies('CFG-15');

  it('is accepted by no process, neither as argument nor as variable', async () => {
    const spec = { command: 'sh', args: ['-c', 'true'], env: {}, cwd: undefined };
    const [asArgument, asVariable, asCommand] = await Promise.all([
      spawnProcess({ ...spec, args: [markOf('a')] }),
      spawnProcess({ ...spec, env: { A: markOf('a') } }),
      spawnProcess({ ...spec, command: markOf('a') }),
    ]);
    expect([asArgument.ok, asVariable.ok, asCommand.ok]).toEqual([false, false, false]);
  });

  it('is accepted by no HTTP header', () => {
    expect(() => new Headers({ Authorization: markOf('a') })).toThrow(TypeError);
  });
});

describe('an entry that names secrets', () => {
  verifies('CFG-15', 'CFG-05');

  it('is ready without them, and states where each is needed', async () => {
    expect(
      await resolvedOf({ url: 'https://${secret:HOST}/mcp', headers: { K: 'Bearer ${secret:K}' } }),
    ).toEqual({
      kind: 'ready',
      entry: {
        ...flags,
        kind: 'http-or-sse',
        url: 'https://\0secret:HOST\0/mcp',
        headers: { K: 'Bearer \0secret:K\0' },
      },
      secrets: [
        { name: 'HOST', server: 's', field: 'url', at: { file: '(program)', line: 0, column: 0 } },
        {
          name: 'K',
          server: 's',
          field: 'headers.K',
          at: { file: '(program)', line: 0, column: 0 },
        },
      ],
    });
  });

  it('has a relative folder made absolute, except one that begins with a secret', async () => {
    const cwds = await Promise.all(
      ['${secret:A}/x', 'x/${secret:A}'].map(async (cwd) => resolvedOf({ command: 'x', cwd })),
    );
    expect(cwds).toMatchObject([
      { entry: { cwd: '\0secret:A\0/x' } },
      { entry: { cwd: expect.stringMatching(/^\/.*\/project\/x\/\0secret:A\0$/) } },
    ]);
  });

  it('gets a message about the problem of each secret', () => {
    const at = { file: '/p/.mcp.json', line: 4, column: 9 };
    const secret = { name: 'A', server: 's', field: 'env.T', at };
    const said = { severity: 'error', server: 's', ...at };
    expect([
      secretDiagnostic(secret, { kind: 'missing' }),
      secretDiagnostic(secret, { kind: 'unreadable', message: 'locked' }),
      secretDiagnostic(secret, { kind: 'unfit' }),
    ]).toEqual([
      {
        ...said,
        code: 'missing-secret',
        message: '"s" needs the secret A (in "env.T"), which is not stored.',
        suggestion: 'Store it: plugboard secret set A.',
      },
      {
        ...said,
        code: 'unreadable-secret',
        message: '"s" needs the secret A (in "env.T"), which could not be read: locked.',
        suggestion: 'Mend that, or store it again: plugboard secret set A.',
      },
      {
        ...said,
        code: 'bad-value',
        message: '"s" needs the secret A (in "env.T"), and what is stored cannot stand there.',
        suggestion: 'Store it again, without line breaks: plugboard secret set A.',
      },
    ]);
  });
});
