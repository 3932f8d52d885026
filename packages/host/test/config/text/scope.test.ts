import { readFile } from 'node:fs/promises';
import { verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import {
  type Author,
  authorsIn,
  isForeign,
  precedence,
  type Scope,
  SCOPE_NAMES,
  scopeRow,
} from '../../../src/config/text/scope.ts';

it('the scopes are ranked from enterprise to connector', () => {
  verifies('CFG-01');
  const scopes: readonly Scope[] = [
    'connector',
    'user',
    'dynamic',
    'enterprise',
    'plugin',
    'project',
    'local',
    'claude-code',
  ];
  expect(scopes.toSorted((a, b) => precedence(b) - precedence(a))).toEqual([
    'enterprise',
    'dynamic',
    'local',
    'project',
    'user',
    'claude-code',
    'plugin',
    'connector',
  ]);
});

const WRITTEN_BY: Readonly<Record<Author, string>> = {
  owner: "the machine's owner",
  user: 'you, or the program that you run',
  folder: 'anyone who can write to the folder',
  plugin: 'the author of the plugin',
  account: 'the service that lists it',
};

function documentedRow(scope: Scope): string {
  const { author, startsIn, isPersonal } = scopeRow(scope);
  const cells = [
    scope,
    WRITTEN_BY[author],
    isForeign(author) ? 'needed' : 'not needed',
    startsIn === 'project' ? 'the working folder' : 'the empty folder',
    isPersonal ? (isForeign(author) ? 'what you give it' : 'yes') : 'no',
  ];
  return `| ${cells.join(' | ')} |`;
}

it('documents for every scope who can write it and what follows from that', async () => {
  verifies('CFG-11');
  const page = await readFile(
    new URL('../../../../../docs/configuration.md', import.meta.url),
    'utf8',
  );
  const [, section = ''] = page.split('### Whose an entry is\n');
  const rows = section.split('\n').filter((line) => line.startsWith('| '));
  expect(rows.slice(1, SCOPE_NAMES.length + 1)).toEqual(SCOPE_NAMES.map(documentedRow));
});

describe('the author of a source', () => {
  verifies('CFG-11');
  const place = { root: '/home/me/project', environment: { home: '/home/me' } };
  const at = (file: string) => ({ kind: 'file', file, line: 1, column: 1 }) as const;

  it.each<Scope>(SCOPE_NAMES.filter((scope) => scope !== 'dynamic'))(
    'is the folder for a %s file in the project',
    (scope) => {
      const origin = at('/home/me/project/config/settings.json');
      expect(authorsIn(place)({ scope, origin })).toBe('folder');
    },
  );

  it('is the user for a file of the project that the user names for this run', () => {
    const origin = at('/home/me/project/.mcp.json');
    expect(authorsIn(place)({ scope: 'dynamic', origin })).toBe('user');
  });

  it('is the user for the own settings of a user whose whole home is the project', () => {
    const origin = at('/home/me/.config/plugboard/settings.json');
    const whole = { ...place, root: '/home/me' };
    expect(authorsIn(whole)({ scope: 'user', origin })).toBe('user');
  });
});
