import { verifies } from '@plugboard/testkit';
import { expect, it } from 'vitest';
import { precedence, type Scope } from '../../../src/config/text/scope.ts';

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
