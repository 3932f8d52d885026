import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '@plugboard/base';
import { verifies } from '@plugboard/testkit';
import { type Provider, schemaFor } from '../../src/schema/for-provider.ts';

const PROVIDERS: readonly Provider[] = ['anthropic', 'openai', 'gemini'];

/** A schema as servers write it, and valid arguments. */
interface Awkward {
  readonly id: string;
  readonly schema: JsonObject;
  readonly takes: readonly JsonObject[];
}

const AWKWARD: readonly Awkward[] = [
  {
    id: 'a choice at the top',
    schema: {
      type: 'object',
      oneOf: [
        { properties: { id: { type: 'string' } }, required: ['id'] },
        { properties: { name: { type: 'string' }, kind: { type: 'number' } }, required: ['name'] },
      ],
      additionalProperties: false,
    },
    takes: [{ id: 'a' }, { name: 'b', kind: 1 }],
  },
  {
    id: 'a choice of references at the top',
    schema: {
      type: 'object',
      anyOf: [{ $ref: '#/definitions/A' }, { $ref: '#/definitions/B' }],
      definitions: {
        A: { type: 'object', properties: { x: { type: 'string' } }, required: ['x'] },
        B: { type: 'object', properties: { x: { type: 'number' } }, required: ['x'] },
      },
    },
    takes: [{ x: 'a' }, { x: 1 }],
  },
  {
    id: 'a sum at the top',
    schema: {
      type: 'object',
      properties: { a: { type: 'string' } },
      allOf: [{ properties: { b: { type: 'number' } }, required: ['b'] }],
    },
    takes: [{ a: 'x', b: 1 }, { b: 2 }],
  },
  {
    id: 'a reference at the top',
    schema: {
      $ref: '#/definitions/Args',
      definitions: { Args: { type: 'object', properties: { a: { type: 'string' } } } },
    },
    takes: [{ a: 'x' }],
  },
  {
    id: 'a schema that contains itself',
    schema: {
      type: 'object',
      properties: { tree: { $ref: '#/$defs/Node' } },
      $defs: {
        Node: {
          type: 'object',
          properties: {
            name: { type: 'string' },
            children: { type: 'array', items: { $ref: '#/$defs/Node' } },
          },
        },
      },
    },
    takes: [{ tree: { name: 'a', children: [{ name: 'b', children: [] }] } }],
  },
  {
    id: 'references that lead nowhere, or out',
    schema: {
      type: 'object',
      properties: {
        a: { $ref: '#/$defs/Missing' },
        b: { $ref: 'https://example.com/schema.json' },
      },
    },
    takes: [{ a: 1, b: { c: 2 } }],
  },
  {
    id: 'several types',
    schema: {
      type: 'object',
      properties: {
        value: { type: ['string', 'number', 'null'], description: 'The value.' },
        list: { type: ['array', 'null'], items: { type: 'integer' } },
      },
    },
    takes: [{ value: 'a', list: [1] }, { value: 2 }, { value: null, list: null }],
  },
  {
    id: 'what old drafts wrote',
    schema: {
      type: 'object',
      properties: {
        n: { type: 'number', minimum: 0, exclusiveMinimum: true },
        pair: { type: 'array', items: [{ type: 'string' }, { type: 'number' }] },
        maybe: { type: 'string', nullable: true, enum: ['a', 'b'] },
      },
    },
    takes: [{ n: 1, pair: ['a', 1], maybe: null }, { maybe: 'a' }],
  },
  {
    id: 'constants, formats and tuples',
    schema: {
      type: 'object',
      properties: {
        kind: { const: 'a' },
        at: { type: 'string', format: 'hostname' },
        when: { type: 'string', format: 'date-time' },
        level: { enum: [1, 2, 3] },
        pair: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }] },
      },
    },
    takes: [
      { kind: 'a', at: 'example.com', when: '2026-01-01T00:00:00Z', level: 2, pair: ['a', 1] },
    ],
  },
  {
    id: 'a list that does not say of what',
    schema: { type: 'object', properties: { list: { type: 'array' } } },
    takes: [{ list: ['a'] }],
  },
  {
    id: 'what no draft allows',
    schema: {
      type: 'object',
      properties: {
        a: { type: 'any', required: true, description: 7 },
        b: 'string',
        c: { enum: [] },
      },
      required: 'a',
    },
    takes: [{ a: 'x', b: 1 }],
  },
  {
    id: 'properties in properties',
    schema: {
      type: 'object',
      properties: {
        type: 'object',
        properties: { name: { type: 'string' } },
        required: ['name'],
      },
    },
    takes: [{ name: 'x' }],
  },
  { id: 'nothing at all', schema: {}, takes: [{}, { a: 1 }] },
  {
    id: 'two hundred properties',
    schema: {
      type: 'object',
      properties: Object.fromEntries(
        Array.from({ length: 200 }, (_, index) => [`p${index}`, { type: 'string' }]),
      ),
    },
    takes: [{ p0: 'a', p199: 'b' }],
  },
  {
    id: 'a choice with more properties than are read',
    schema: {
      type: 'object',
      anyOf: [
        ...Array.from({ length: 50 }, () => ({
          properties: Object.fromEntries(
            Array.from({ length: 50 }, (_, index) => [`p${index}`, { type: 'string' }]),
          ),
          required: ['p0'],
        })),
        { properties: { p1: { type: 'number' } }, required: ['p1'] },
      ],
    },
    takes: [{ p0: 'a' }, { p1: 1 }],
  },
];

