import type { JsonObject } from '@plugboard/base';
import { verifies } from '@plugboard/testkit';
import { codePoint } from '@plugboard/testkit/code-point';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { docComment, stringLiteral, toTypeScript } from '../../src/schema/to-typescript.ts';

function typesOf(schema: object): Readonly<Record<string, string>> {
  const taken = new Set<string>();
  const nameFor = (wish: string): string => {
    let name = wish;
    while (taken.has(name)) name += '_';
    taken.add(name);
    return name;
  };
  const { types } = toTypeScript(schema as JsonObject, nameFor('Given'), nameFor);
  return Object.fromEntries(types);
}

/** The type of a property. */
function typeOf(schema: object, $defs: object = {}): string | undefined {
  const { Given = '' } = typesOf({ type: 'object', properties: { a: schema }, $defs });
  return /^\{\n {2}a\?: ([^]*);\n\}$/.exec(Given)?.[1];
}

describe('the TypeScript of a schema', () => {
  verifies('API-05');

  it.each([
    ['string', { type: 'string' }],
    ['number', { type: 'integer' }],
    ['string | null', { type: ['string', 'null'] }],
    ['string | null', { type: 'string', nullable: true }],
    ['"a" | 1 | null', { enum: ['a', 1, null] }],
    ['"a"', { const: 'a' }],
    ['(string)[]', { type: 'array', items: { type: 'string' } }],
    [
      '(string | number)[]',
      { type: 'array', prefixItems: [{ type: 'string' }], items: { type: 'number' } },
    ],
    ['(unknown)[]', { type: 'array' }],
    ['string | number', { oneOf: [{ type: 'string' }, { type: 'number' }] }],
    ['{ [name: string]: unknown }', { type: 'object' }],
    ['{ [name: string]: number }', { type: 'object', additionalProperties: { type: 'number' } }],
    ['{ [name: string]: never }', { type: 'object', additionalProperties: false }],
    ['{\n    b: unknown;\n  }', { type: 'object', required: ['b'] }],
    ['never', false],
    ['unknown', {}],
    ['unknown', { anyOf: [{ type: 'string' }, {}] }],
    ['unknown', { $ref: 'https://example.com/schema' }],
    ['unknown', { $ref: '#/$defs/gone' }],
  ])('is %s', (type, schema) => {
    expect(typeOf(schema as object)).toBe(type);
  });

  it('combines parts that all apply, and ignores a choice of required properties', () => {
    const schema = {
      type: 'object',
      properties: { id: { type: 'string' }, name: { type: 'string' } },
      anyOf: [{ required: ['id'] }, { required: ['name'] }],
      allOf: [{ type: 'object', properties: { at: { type: 'number' } }, required: ['at'] }],
    };
    expect(typesOf(schema)).toEqual({
      Given: '({\n  id?: string;\n  name?: string;\n}) & ({\n  at: number;\n})',
    });
  });

  it('allows unknown properties only if the schema explicitly allows them', () => {
    const properties = { id: { type: 'string' } };
    for (const others of [true, { type: 'number' }]) {
      const open = { type: 'object', properties, additionalProperties: others };
      expect(typesOf(open)['Given']).toBe('{\n  id?: string;\n  [name: string]: unknown;\n}');
    }
    expect(typesOf({ type: 'object', properties })['Given']).toBe('{\n  id?: string;\n}');
  });

  it('names recursive schemas, unless the name would be part of its own definition', () => {
    const $defs = {
      'tree node': {
        type: 'object',
        properties: { inner: { type: 'array', items: { $ref: '#/$defs/tree node' } } },
      },
      either: { anyOf: [{ $ref: '#/$defs/either' }, { type: 'string' }] },
      word: { type: 'string' },
      alias: { $ref: '#/$defs/word' },
    };
    const properties = {
      node: { $ref: '#/$defs/tree node' },
      either: { $ref: '#/$defs/either' },
      all: { $ref: '#' },
      word: { $ref: '#/$defs/alias' },
    };
    expect(typesOf({ type: 'object', properties, $defs })).toEqual({
      Given:
        '{\n  node?: GivenTreeNode;\n  either?: GivenEither;\n  all?: Given;\n  word?: GivenAlias;\n}',
      GivenTreeNode: '{\n  inner?: (GivenTreeNode)[];\n}',
      GivenEither: 'unknown',
      GivenAlias: 'string',
    });
  });

  it('reports whether an empty object is valid', () => {
    const nothingFits = (schema: JsonObject): boolean =>
      toTypeScript(schema, 'Given', (wish) => wish).takesNothing;
    expect(nothingFits({ type: 'object', properties: { a: {} } })).toBe(true);
    expect(nothingFits({ type: 'object', properties: { a: {} }, required: ['a'] })).toBe(false);
    expect(nothingFits({ anyOf: [{ required: ['a'] }] })).toBe(false);
  });

  it('is written quickly for a short schema that unfolds exponentially', () => {
    const names = Array.from({ length: 30 }, (_, index) => `d${index}`);
    const anyOf = names.map((name) => ({ $ref: `#/$defs/${name}` }));
    const $defs = Object.fromEntries(names.map((name) => [name, { anyOf }]));
    const types = typesOf({ type: 'object', properties: { a: { $ref: '#/$defs/d0' } }, $defs });
    expect(JSON.stringify(types).length).toBeLessThan(100_000);
  });

  it('contains no text of a server that could end a comment or a string', () => {
    expect(docComment('a */ evil() *\u200B/ b\u2028c *\u001B[0m/')).toBe(
      '/** a * / evil() * / b c *[0m/ */\n',
    );
    expect(stringLiteral('"\n\u2028\u202E\u3164')).toBe(String.raw`"\"\n\u{2028}\u{202e}\u{3164}"`);
    fc.assert(
      fc.property(fc.string({ unit: codePoint }), (text) => {
        const comment = docComment(text);
        expect(comment === '' || /^\/\*\* (?:(?!\*\/)[^\n])* \*\/\n$/u.test(comment)).toBe(true);
        // Line ends are escaped, and the text stays the same.
        const escaped = stringLiteral(text).replaceAll(/\\u\{([\da-f]+)\}/g, (_, code: string) =>
          JSON.stringify(String.fromCodePoint(Number.parseInt(code, 16))).slice(1, -1),
        );
        expect(JSON.parse(escaped)).toBe(text);
      }),
    );
  });
});
