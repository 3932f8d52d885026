import type { BlockingRule } from '@plugboard/host/configuration';
import { verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { blockingRule } from '../../src/print/blocking-rule.ts';

const from = { cwd: '/home/me/app', home: '/home/me' };
const origin = {
  kind: 'file',
  file: '/etc/plugboard/managed-settings.json',
  line: 4,
  column: 5,
} as const;

describe('the text of a blocking rule', () => {
  verifies('CFG-10');

  it.each<[string, BlockingRule]>([
    [
      'denied by { serverUrl: "https://*.evil.com/*" }, /etc/plugboard/managed-settings.json:4:5',
      {
        kind: 'denied',
        rule: { kind: 'url', pattern: 'https://*.evil.com/*', origin },
        scope: 'enterprise',
      },
    ],
    [
      'denied by { serverCommand: ["npx", "-y", "a b\\u001b"] }, ~/settings.json:1:2',
      {
        kind: 'denied',
        rule: {
          kind: 'command',
          argv: ['npx', '-y', 'a b\u001B'],
          origin: { ...origin, file: '/home/me/settings.json', line: 1, column: 2 },
        },
        scope: 'user',
      },
    ],
    [
      'denied by { serverName: "github" }, given by the program',
      {
        kind: 'denied',
        rule: { kind: 'name', name: 'github', origin: { kind: 'given', by: 'the program' } },
        scope: 'dynamic',
      },
    ],
    [
      'its url cannot be read, and there is { serverUrl: "https://evil.com" }, /etc/plugboard/managed-settings.json:4:5',
      {
        kind: 'unclear-url',
        rule: { kind: 'url', pattern: 'https://evil.com', origin },
        scope: 'enterprise',
      },
    ],
    [
      'not among the servers allowed by /etc/plugboard/managed-settings.json:4:5',
      { kind: 'not-allowed', origin, scope: 'enterprise' },
    ],
    [
      'the deny list is broken and denies every server: "deniedMcpServers" must be a list of rules, .mcp.json:2:3',
      {
        kind: 'broken-list',
        list: 'deny',
        cause: {
          severity: 'error',
          code: 'wrong-type',
          message: '"deniedMcpServers" must be a list of rules.',
          suggestion: 'Mend it.',
          file: '/home/me/app/.mcp.json',
          line: 2,
          column: 3,
        },
        scope: 'project',
      },
    ],
  ])('is: %s', (text, rule) => {
    expect(blockingRule(rule, from)).toBe(text);
  });
});
