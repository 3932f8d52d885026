import { verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { checkName } from '../../../src/config/fields/server-name.ts';

const onName = { severity: 'error', path: [], on: 'key' };
const rule = 'Use 1 to 64 of the characters A-Z a-z 0-9 _ -';

describe('checkName', () => {
  verifies('CFG-07');

  it.each([
    'a',
    'GitHub',
    'my-server_2',
    '0',
    '__proto__',
    'constructor',
    'plugin:x:y',
    'connector:x:y',
    'x'.repeat(64),
  ])('accepts %j', (name) => {
    expect(checkName(name)).toBeUndefined();
  });

  it.each([
    ['', '""', '.'],
    ['my server', '"my server"', ', for example "my-server".'],
    ['naïve', '"naïve"', ', for example "na-ve".'],
    ['a.b', '"a.b"', ', for example "a-b".'],
    ['a\n', String.raw`"a\n"`, ', for example "a".'],
    ['plugin:x', '"plugin:x"', ', for example "plugin-x".'],
    ['plugin:x:y:z', '"plugin:x:y:z"', ', for example "plugin-x-y-z".'],
    ['other:x:y', '"other:x:y"', ', for example "other-x-y".'],
    ['codebase!', '"codebase!"', '.'],
    ['x'.repeat(65), `"${'x'.repeat(65)}"`, `, for example "${'x'.repeat(64)}".`],
    ['!'.repeat(500), `"${'!'.repeat(80)}…"`, '.'],
  ])('refuses %j and proposes a valid name if possible', (name, shown, proposal) => {
    expect(checkName(name)).toEqual({
      ...onName,
      code: 'bad-name',
      message: `${shown} cannot be the name of a server.`,
      suggestion: rule + proposal,
    });
  });

  it.each(['Codebase', 'WORKSPACE'])('accepts %j as the name of a built-in server', (name) => {
    expect(checkName(name)).toMatchObject({
      code: 'reserved-name',
      message: `The name "${name}" is reserved for the built-in server "${name.toLowerCase()}".`,
    });
  });

  it.each(['codebase', 'workspace'])('reports %j as reserved for a built-in server', (name) => {
    expect(checkName(name)).toEqual({
      ...onName,
      code: 'reserved-name',
      message: `The name "${name}" is reserved for the built-in server of that name.`,
      suggestion: `Give it another name, for example "my-${name}".`,
    });
  });

  it('refuses "mcpServers", the key that contains the servers', () => {
    expect(checkName('mcpServers')).toEqual({
      ...onName,
      code: 'reserved-name',
      message: 'A server cannot be called "mcpServers": that key holds the servers.',
      suggestion: 'Give it another name, and look for one "mcpServers" too many.',
    });
  });
});
