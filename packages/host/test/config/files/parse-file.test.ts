import { verifies } from '@plugboard/testkit';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FileFormat } from '../../../src/config/text/scope.ts';
import { parseFile } from '../../../src/config/files/parse-file.ts';
import { MAX_DEPTH } from '../../../src/config/text/document.ts';

function parse(text: string, format: FileFormat = 'plugboard') {
  const parsed = parseFile({ path: 'f', format, text });
  return {
    state: parsed.state,
    servers: parsed.servers.map(({ name, value, keyAt, broken }) => {
      const { line, column } = keyAt([]);
      return { name, value, at: [line, column], ...(broken === undefined ? {} : { broken }) };
    }),
    diagnostics: parsed.diagnostics,
  };
}

const a = { command: 'a' };
const b = { command: 'b' };

describe('parseFile reads', () => {
  verifies('CFG-03');

  it.each<[string, FileFormat, string, object[]]>([
    [
      'the wrapped map',
      'plugboard',
      '{"mcpServers":{"a":{"command":"a"}}}',
      [{ name: 'a', value: a, at: [1, 16] }],
    ],
    [
      'the wrapped map of .mcp.json',
      'mcp-json',
      '{"mcpServers":{"a":{"command":"a"}}}',
      [{ name: 'a', value: a, at: [1, 16] }],
    ],
    [
      'the bare map of .mcp.json',
      'mcp-json',
      '{\n  "a": {"command":"a"},\n  "b": {"command":"b"}\n}',
      [
        { name: 'a', value: a, at: [2, 3] },
        { name: 'b', value: b, at: [3, 3] },
      ],
    ],
    [
      'a bare map with a schema',
      'mcp-json',
      '{"$schema":"x","a":{"command":"a"}}',
      [{ name: 'a', value: a, at: [1, 16] }],
    ],
    [
      'comments and trailing commas',
      'plugboard',
      '// top\r\n{ /* in */\r\n\t"mcpServers": {\r\n\t\t"a": { "command": "a", }, // tail\r\n\t},\r\n}\r\n',
      [{ name: 'a', value: a, at: [4, 3] }],
    ],
    ['an empty object', 'plugboard', '{}', []],
    ['an empty .mcp.json object', 'mcp-json', '{}', []],
    ['an empty map', 'plugboard', '{"mcpServers":{}}', []],
    ['a schema beside the map', 'plugboard', '{"$schema":"x","mcpServers":{}}', []],
    [
      'a settings file of another program',
      'claude',
      '{"model":"x","hooks":{"hooks":1,"hooks":2},"mcpServers":{"a":{"command":"a"}}}',
      [{ name: 'a', value: a, at: [1, 58] }],
    ],
    ['a settings file of another program without servers', 'claude', '{"model":"x"}', []],
    [
      'names that are members of every object',
      'plugboard',
      '{"mcpServers":{"__proto__":{"command":"a"},"constructor":{"command":"b"}}}',
      [
        { name: '__proto__', value: a, at: [1, 16] },
        { name: 'constructor', value: b, at: [1, 44] },
      ],
    ],
  ])('%s', (_, format, text, servers) => {
    expect(parse(text, format)).toEqual({ state: 'read', servers, diagnostics: [] });
  });

  it('the place of every field', () => {
    const text =
      '{ "mcpServers": {\n  "a": {\n    "args": ["x",\n      "y"],\n    "env": { "K": 1 }\n} } }';
    const [server] = parseFile({ path: 'f', format: 'plugboard', text }).servers;
    const place = (line: number, column: number) => ({ file: 'f', line, column });
    expect([
      server?.keyAt([]),
      server?.valueAt([]),
      server?.keyAt(['args']),
      server?.valueAt(['args', 1]),
      server?.keyAt(['env', 'K']),
      server?.valueAt(['env', 'K']),
      server?.valueAt(['env', 'ABSENT']),
      server?.valueAt(['args', 0, 'deeper']),
    ]).toEqual([
      place(2, 3),
      place(2, 8),
      place(3, 5),
      place(4, 7),
      place(5, 14),
      place(5, 19),
      place(5, 12),
      place(3, 14),
    ]);
  });
});

