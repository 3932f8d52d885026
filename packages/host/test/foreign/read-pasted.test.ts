import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readPasted } from '../../src/foreign/read-pasted.ts';

const entry = { command: 'npx', args: ['-y', 'x'] };

function read(text: string, name = 'mine') {
  return readPasted({ text, name, source: 'JSON' });
}

function problem(code: string, line: number, column: number) {
  return expect.objectContaining({ code, file: 'JSON', line, column });
}

describe('a pasted server', () => {
  it.each([
    ['an entry', '{ "command": "npx", "args": ["-y", "x"] }'],
    ['an entry with comments', '// run it\n{ "command": "npx", /* all */ "args": ["-y", "x",], }'],
    ['a name with its entry', '"x": { "command": "npx", "args": ["-y", "x"] }'],
    ['a name with its entry, and a comma', '\n  "x": { "command": "npx", "args": ["-y", "x"] },\n'],
    ['a name with its entry, and a remark', '"x": { "command": "npx", "args": ["-y", "x"] } // x'],
    ['a map of one', '{ "x": { "command": "npx", "args": ["-y", "x"] } }'],
    ['a whole file', '{"mcpServers": {"x": {"command": "npx", "args": ["-y", "x"]}}, "theme": 1}'],
    ['a file of another editor', '{"servers": {"x": {"command": "npx", "args": ["-y", "x"]}}}'],
    ['a block without its braces', '"mcpServers": {"x": {"command": "npx", "args": ["-y", "x"]}}'],
    [
      'the one that is meant of several',
      '{"mcpServers": {"x": {"url": "https://x"}, "mine": {"command": "npx", "args": ["-y", "x"]}}}',
    ],
  ])('can be %s', (_, text) => {
    expect(read(text)).toEqual({ ok: true, value: { entry, warnings: [] } });
  });

  it('is returned with its warnings', () => {
    expect(read('{\n  "command": "npx",\n  "arsg": []\n}')).toEqual({
      ok: true,
      value: { entry: { command: 'npx', arsg: [] }, warnings: [problem('unknown-key', 3, 3)] },
    });
  });

  it.each([
    ['{ "command" "npx" }', 'syntax', 1, 13],
    ['"x": {\n  "command": npx\n}', 'syntax', 2, 14],
    ['{ "command": "npx"', 'syntax', 1, 19],
    ['', 'bad-value', 1, 1],
    ['{ "mcpServers": {} }', 'bad-value', 1, 1],
    ['{ "mcpServers": [] }', 'bad-value', 1, 1],
    ['npx -y x', 'syntax', 1, 1],
    ['[]', 'wrong-type', 1, 1],
    ['['.repeat(200), 'too-deep', 1, 101],
  ])('cannot be %j', (text, code, line, column) => {
    expect(read(text)).toEqual({
      ok: false,
      error: { kind: 'unreadable', diagnostic: problem(code, line, column) },
    });
  });

  it.each([
    ['{}', 'command-or-url', 1, 1],
    ['{ "command": "npx",\n  "args": ["-y", 1] }', 'wrong-type', 2, 18],
    ['"x": { "command": "a", "url": "https://x" }', 'command-or-url', 1, 1],
    ['{ "mcpServers": { "x": "npx" } }', 'wrong-type', 1, 24],
  ])('has its mistakes located in the text: %j', (text, code, line, column) => {
    expect(read(text)).toEqual({
      ok: false,
      error: { kind: 'invalid-entry', diagnostics: [problem(code, line, column)] },
    });
  });

  it('must be named if there are several', () => {
    expect(read('{"mcpServers": {"a": {"command": "a"}, "b": {"command": "b"}}}')).toEqual({
      ok: false,
      error: { kind: 'several', names: ['a', 'b'] },
    });
  });

  it('never throws, and locates every mistake inside the text', () => {
    const piece = fc.constantFrom(
      '{',
      '}',
      '"x"',
      ':',
      ',',
      '[',
      ']',
      '"command"',
      '1',
      '//',
      '\n',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(piece).map((pieces) => pieces.join(' ')),
        ),
        (text) => {
          const result = read(text);
          if (result.ok || result.error.kind !== 'unreadable') return;
          const { line, column } = result.error.diagnostic;
          const lines = text.split(/\r\n|\r|\n/);
          expect(line).toBeLessThanOrEqual(lines.length);
          expect(column).toBeLessThanOrEqual((lines[line - 1] ?? '').length + 1);
        },
      ),
    );
  });
});