describe('a schema for a provider', () => {
  verifies('CAT-07');

  const cells = PROVIDERS.flatMap((provider) =>
    AWKWARD.map((awkward) => ({ provider, ...awkward })),
  );

  it.each(cells)('is accepted: $provider takes $id', ({ provider, schema }) => {
    expect(complaintsOf(provider, schemaFor(provider, schema).schema)).toEqual([]);
  });

  it.each(cells)('accepts the same values: $provider, $id', ({ provider, schema, takes }) => {
    const fit = schemaFor(provider, schema).schema;
    const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(
      provider === 'gemini' ? withNullable(fit) : fit,
    );
    for (const given of takes) expect([given, validate(given)]).toEqual([given, true]);
  });

  it('is unchanged if nothing is unsupported', () => {
    const schema = {
      type: 'object',
      properties: {
        path: { type: 'string', description: 'A path.', pattern: '^/', format: 'uri' },
        depth: { type: 'integer', minimum: 0, maximum: 5, default: 1 },
        tags: { type: 'array', items: { type: 'string', enum: ['a', 'b'] } },
        shape: { anyOf: [{ type: 'string' }, { $ref: '#/$defs/S' }] },
      },
      required: ['path'],
      additionalProperties: false,
      $defs: { S: { type: 'object', properties: {} } },
    };
    expect(schemaFor('anthropic', schema).schema).toEqual(schema);
    expect(schemaFor('openai', schema).schema).toEqual(schema);
  });

  it('describes in words which properties go together', () => {
    const [choice] = AWKWARD;
    expect(schemaFor('anthropic', choice?.schema ?? {}).schema).toEqual({
      type: 'object',
      properties: { id: { type: 'string' }, name: { type: 'string' }, kind: { type: 'number' } },
      description: 'Give one of these groups: id | name.',
    });
  });

  it('describes in words what Gemini does not support', () => {
    const properties = {
      at: { type: 'string', format: 'hostname', description: 'Where.' },
      n: { type: 'integer', multipleOf: 5 },
      level: { type: 'integer', enum: [1, 2] },
    };
    expect(schemaFor('gemini', { type: 'object', properties }).schema).toEqual({
      type: 'object',
      properties: {
        at: { type: 'string', description: 'Where. (format: hostname)' },
        n: { type: 'integer', description: '(multipleOf: 5)' },
        level: { type: 'integer', description: '(one of: [1,2])' },
      },
    });
  });

  it('has valid property names, and maps them back to the real ones', () => {
    const schema = {
      type: 'object',
      properties: {
        'filter[name]': { type: 'string' },
        filter_name_: { type: 'string' },
        deep: { type: 'array', items: { type: 'object', properties: { 'a b': {} } } },
      },
      required: ['filter[name]'],
    };
    const { schema: fit, restore } = schemaFor('anthropic', schema);
    expect(fit['required']).toEqual(['filter_name__2']);
    expect(
      restore({ filter_name__2: 'x', filter_name_: 'y', deep: [{ a_b: 1 }], other: 2 }),
    ).toEqual({ 'filter[name]': 'x', filter_name_: 'y', deep: [{ 'a b': 1 }], other: 2 });
  });

  it.each(['__proto__', 'constructor', 'toString'])('keeps a property called %s', (name) => {
    const properties = Object.fromEntries([[name, { type: 'string' }]]);
    const given = { type: 'object', allOf: [{ properties }] } as unknown as JsonObject;
    for (const provider of PROVIDERS) {
      const fit = schemaFor(provider, given).schema['properties'] as JsonObject;
      expect(Object.keys(fit)).toEqual([name]);
    }
  });

  it.each([
    ['deep', nested(10_000)],
    ['that doubles at every step', doubling(40)],
    ['that is a choice between itself', choosing(30)],
    ['that is a sum of itself', { type: 'object', allOf: choosing(30)['anyOf'] as JsonObject[] }],
    ['that is a choice between itself, with many properties', choosing(300, 300)],
    ['with very many properties', wide(30_000, 'p')],
    ['with very many names that are refused', wide(30_000, '?')],
    ['with very many names that are refused alike', wide(20_000, '?', 'alike')],
  ])('of one %s is bounded', (_, schema) => {
    for (const provider of PROVIDERS) {
      const fit = schemaFor(provider, schema).schema;
      expect(JSON.stringify(fit).length).toBeLessThan(5_000_000);
    }
  });
});