describe('parseFile reports', () => {
  verifies('CFG-06');

  const at = (line: number, column: number) => ({ file: 'f', line, column });

  it.each(['', ' \n\t', '// only a comment\n'])('an empty file: %j', (text) => {
    expect(parse(text)).toEqual({
      state: 'invalid',
      servers: [],
      diagnostics: [
        {
          severity: 'warning',
          code: 'file-empty',
          message: 'The file is empty.',
          suggestion: 'Write { "mcpServers": {} } into it, or delete it.',
          ...at(1, 1),
        },
      ],
    });
  });

  it.each([
    ['[]', 'The file', at(1, 1)],
    ['\n "text"', 'The file', at(2, 2)],
    ['null', 'The file', at(1, 1)],
    ['{"mcpServers": []}', '"mcpServers"', at(1, 16)],
    ['{"mcpServers": null}', '"mcpServers"', at(1, 16)],
  ])('%j as an invalid map of servers', (text, what, place) => {
    expect(parse(text)).toEqual({
      state: 'invalid',
      servers: [],
      diagnostics: [
        {
          severity: 'error',
          code: 'wrong-type',
          message: `${what} must be an object.`,
          suggestion: 'Write it like { "mcpServers": { "name": { "command": "npx" } } }.',
          ...place,
        },
      ],
    });
  });

  it('a file that is nested too deep', () => {
    expect(parse('['.repeat(200_000))).toEqual({
      state: 'invalid',
      servers: [],
      diagnostics: [
        {
          severity: 'error',
          code: 'too-deep',
          message: 'The file is nested more than 100 levels deep.',
          suggestion: 'Look for brackets that are opened again and again.',
          ...at(1, MAX_DEPTH + 1),
        },
      ],
    });
  });

  const unknown = (name: string, suggestion: string) => ({
    severity: 'warning',
    code: 'unknown-key',
    message: `"${name}" is not a setting and has no effect.`,
    suggestion,
  });

  it.each<[string, FileFormat, object]>([
    [
      '{"mcpservers":{"a":{}}}',
      'plugboard',
      { ...unknown('mcpservers', 'Use "mcpServers" instead.'), ...at(1, 2) },
    ],
    [
      '{"servers":{"a":{"command":"a"}}}',
      'mcp-json',
      { ...unknown('servers', 'Use "mcpServers" instead.'), ...at(1, 2) },
    ],
    [
      '{"mcpServers":{},\n"github":{}}',
      'mcp-json',
      {
        ...unknown('github', 'Remove it. If it is a server, move it into "mcpServers".'),
        ...at(2, 1),
      },
    ],
    [
      '{"theme":"dark"}',
      'plugboard',
      {
        ...unknown('theme', 'Remove it. If it is a server, move it into "mcpServers".'),
        ...at(1, 2),
      },
    ],
    [
      '{"deniedServers":[],"mcpServers":{}}',
      'managed',
      {
        ...unknown('deniedServers', 'Remove it. If it is a server, move it into "mcpServers".'),
        ...at(1, 2),
      },
    ],
  ])('an unknown setting in %j (%s)', (text, format, diagnostic) => {
    expect(parse(text, format)).toEqual({ state: 'read', servers: [], diagnostics: [diagnostic] });
  });

  it('duplicate keys, of which the last one counts', () => {
    const text = `{ "mcpServers": {
  "a": { "command": "old" },
  "b": { "command": "old", "command": "b" },
  "a": { "command": "a" }
} }`;
    const twice = (name: string, line: number) => ({
      severity: 'warning',
      code: 'duplicate-key',
      message: `"${name}" is written again at line ${line}, so this one has no effect.`,
      suggestion: 'Remove one of them.',
    });
    expect(parse(text)).toEqual({
      state: 'read',
      servers: [
        { name: 'a', value: a, at: [4, 3] },
        { name: 'b', value: b, at: [3, 3] },
      ],
      diagnostics: [
        { ...twice('a', 4), ...at(2, 3) },
        { ...twice('command', 3), ...at(3, 10) },
      ],
    });
  });
});

