import { verifies } from '@plugboard/testkit';
import * as fc from 'fast-check';
import { parseTree } from 'jsonc-parser';
import { describe, expect, it } from 'vitest';
import {
  type PolicyFindings,
  readPolicyLists,
  unreadablePolicy,
} from '../../../src/config/settings/policy-lists.ts';
import { parseUrlPattern } from '../../../src/config/settings/url-pattern.ts';
import { placesOf } from '../../../src/config/text/document.ts';

const FILE = '/etc/plugboard/managed-settings.json';

function read(text: string): PolicyFindings {
  const root = parseTree(text, [], { allowTrailingComma: true });
  if (root === undefined) throw new TypeError('no tree');
  const place = placesOf(text);
  return readPolicyLists(root, (offset) => ({ file: FILE, ...place(offset) }), 'enterprise');
}

const at = (line: number, column: number) => ({ kind: 'file', file: FILE, line, column }) as const;

describe('policy lists', () => {
  verifies('CFG-10');

  it('are read with the place of every rule', () => {
    expect(
      read(`{
  // Who may come in.
  "allowedMcpServers": [
    { "serverName": "github" },
    { "serverUrl": "https://*.example.com/*" },
  ],
  "deniedMcpServers": [{ "serverCommand": ["npx", "-y", "bad"] }],
  "mcpServers": {}
}`),
    ).toEqual({
      lists: [
        {
          kind: 'allow',
          scope: 'enterprise',
          origin: at(3, 3),
          rules: [
            { kind: 'name', name: 'github', origin: at(4, 5) },
            { kind: 'url', pattern: 'https://*.example.com/*', origin: at(5, 5) },
          ],
        },
        {
          kind: 'deny',
          scope: 'enterprise',
          origin: at(7, 3),
          rules: [{ kind: 'command', argv: ['npx', '-y', 'bad'], origin: at(7, 24) }],
        },
      ],
      diagnostics: [],
    });
  });

  it('exist if they are written, even if they are empty', () => {
    expect(read('{"mcpServers":{}}')).toEqual({ lists: [], diagnostics: [] });
    expect(read('{"allowedMcpServers":[]}').lists).toEqual([
      { kind: 'allow', scope: 'enterprise', origin: at(1, 2), rules: [] },
    ]);
  });

  it.each<readonly [string, string, number, string]>([
    ['{"deniedMcpServers":{}}', 'wrong-type', 21, '"deniedMcpServers" must be a list of rules'],
    ['{"deniedMcpServers":null}', 'wrong-type', 21, '"deniedMcpServers" must be a list of rules'],
    ['{"deniedMcpServers":}', 'wrong-type', 2, '"deniedMcpServers" must be a list of rules'],
    [
      '{"deniedMcpServers":["a"]}',
      'wrong-type',
      22,
      'A rule in "deniedMcpServers" must be an object',
    ],
    [
      '{"deniedMcpServers":[],"deniedMcpServers":[]}',
      'duplicate-key',
      24,
      '"deniedMcpServers" is written twice',
    ],
    ...[
      '{}',
      '{"serverNames":"a"}',
      '{"serverName":"a","serverUrl":"https://a.com"}',
      '{"serverName":"a","serverName":"b"}',
      '{"serverName":"a","why":"x"}',
    ].map(
      (rule) =>
        [
          `{"deniedMcpServers":[${rule}]}`,
          'bad-value',
          22,
          'A rule in "deniedMcpServers" must have "serverName", "serverUrl" or "serverCommand", one of them and nothing else',
        ] as const,
    ),
    ...(
      [
        ['{"serverName":1}', 'wrong-type', '"serverName" in "deniedMcpServers" must be text'],
        ['{"serverName":""}', 'bad-value', '"serverName" in "deniedMcpServers" must not be empty'],
        ['{"serverUrl":[]}', 'wrong-type', '"serverUrl" in "deniedMcpServers" must be text'],
        [
          '{"serverUrl":"evil.com"}',
          'bad-value',
          '"serverUrl" in "deniedMcpServers" must look like https://example.com/*, without a "#"',
        ],
        [
          '{"serverCommand":"npx"}',
          'wrong-type',
          '"serverCommand" in "deniedMcpServers" must be a list of texts',
        ],
        [
          '{"serverCommand":["a",1]}',
          'wrong-type',
          '"serverCommand" in "deniedMcpServers" must be a list of texts',
        ],
        [
          '{"serverCommand":[]}',
          'bad-value',
          '"serverCommand" in "deniedMcpServers" must not be empty',
        ],
      ] as const
    ).map(
      ([rule, code, message]) =>
        [`{"deniedMcpServers":[${rule}]}`, code, 22 + rule.indexOf(':') + 1, message] as const,
    ),
  ])('are broken by a mistake: %s', (text, code, column, message) => {
    const broken = {
      severity: 'error',
      code,
      message: `${message}. Until then every server is denied.`,
      suggestion:
        'Write it like "deniedMcpServers": [{ "serverName": "some-server" }, { "serverUrl": "https://*.example.com/*" }].',
      file: FILE,
      line: 1,
      column,
    };
    const { lists, diagnostics } = read(text);
    expect(diagnostics).toEqual([broken]);
    expect(lists).toEqual([
      { kind: 'deny', scope: 'enterprise', origin: at(1, 2), rules: [], broken },
    ]);
  });

  it('state the place of every mistake, and keep the valid rules', () => {
    const { lists, diagnostics } = read(
      '{"allowedMcpServers":[{"serverName":"a"},{"serverName":1},{"serverUrl":"x"}]}',
    );
    expect(diagnostics.map(({ column }) => column)).toEqual([56, 72]);
    expect(lists).toEqual([
      {
        kind: 'allow',
        scope: 'enterprise',
        origin: at(1, 2),
        rules: [{ kind: 'name', name: 'a', origin: at(1, 23) }],
        broken: diagnostics[0],
      },
    ]);
    expect(diagnostics[0]?.message).toContain('Until then no server is allowed.');
  });

  it('of an unreadable source deny everything', () => {
    const { diagnostics } = read('{"deniedMcpServers":1}');
    const [cause] = diagnostics;
    if (cause === undefined) throw new TypeError('no diagnostic');
    expect(unreadablePolicy('enterprise', cause)).toEqual({
      kind: 'deny',
      scope: 'enterprise',
      origin: at(1, 21),
      rules: [],
      broken: cause,
    });
  });

  it('are never lost, whatever is written', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('allowedMcpServers', 'deniedMcpServers'),
        fc.json(),
        (key, json) => {
          const { lists, diagnostics } = read(`{"${key}":${json}}`);
          const [list] = lists;
          const written: unknown = JSON.parse(json);
          const rules = Array.isArray(written) ? written.length : -1;
          expect(lists).toHaveLength(1);
          expect(list?.broken).toEqual(diagnostics[0]);
          if (list?.broken === undefined) expect(list?.rules).toHaveLength(rules);
        },
      ),
    );
  });
});

