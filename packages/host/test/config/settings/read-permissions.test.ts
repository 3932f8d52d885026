import { verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import type { FileFormat } from '../../../src/config/text/scope.ts';
import { parseFile } from '../../../src/config/files/parse-file.ts';
import { callSettingsIn, givenCallSettings } from '../../../src/sources/call-settings.ts';

const FILE = '/settings.json';

function read(text: string, format: FileFormat = 'plugboard') {
  const file = { path: FILE, scope: 'user', format, folder: '/' } as const;
  return callSettingsIn(file, parseFile({ path: FILE, format, text }));
}

const at = (line: number, column: number) => ({ kind: 'file', file: FILE, line, column });

describe('the setting "permissions"', () => {
  verifies('POL-01');

  it('has rules as text and as objects, each with its place', () => {
    const text = `{
  "permissions": {
    "mode": "read-only",
    "allow": ["mcp__docs__*"], // mine
    "deny": [
      { "tool": "files/*", "arguments": [{ "path": "path", "under": "~/.ssh", "not": true }] },
    ],
  },
}`;
    expect(read(text)).toEqual({
      permissions: [
        {
          scope: 'user',
          origin: at(2, 3),
          mode: { value: 'read-only', origin: at(3, 5) },
          rules: [
            {
              effect: 'deny',
              text: '{"tool":"files/*","arguments":[{"path":"path","under":"~/.ssh","not":true}]}',
              origin: at(6, 7),
              on: {
                kind: 'calls',
                tool: 'files/*',
                arguments: [{ path: 'path', operator: 'under', value: '~/.ssh', isNegated: true }],
              },
            },
            {
              effect: 'allow',
              text: 'mcp__docs__*',
              origin: at(4, 15),
              on: { kind: 'calls', tool: 'mcp__docs__*' },
            },
          ],
        },
      ],
      hooks: [],
      diagnostics: [],
    });
  });

  it.each([
    ['{ "deny": "mcp__x__*" }', 'deny', 'wrong-type', '"permissions.deny" must be a list of rules'],
    ['{ "deny": ["delete_*"] }', 'deny', 'bad-value', 'must be like "mcp__server__tool"'],
    ['{ "deny": [{ "tol": "a/b" }] }', 'deny', 'bad-value', 'can only have "tool"'],
    ['{ "deny": [{}] }', 'deny', 'bad-value', 'must have at least 1 of'],
    ['{ "deny": [7] }', 'deny', 'wrong-type', 'must be an object'],
    ['{ "ask": [{ "server": "" }] }', 'ask', 'bad-value', 'must not be empty'],
    ['{ "ask": [{ "arguments": [{ "path": "a" }] }] }', 'ask', 'bad-value', 'at least 2 of'],
    [
      '{ "ask": [{ "arguments": [{ "path": "a", "not": true }] }] }',
      'ask',
      'bad-value',
      'must have exactly one of',
    ],
    [
      '{ "deny": [{ "arguments": [{ "path": "a", "equals": 1, "in": [1] }] }] }',
      'deny',
      'bad-value',
      'must have exactly one of',
    ],
    [
      '{ "deny": [{ "arguments": [{ "path": "a", "lessThan": "1" }] }] }',
      'deny',
      'wrong-type',
      'must be a number',
    ],
    ['{ "allow": ["x"] }', 'allow', 'bad-value', 'Until then it allows nothing.'],
    ['{ "mode": "yolo" }', 'ask', 'bad-value', 'must be "default", "read-only"'],
    ['{ "dney": [] }', 'ask', 'bad-value', '"permissions" can only have "mode"'],
    ['[]', 'ask', 'wrong-type', '"permissions" must be an object'],
    ['{ "deny": [{ "__proto__": {} }] }', 'deny', 'bad-value', '"permissions.deny[0]"'],
  ])('with %s stays a rule, of the kind %s', (value, effect, code, words) => {
    const { permissions, diagnostics } = read(`{ "permissions": ${value} }`);
    expect(permissions.flatMap(({ rules }) => rules)).toMatchObject([
      { effect, on: { kind: 'unclear' }, origin: { kind: 'file', file: FILE, line: 1 } },
    ]);
    expect(diagnostics).toMatchObject([
      { severity: 'error', code, message: expect.stringContaining(words) },
    ]);
  });

  it.each([
    ['{ "permissions": { "deny": ["a/b"] }, "permissions": {} }', 'deny'],
    ['{ "permissions": { "deny": ["a/b"], "deny": [] } }', 'deny'],
    ['{ "permissions": { "deny": ["a/b"] } } }', 'ask'],
    ['{ "permissions": { "deny": ["a/b" }', 'ask'],
  ])('does not lose a deny rule to a mistake in the file: %s', (text, effect) => {
    const rules = read(text).permissions.flatMap((source) => source.rules);
    expect(rules).toContainEqual(expect.objectContaining({ effect }));
    expect(rules.some(({ on }) => on.kind === 'unclear')).toBe(true);
  });

  it('of another program is read as far as it names tools of servers', () => {
    const text = `{
  "permissions": {
    "defaultMode": "acceptEdits",
    "allow": ["Bash(npm test:*)", "mcp__docs__search", "mcp__docs__x(y)", 7],
    "deny": ["mcp__github", "Read(./.env)"]
  },
  "hooks": { "PreToolUse": [] }
}`;
    const { permissions, hooks, diagnostics } = read(text, 'claude');
    expect(permissions.flatMap(({ rules }) => rules.map((one) => [one.effect, one.text]))).toEqual([
      ['deny', 'mcp__github'],
      ['allow', 'mcp__docs__search'],
    ]);
    expect({ hooks, diagnostics }).toEqual({ hooks: [], diagnostics: [] });
  });

  it('is read from a program as from a file', () => {
    const { permissions } = givenCallSettings(
      { permissions: { deny: ['a/b'] } },
      { by: 'createHost', folder: '/work' },
    );
    expect(permissions).toEqual([
      {
        scope: 'dynamic',
        origin: { kind: 'given', by: 'createHost' },
        rules: [
          {
            effect: 'deny',
            text: 'a/b',
            origin: { kind: 'given', by: 'createHost' },
            on: { kind: 'calls', tool: 'a/b' },
          },
        ],
      },
    ]);
  });
});

describe('the setting "hooks"', () => {
  verifies('POL-08');

  it('has commands as words or as a line for a shell', () => {
    const text = `{ "hooks": {
  "beforeCall": [{ "tool": "files/*", "command": ["./check", "a"], "timeout": 5 }],
  "afterCall": [{ "server": "s", "shell": "jq ." }]
} }`;
    expect(read(text).hooks).toEqual([
      {
        event: 'beforeCall',
        scope: 'user',
        origin: at(2, 18),
        tool: 'files/*',
        timeoutMs: 5,
        folder: '/',
        run: { kind: 'command', argv: ['./check', 'a'] },
      },
      {
        event: 'afterCall',
        scope: 'user',
        origin: at(3, 17),
        server: 's',
        timeoutMs: 10_000,
        folder: '/',
        run: { kind: 'shell', line: 'jq .' },
      },
    ]);
  });

  it.each([
    ['[]', '"hooks" must be an object'],
    ['{ "beforecall": [] }', '"hooks" can only have'],
    ['{ "afterCall": {} }', '"hooks.afterCall" must be a list of hooks'],
    ['{ "beforeCall": [{ "command": [] }] }', 'must be a list of texts that is not empty'],
    ['{ "beforeCall": [{ "shell": "x", "timeout": 0 }] }', 'must be at least 1'],
  ])('with %s is a hook that fails', (value, words) => {
    const { hooks, diagnostics } = read(`{ "hooks": ${value} }`);
    expect(hooks).toMatchObject([{ run: { kind: 'unclear' } }]);
    expect(diagnostics).toMatchObject([{ message: expect.stringContaining(words) }]);
  });
});
