import { describe, expect, it } from 'vitest';
import { Policy, type RuleTarget } from '../../src/policy/index.ts';
import { rule, SERVERS } from './given-rules.ts';

const limit: RuleTarget = {
  kind: 'other-resources',
  server: 'files',
  patterns: ['file:///project/*', 'note://*'],
};

function kindOf(uri: string, server = 'files', on: readonly RuleTarget[] = [limit]): string {
  const rules = on.map((target) => rule('deny', target));
  return new Policy({ rules, servers: SERVERS }).decideResource({ server, uri }).kind;
}

describe('the permission to read a resource', () => {
  it.each([
    ['file:///project/a', 'allow'],
    ['note://x', 'allow'],
    ['file:///etc/passwd', 'deny'],
    ['file:///project/../etc/passwd', 'deny'],
    ['file:///project/%2e%2e/etc/passwd', 'deny'],
    ['file:/project/a', 'deny'],
    ['not a uri', 'deny'],
  ])('of %s with a list of allowed ones is: %s', (uri, kind) => {
    expect(kindOf(uri)).toBe(kind);
  });

  it('is given without a list, and follows readPermission', () => {
    expect(kindOf('file:///etc/passwd', 'github')).toBe('allow');
    expect(kindOf('file:///project/a', 'files', [{ kind: 'reads', server: 'files' }])).toBe('deny');
    expect(kindOf('x:y', 'files', [{ kind: 'writes', server: 'files' }])).toBe('allow');
  });
});
