import { verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { hasForeignSay, isTurnedOn, type Switch } from '../../src/admission/needs-trust.ts';
import { FIELD_KEYS } from '../../src/config/fields/entry-fields.ts';
import { type Scope, scopeRow } from '../../src/config/index.ts';

const field = (scope: Scope, ...path: (string | number)[]) => ({
  path,
  author: scopeRow(scope).author,
});

describe('trust is needed', () => {
  verifies('CFG-11');

  it.each<Scope>(['local', 'project', 'plugin'])(
    'when a single field of the launch comes from a %s entry',
    (scope) => {
      const own = [field('user', 'command'), field('user', 'args')];
      expect(own.some(hasForeignSay)).toBe(false);
      expect([...own, field(scope, 'env', 'NODE_OPTIONS')].some(hasForeignSay)).toBe(true);
    },
  );

  it('for exactly the launch fields, and for every unknown field', () => {
    const needed = [...FIELD_KEYS, 'new'].filter((key) =>
      hasForeignSay(field('project', key, 'x')),
    );
    expect(needed).toEqual([
      'type',
      'command',
      'args',
      'env',
      'cwd',
      'envFile',
      'url',
      'headers',
      'headersHelper',
      'oauth',
      'new',
    ]);
  });

  it.each<Scope>(['enterprise', 'dynamic', 'user', 'connector'])('for no %s entry', (scope) => {
    expect(FIELD_KEYS.map((key) => field(scope, key)).some(hasForeignSay)).toBe(false);
  });
});

describe('a server that was disabled', () => {
  verifies('CFG-11');
  const says = (scope: Scope, isDisabled: boolean): Switch => ({
    author: scopeRow(scope).author,
    value: isDisabled,
  });

  it.each<[string, readonly Switch[], boolean]>([
    ['is enabled by the project', [says('project', false), says('user', true)], true],
    [
      'is enabled by a local file',
      [says('local', false), says('project', true), says('user', true)],
      true,
    ],
    [
      'is enabled by the user',
      [says('dynamic', false), says('project', false), says('user', true)],
      false,
    ],
    ['is still disabled', [says('local', true), says('project', false), says('user', true)], false],
    ['was always enabled', [says('project', false), says('user', false)], false],
    ['was disabled only by the project', [says('local', false), says('project', true)], false],
    ['has no switch', [], false],
  ])('%s', (_what, switches, needed) => {
    expect(isTurnedOn(switches)).toBe(needed);
  });
});