describe('the pattern of a policy rule', () => {
  it.each([
    ['', 'must look like'],
    ['*', 'must look like'],
    ['example.com', 'must look like'],
    ['https:/example.com', 'must look like'],
    ['https://example.com/#x', 'must look like'],
    ['htps://example.com', 'must start with'],
    ['ftp://example.com', 'must start with'],
    ['://example.com', 'must start with'],
    ['http*://example.com', 'must start with'],
    ['https://', 'must have a host'],
    ['https:///path', 'must have a host'],
    ['https://:443', 'must have a host'],
    ['https://a_*{b}', 'must have a host'],
    ['https://*.exämple.com', 'must have a host'],
    ['https://*%2eexample.com', 'must have a host'],
    ['https://[::1', 'must have a host'],
    ['https://[::*]', 'must have a host'],
    ['https://1.2.3.4.5', 'must have a host'],
    ['https://a:b:c', 'must have a host'],
    ['https://a.com:', 'must have a number'],
    ['https://a.com:0', 'must have a number'],
    ['https://a.com:65536', 'must have a number'],
    ['https://a.com:8*', 'must have a number'],
    ['https://user@a.com', 'must not hold a user name'],
    ['https://*@a.com', 'must not hold a user name'],
    ['https://a.com/x/../y', 'must not hold "."'],
    ['https://a.com/x/%2E%2e', 'must not hold "."'],
    ['https://a.com/./x', 'must not hold "."'],
    ['https://a.com/ x', 'must not hold spaces'],
    [' https://a.com', 'must not hold spaces'],
    ['https://a.com\\x', 'must not hold spaces'],
    ['https://a\u0000.com', 'must not hold spaces'],
    ['https://a\u202E.com', 'must not hold spaces'],
  ])('%j is invalid', (pattern, words) => {
    const parsed = parseUrlPattern(pattern);
    expect(parsed.ok ? 'a pattern' : parsed.error).toContain(words);
  });

  it('never makes the reader throw', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'https:/*[]@?#%.a1 \\') }), (text) => {
        expect(typeof parseUrlPattern(`https://${text}`).ok).toBe('boolean');
      }),
    );
  });
});