describe('parseFile on a file with a syntax error keeps', () => {
  verifies('CFG-06');

  /** Three servers; `b` stands on line 7. */
  const file = (middle: string) => `{
  "mcpServers": {
    "a": {
      "command": "a"
    },
    "b":
      ${middle},
    "c": { "command": "c" }
  }
}
`;
  const serverA = { name: 'a', value: a, at: [3, 5] };
  const serverC = { name: 'c', value: { command: 'c' }, at: [8, 5] };

  it.each([
    ['{ command: "b" }', 'This is not valid JSON.', [7, 9]],
    ['{ "command": b }', 'This is not valid JSON.', [7, 20]],
    ["{ 'command': 'b' }", 'This is not valid JSON.', [7, 9]],
    ['{ "command" "b" }', 'A colon is expected between a name and its value.', [7, 19]],
    ['{ "command": "b" "args": [] }', 'A comma is missing before this.', [7, 24]],
    ['{ "command": }', 'A value is missing here.', [7, 20]],
    ['{ "args": [1 2] }', 'A comma is missing before this.', [7, 20]],
    [
      String.raw`{ "command": "C:\tools\x" }`,
      'A backslash is followed by something that JSON does not know.',
      [7, 20],
    ],
  ])('every other server when the broken one is %s', (middle, message, [line, column]) => {
    const { state, servers, diagnostics } = parse(file(middle));
    const [first, broken, last] = servers;
    expect({ state, first, last, diagnostics }).toEqual({
      state: 'invalid',
      first: serverA,
      last: serverC,
      diagnostics: [],
    });
    expect(broken).toEqual({
      name: 'b',
      value: undefined,
      at: [6, 5],
      broken: {
        severity: 'error',
        code: 'syntax',
        message,
        suggestion: expect.stringMatching(/^[A-Z].*\.$/),
        file: 'f',
        line,
        column,
        server: 'b',
      },
    });
  });

  it.each([
    ['an object that is never closed', '{ "env": { "K": "v" '],
    ['a list that is never closed', '{ "command": "b", "args": ["x" }'],
    ['a comment that is never closed', '{ "command": "b" } /* '],
  ])('only the servers before %s', (_, middle) => {
    const { servers } = parse(file(middle));
    expect(servers.filter(({ broken }) => broken === undefined)).toEqual([serverA]);
  });

  it('all servers when something else that follows them is never closed', () => {
    const { servers } = parse('{"mcpServers":{"a":{"command":"a"}},"hooks":{"x":[{}', 'claude');
    expect(servers).toEqual([{ name: 'a', value: a, at: [1, 16] }]);
  });

  it('the others when a name has no value', () => {
    const { servers } = parse('{"mcpServers":{"b", "a":{"command":"a"}}}');
    expect(servers.map(({ name, broken }) => [name, broken?.column])).toEqual([
      ['b', 19],
      ['a', undefined],
    ]);
  });

  it('the server before a missing comma', () => {
    const { servers } = parse('{"mcpServers":{"a":{"command":"a"} "b":{"command":"b"}}}');
    expect(servers.map(({ name, broken }) => [name, broken?.column])).toEqual([
      ['a', undefined],
      ['b', 36],
    ]);
  });

  it('nothing after an extra brace, since it may have cut a server short', () => {
    const text =
      '{"mcpServers":{\n"a":{"command":"a"},\n"b":{"command":"b"}, "disabled":true},\n"c":{}}}';
    expect(parse(text)).toEqual({
      state: 'invalid',
      servers: [],
      diagnostics: [
        {
          severity: 'error',
          code: 'syntax',
          message: 'There is more text after the end of the document.',
          suggestion: 'Look for a "}" too many before this place, or remove what follows.',
          file: 'f',
          line: 4,
          column: 8,
        },
      ],
    });
  });

  it('all servers when the error is in another setting', () => {
    const { servers, diagnostics } = parse(
      '{"model": nope, "mcpServers":{"a":{"command":"a"}}}',
      'claude',
    );
    expect(servers).toEqual([{ name: 'a', value: a, at: [1, 31] }]);
    expect(diagnostics.map(({ code, column }) => [code, column])).toEqual([['syntax', 11]]);
  });

  it.each(['nonsense', '{', '[', '}', '"', '/*', '{"mcpServers"', '\u0000', '<<<<<<< HEAD\n{}'])(
    'nothing but one error of %j',
    (text) => {
      const { state, servers, diagnostics } = parse(text);
      expect([state, servers, diagnostics.map(({ code }) => code)]).toEqual([
        'invalid',
        [],
        [text === '/*' ? 'file-empty' : 'syntax'],
      ]);
    },
  );
});

describe('parseFile on any text', () => {
  const format = fc.constantFrom<FileFormat>('mcp-json', 'plugboard', 'claude', 'managed');
  const token = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    ':',
    ',',
    '"',
    '"a"',
    '"mcpServers"',
    'x',
    '1',
    '//',
    '/*',
    '\n',
    '\\',
  );

  it('never throws, and every place is in the text', () => {
    const text = fc.oneof(
      fc.string(),
      fc.array(token).map((tokens) => tokens.join('')),
      fc.json(),
    );
    fc.assert(
      fc.property(text, format, (raw, kind) => {
        const lines = raw.split(/\r\n|\r|\n/);
        const { diagnostics, servers } = parseFile({ path: 'f', format: kind, text: raw });
        const places = [...diagnostics, ...servers.flatMap(({ broken }) => broken ?? [])];
        for (const { line, column } of [...places, ...servers.map(({ keyAt }) => keyAt([]))]) {
          expect(column - 1).toBeLessThanOrEqual(lines[line - 1]?.length ?? -1);
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('agrees with JSON.parse on what the servers are', () => {
    const entries = fc.dictionary(fc.string(), fc.jsonValue());
    fc.assert(
      fc.property(entries, fc.nat(4), (mcpServers, indent) => {
        const text = JSON.stringify({ mcpServers }, undefined, indent);
        const { servers } = parseFile({ path: 'f', format: 'plugboard', text });
        expect(new Map(servers.map(({ name, value }) => [name, value]))).toEqual(
          new Map(Object.entries((JSON.parse(text) as { mcpServers: object }).mcpServers)),
        );
      }),
    );
  });

  it('loses no complete server when the text is cut off', () => {
    const text = JSON.stringify({ mcpServers: { a, b, c: a } }, undefined, 2);
    for (let end = 0; end < text.length; end += 1) {
      const { servers } = parseFile({ path: 'f', format: 'plugboard', text: text.slice(0, end) });
      for (const { name, value, broken } of servers) {
        expect(broken === undefined ? value : 'broken').toEqual(
          broken === undefined ? { a, b, c: a }[name] : 'broken',
        );
      }
    }
  });
});
