import { describe, expect, it } from 'vitest';
import type { Json } from '@plugboard/base';
import { SchemaDocument, type SchemaNode } from '../../../src/parts/form/schema-node.ts';

function read(schema: Json): SchemaNode {
  const document = new SchemaDocument(schema);
  return document.read(document.root);
}

function property(schema: Json, name: string): SchemaNode {
  const document = new SchemaDocument(schema);
  return document.read(document.read(document.root).properties.get(name) ?? false);
}

describe('a schema node', () => {
  it('follows references within the document by pointer and by anchor', () => {
    const schema = {
      properties: {
        pointer: { $ref: '#/$defs/a~1b' },
        anchor: { $ref: '#named', title: 'Own title' },
        encoded: { $ref: '#/$defs/with%20space' },
      },
      $defs: {
        'a/b': { type: 'integer' },
        other: { $anchor: 'named', type: 'boolean', title: 'Title of the target' },
        'with space': { type: 'string' },
      },
    };
    expect(property(schema, 'pointer').types).toEqual(['integer']);
    expect(property(schema, 'anchor')).toMatchObject({ types: ['boolean'], title: 'Own title' });
    expect(property(schema, 'encoded').types).toEqual(['string']);
  });

  it('allows any value for a reference to another document or to nothing', () => {
    expect(read({ $ref: 'https://example.com/schema.json' }).types).toEqual([]);
    expect(read({ $ref: '#/$defs/missing' }).isImpossible).toBe(false);
    expect(read({ $ref: '#/constructor/prototype' }).types).toEqual([]);
  });

  it('ends at circular references, allOf and anyOf', () => {
    expect(read({ $ref: '#' }).isImpossible).toBe(false);
    expect(read({ allOf: [{ $ref: '#' }], type: 'object' }).types).toEqual(['object']);
    expect(read({ anyOf: [{ $ref: '#' }] }).variants).toEqual([]);
    expect(read({ anyOf: [{ $ref: '#' }, { $ref: '#' }] }).variants.length).toBeLessThanOrEqual(50);
  });

  it('reads allOf that doubles at each of thirty levels', () => {
    const definitions = Object.fromEntries(
      Array.from({ length: 30 }, (_, level) => [
        `d${level}`,
        { allOf: [{ $ref: `#/$defs/d${level + 1}` }, { $ref: `#/$defs/d${level + 1}` }] },
      ]),
    );
    const schema = { $ref: '#/$defs/d0', $defs: { ...definitions, d30: { type: 'string' } } };
    expect(read(schema).types).toEqual(['string']);
  });

  it('merges the constraints of allOf', () => {
    const node = read({
      allOf: [
        { properties: { a: { type: 'number' } }, required: ['a'], minimum: 1 },
        { properties: { a: { minimum: 3 }, b: true }, required: ['b'], minimum: 2 },
      ],
    });
    expect([...node.properties.keys()]).toEqual(['a', 'b']);
    expect([...node.required]).toEqual(['a', 'b']);
    expect(node.bounds.minimum).toBe(2);
  });

  it('is impossible if the schema is false or contradicts itself', () => {
    expect(read(false).isImpossible).toBe(true);
    expect(read({ allOf: [{ type: 'string' }, { type: 'number' }] }).isImpossible).toBe(true);
    expect(read({ oneOf: [false, false] }).isImpossible).toBe(true);
    expect(read({ enum: [] }).isImpossible).toBe(true);
    expect(read(true).isImpossible).toBe(false);
  });

  it('is nullable for null beside one type, and has variants for several types', () => {
    expect(read({ type: ['string', 'null'] })).toMatchObject({
      isNullable: true,
      types: ['string'],
    });
    expect(read({ anyOf: [{ type: 'string', minLength: 2 }, { type: 'null' }] })).toMatchObject({
      isNullable: true,
      types: ['string'],
      variants: [],
    });
    expect(read({ type: ['string', 'number'] }).variants).toEqual([
      { type: 'string' },
      { type: 'number' },
    ]);
  });

  it('flattens variants of variants into one list', () => {
    const node = read({
      title: 'Outer',
      oneOf: [{ const: 1 }, { anyOf: [{ const: 2 }, { const: 3 }, { type: 'null' }] }],
    });
    expect(node.variants.map(({ const: value }) => value)).toEqual([1, 2, 3]);
    expect(node.isNullable).toBe(true);
  });

  it('keeps property names such as __proto__ and constructor', () => {
    const schema = JSON.parse(
      '{"properties":{"__proto__":{"type":"string"},"constructor":{"type":"number"}},"allOf":[{"properties":{"__proto__":{"minLength":2}}}]}',
    ) as Json;
    expect(property(schema, '__proto__')).toMatchObject({
      types: ['string'],
      bounds: { minLength: 2 },
    });
    expect(property(schema, 'constructor').types).toEqual(['number']);
    expect(property({ properties: {} }, 'toString').isImpossible).toBe(true);
  });

  it('ignores invalid keywords', () => {
    const node = read({
      type: 7,
      properties: [],
      required: 'all',
      minLength: 'x',
      enum: 'a',
      oneOf: {},
      title: {},
      pattern: 1,
    });
    expect(node).toMatchObject({
      types: ['object'],
      values: undefined,
      variants: [],
      title: undefined,
    });
  });
});