function nested(depth: number): JsonObject {
  let schema: JsonObject = { type: 'string' };
  for (let index = 0; index < depth; index += 1) {
    schema = { type: 'object', properties: { a: schema } };
  }
  return schema;
}

function doubling(steps: number): JsonObject {
  const $defs = Object.fromEntries(
    Array.from({ length: steps }, (_, index) => {
      const next = { $ref: `#/$defs/s${index + 1}` };
      return [`s${index}`, { type: 'object', properties: { a: next, b: next } }];
    }),
  );
  return { type: 'object', properties: { a: { $ref: '#/$defs/s0' } }, $defs };
}

/** Each branch is the whole schema again. */
function choosing(branches: number, properties = 0): JsonObject {
  const anyOf = Array.from({ length: branches }, () => ({ $ref: '#' }));
  return { ...wide(properties, 'p'), anyOf };
}

function wide(count: number, start: string, kind: 'numbered' | 'alike' = 'numbered'): JsonObject {
  const names = Array.from({ length: count }, (_, index) => [
    `${start}${kind === 'numbered' ? index : String.fromCharCode(0x4e00 + index)}`,
    { type: 'string' },
  ]);
  return { type: 'object', properties: Object.fromEntries(names) };
}

/** The reasons why the provider would refuse the tool. */
function complaintsOf(provider: Provider, schema: JsonObject): readonly string[] {
  const top = ['anyOf', 'oneOf', 'allOf', '$ref'].filter((key) => key in schema);
  const notObject = schema['type'] === 'object' ? [] : ['not an object'];
  return [...notObject, ...top, ...complaintsWithin(provider, schema)];
}

const OF_GEMINI = new Set(
  (
    'type format title description nullable enum items properties required minimum maximum minItems ' +
    'maxItems minLength maxLength minProperties maxProperties pattern anyOf default'
  ).split(' '),
);

function complaintsWithin(provider: Provider, schema: JsonObject): readonly string[] {
  const { properties = {}, items, anyOf = [], type } = schema as Record<string, never>;
  const names = Object.keys(properties).filter((name) => !/^[\w.-]{1,64}$/.test(name));
  const unknown =
    provider === 'gemini' ? Object.keys(schema).filter((key) => !OF_GEMINI.has(key)) : [];
  const types = provider === 'gemini' && Array.isArray(type) ? ['several types'] : [];
  const lists =
    provider !== 'anthropic' && type === 'array' && items === undefined ? ['items'] : [];
  const inner = [...Object.values(properties), ...(items === undefined ? [] : [items]), ...anyOf];
  return [
    ...[...names, ...unknown, ...types, ...lists],
    ...inner.flatMap((part) => complaintsWithin(provider, part as JsonObject)),
  ];
}

/** As JSON Schema, for the validator. */
function withNullable(schema: JsonObject): JsonObject {
  const { nullable, ...rest } = schema as Record<string, unknown>;
  const inner = JSON.parse(JSON.stringify(rest), (_, value: unknown) =>
    typeof value === 'object' && value !== null && 'nullable' in value
      ? { anyOf: [{ ...value, nullable: undefined }, { type: 'null' }] }
      : value,
  ) as JsonObject;
  return nullable === true ? { anyOf: [inner, { type: 'null' }] } : inner;
}
