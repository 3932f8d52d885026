import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findJsonParts } from '../../../src/config/text/json-parts.ts';

describe('findJsonParts', () => {
  it('finds values by their paths, with the line and column where they begin', () => {
    const text = `{
  "history": [{ "mcpServers": "no" }, "} \\" {"],
  "projects": {
    "/a \\"b\\"": { "mcpServers": { "x": 1 } }
  },
  "mcpServers": {}
}`;
    expect(
      findJsonParts(text, [
        ['mcpServers'],
        ['projects', '/a "b"', 'mcpServers'],
        ['projects', '/other', 'mcpServers'],
        ['history', 'mcpServers'],
      ]),
    ).toEqual([
      { text: '{}', line: 6, column: 17 },
      { text: '{ "x": 1 }', line: 4, column: 33 },
      undefined,
      undefined,
    ]);
  });

  it('uses the last of several values of one key, as JSON parsers do', () => {
    expect(findJsonParts('{"a": 1, "b": 2, "a": 3}', [['a']])).toEqual([
      { text: '3', line: 1, column: 23 },
    ]);
  });

  it.each([
    '',
    '[]',
    '{',
    '{"a": ',
    '{"a": {',
    '{"a": "',
    '{"a" 1}',
    '{"a": 1} x',
    '{"a": {"b": }',
    '{a: 1}',
  ])('reports %j as broken', (text) => {
    expect(findJsonParts(text, [['a']])).toBe('broken');
  });

  it('finds in any object what a parser finds', () => {
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.string(),
          fc.json().map((json) => JSON.parse(json) as unknown),
        ),
        fc.constantFrom(0, 1, 2, '\t'),
        (value, indent) => {
          const text = JSON.stringify(value, undefined, indent);
          const keys = Object.keys(value);
          const parts = findJsonParts(
            text,
            keys.map((key) => [key]),
          );
          const found = parts === 'broken' ? parts : parts.map((part) => part?.text);
          expect(found).toEqual(
            keys.map((key) =>
              expect.toSatisfy((part: string) => {
                expect(JSON.parse(part)).toEqual(value[key]);
                return true;
              }),
            ),
          );
        },
      ),
    );
  });

  it('does not slow down with the size of what it skips', () => {
    const entry = { display: 'a "quoted" { line', pastedContents: { a: ['}', '\\'] } };
    const history = Array.from({ length: 20_000 }, () => entry);
    const text = JSON.stringify({ history, mcpServers: { a: { command: 'x' } } });
    const parts = findJsonParts(text, [['mcpServers']]);
    expect(parts).toMatchObject([{ text: '{"a":{"command":"x"}}' }]);
  });

  it('handles hostile nesting without recursion', () => {
    const deep = `{"a": ${'['.repeat(200_000)}${']'.repeat(200_000)}, "b": 1}`;
    expect(findJsonParts(deep, [['b']])).toMatchObject([{ text: '1' }]);
  });
});
