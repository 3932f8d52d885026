import type { JsonObject } from '@plugboard/base';
import { describe, expect, it } from 'vitest';
import { headerDeclarations } from '../../src/protocol/modern/header-declarations.ts';

const declared = (name: unknown, type: unknown = 'string'): JsonObject =>
  ({ type, 'x-mcp-header': name }) as JsonObject;

describe('header declarations in a schema', () => {
  it('are found wherever properties lead to them', () => {
    const schema = {
      type: 'object',
      properties: {
        region: declared('Region'),
        size: declared('Size', 'integer'),
        plain: { type: 'string' },
        where: { type: 'object', properties: { dry: declared('Dry-Run', 'boolean') } },
      },
    };
    expect(headerDeclarations(schema)).toEqual({
      ok: true,
      value: [
        { name: 'Region', type: 'string', path: ['region'] },
        { name: 'Size', type: 'integer', path: ['size'] },
        { name: 'Dry-Run', type: 'boolean', path: ['where', 'dry'] },
      ],
    });
  });

  it.each([
    { type: 'object' },
    { type: 'object', properties: { 'x-mcp-header': { type: 'string' } } },
    { properties: { a: { default: declared(''), enum: [declared('')], const: declared('') } } },
    { properties: { a: true, b: { items: true, $defs: 'none' } }, properties2: declared('') },
  ] satisfies JsonObject[])('are not found in an invalid schema: %j', (schema) => {
    expect(headerDeclarations(schema)).toEqual({ ok: true, value: [] });
  });

  it.each(['', ' ', 'My Region', 'Region:Primary', 'Région', 'Region\t1', 'a\r\nb', 5, null, []])(
    'are refused with an invalid header name: %j',
    (name) => {
      const verdict = headerDeclarations({ properties: { a: declared(name) } });
      expect(verdict).toMatchObject({
        ok: false,
        error: expect.stringMatching(/which no header can have$/),
      });
    },
  );

  it.each(['object', 'array', 'null', 'number', ['string', 'null'], undefined])(
    'are refused for the type %j',
    (type) => {
      const { type: _, ...untyped } = declared('Region');
      const property = type === undefined ? untyped : declared('Region', type);
      const verdict = headerDeclarations({ properties: { a: property } });
      expect(verdict).toMatchObject({ ok: false, error: expect.stringMatching(/for the type/) });
    },
  );

  it.each([
    declared('Root', 'string'),
    { properties: { a: { type: 'array', items: declared('Item') } } },
    { properties: { a: { type: 'array', prefixItems: [{}, declared('Item')] } } },
    { additionalProperties: declared('Other') },
    { patternProperties: { '^a': declared('Other') } },
    { anyOf: [{ properties: { a: declared('Maybe') } }] },
    { if: { properties: { a: declared('Maybe') } }, else: {} },
    { $defs: { region: declared('Region') }, properties: { a: { $ref: '#/$defs/region' } } },
    { properties: { a: { not: { properties: { b: declared('No') } } } } },
  ] satisfies JsonObject[])('are refused if no fixed argument is meant: %j', (schema) => {
    expect(headerDeclarations(schema)).toEqual({
      ok: false,
      error: 'declares a header for something that is not an argument of a fixed place',
    });
  });

  it('are refused when two have one name, in any letter case', () => {
    const properties = { a: declared('MyField'), b: { properties: { c: declared('myfield') } } };
    expect(headerDeclarations({ properties })).toEqual({
      ok: false,
      error: 'declares the header "myfield" twice',
    });
  });

  it('are refused when there are too many', () => {
    const names = Array.from({ length: 101 }, (_, index) => `H${index}`);
    const properties = Object.fromEntries(names.map((name) => [name, declared(name)]));
    expect(headerDeclarations({ properties })).toMatchObject({ ok: false });
    delete properties['H0'];
    expect(headerDeclarations({ properties })).toMatchObject({ ok: true });
  });

  it('are found in a schema of many levels and many properties', () => {
    let schema: JsonObject = Object.fromEntries(
      Array.from({ length: 50_000 }, (_, index) => [`p${index}`, { type: 'string' }]),
    );
    for (let level = 0; level < 400; level += 1) {
      schema = { properties: level === 0 ? schema : { a: schema } };
    }
    expect(headerDeclarations(schema)).toEqual({ ok: true, value: [] });
  });
});
