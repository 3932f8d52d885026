import type { JsonObject } from '@plugboard/base';
import { processorMs, verifies } from '@plugboard/testkit';
import { Ajv2020 } from 'ajv/dist/2020.js';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { toZod } from '../../src/schema/to-zod.ts';

const takes = (schema: JsonObject, value: unknown): boolean =>
  toZod(z, schema).safeParse(value).success;

/** Whether the schema itself accepts a value; false if Ajv cannot decide. */
function schemaTakes(schema: JsonObject): (value: unknown) => boolean {
  let validate: ((value: unknown) => boolean) | undefined;
  return (value) => {
    try {
      validate ??= new Ajv2020({ strict: false, validateSchema: false, logger: false }).compile(
        schema,
      );
      return validate(value);
    } catch {
      // It refuses some patterns and references, and fails on some combinations of keywords.
      return false;
    }
  };
}

type Words = Readonly<Record<string, fc.Arbitrary<unknown>>>;

const FLAT: Words = {
  type: fc.constantFrom<unknown>(
    ...['string', 'number', 'integer', 'boolean', 'null', 'array', 'object'],
    ['string', 'null'],
    ['integer', 'array', 'object'],
  ),
  enum: fc.uniqueArray(fc.constantFrom<unknown>('a', 'b', 1, 2.5, null, true, { a: 1 }), {
    minLength: 1,
  }),
  const: fc.constantFrom<unknown>('a', 1, null, [1], { a: 'b' }),
  minimum: fc.integer({ min: -3, max: 3 }),
  exclusiveMaximum: fc.integer({ min: 0, max: 9 }),
  multipleOf: fc.constantFrom(1, 2, 0.1, 1.5),
  minLength: fc.nat(2),
  maxLength: fc.nat(3),
  pattern: fc.constantFrom('^a', '^.$', '^\\p{L}+$', '(a+)+$', '[', '^[^a]$', '\\u{61}', '\\-'),
  format: fc.constantFrom('email', 'date', 'uuid', 'uri', 'nonsense'),
  required: fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { maxLength: 2 }),
  minProperties: fc.nat(2),
  maxProperties: fc.nat(2),
  minItems: fc.nat(2),
  maxItems: fc.nat(3),
  uniqueItems: fc.boolean(),
  dependentRequired: fc.constant({ a: ['b'] }),
  unevaluatedProperties: fc.boolean(),
  unevaluatedItems: fc.boolean(),
  $ref: fc.constantFrom('#/$defs/A', '#/$defs/B', '#/$defs/Missing', 'https://example.com/x'),
  default: fc.constantFrom<unknown>('x', 1, {}),
  description: fc.constant('Said.'),
  'x-own': fc.constant(1),
};

function deep(inner: fc.Arbitrary<unknown>): Words {
  const oneOrTwo = fc.array(inner, { minLength: 1, maxLength: 2 });
  return {
    properties: fc.dictionary(fc.constantFrom('a', 'b', 'constructor'), inner, { maxKeys: 2 }),
    additionalProperties: fc.oneof(fc.boolean(), inner),
    patternProperties: fc.dictionary(fc.constantFrom('^a', '.'), inner, { maxKeys: 1 }),
    propertyNames: inner,
    items: fc.oneof(fc.boolean(), inner),
    prefixItems: oneOrTwo,
    contains: inner,
    anyOf: fc.oneof(oneOrTwo, fc.constant([true]), fc.constant([false])),
    oneOf: oneOrTwo,
    allOf: oneOrTwo,
    not: inner,
    if: inner,
    // A computed key, since an object with a plain one counts as a promise.
    ...Object.fromEntries(['then', 'else'].map((key) => [key, inner])),
  };
}

/** Schemas with a few keywords in any combination, even pointless ones. */
function schemasOf(depth: number): fc.Arbitrary<JsonObject> {
  const words: Words = depth === 0 ? FLAT : { ...FLAT, ...deep(schemasOf(depth - 1)) };
  return fc
    .subarray(Object.keys(words), { maxLength: 5 })
    .chain((keys) =>
      fc.record(Object.fromEntries(keys.map((key) => [key, words[key] ?? fc.constant(1)]))),
    ) as fc.Arbitrary<JsonObject>;
}

const schemas = schemasOf(2);

const values = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 2 },
    fc.constantFrom(null, true, 'a', 'b', 'aa', '', '😀', '😀😀', 'é', 'a'.repeat(300)),
    fc.constantFrom(0, 1, 2, 2.5, -1, 0.3, 1e300, 2 ** 53),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'c', 'constructor'), tie('value'), { maxKeys: 3 }),
  ),
})).value;

describe('a schema for Zod', () => {
  it('accepts what the schema accepts, and returns it unchanged', () => {
    verifies('CAT-07');
    let taken = 0;
    fc.assert(
      fc.property(
        schemas,
        schemas,
        fc.array(values, { minLength: 8, maxLength: 12 }),
        (schema, A, given) => {
          const whole = { ...schema, $defs: { A } };
          const isTaken = schemaTakes(whole);
          const zod = toZod(z, whole);
          for (const value of given) {
            if (!isTaken(value)) continue;
            taken += 1;
            expect(zod.safeParse(value)).toEqual({ success: true, data: value });
          }
        },
      ),
      { numRuns: 300 },
    );
    // Else nothing was shown.
    expect(taken).toBeGreaterThan(100);
  });

  it.each<[string, JsonObject, readonly unknown[], readonly unknown[]]>([
    [
      'types, bounds and what is required',
      {
        type: 'object',
        properties: { n: { type: 'integer', minimum: 1 }, s: { type: 'string', minLength: 2 } },
        required: ['n'],
        additionalProperties: false,
      },
      [{ n: 1 }, { n: 2, s: 'ab' }],
      [{}, { n: 0 }, { n: 1.5 }, { n: 1, s: 'a' }, { n: 1, x: 1 }, 'n'],
    ],
    [
      'references, also to itself',
      {
        type: 'object',
        properties: { tree: { $ref: '#/definitions/Node' } },
        definitions: {
          Node: {
            type: 'object',
            properties: { to: { $ref: '#/definitions/Node' }, name: { type: 'string' } },
          },
        },
      },
      [{ tree: { name: 'a', to: { name: 'b' } } }],
      [{ tree: { name: 1 } }, { tree: { to: { name: 1 } } }],
    ],
    [
      'which go together',
      { type: 'object', anyOf: [{ required: ['a'] }, { required: ['b'] }] },
      [{ a: 1 }, { b: 1 }, { a: 1, b: 1 }],
      [{}, { c: 1 }],
    ],
    [
      'what stands beside a reference',
      {
        type: 'object',
        properties: { v: { $ref: '#/$defs/V', required: ['b'] } },
        $defs: { V: { type: 'object', required: ['a'] } },
      },
      [{ v: { a: 1, b: 1 } }],
      [{ v: { a: 1 } }, { v: { b: 1 } }],
    ],
    [
      'choices, lists and values',
      {
        type: 'object',
        properties: {
          pick: { oneOf: [{ const: 'a' }, { enum: ['b', 1] }] },
          list: { type: 'array', prefixItems: [{ type: 'string' }], items: { type: 'number' } },
          few: { type: 'array', maxItems: 1 },
        },
      },
      [{ pick: 1, list: ['a', 1], few: [{}] }, { list: [] }],
      [{ pick: 'c' }, { list: [1] }, { list: ['a', 'b'] }, { few: [1, 2] }],
    ],
    [
      'tame patterns',
      { type: 'string', pattern: '^[a-z]+$' },
      ['abc', 'a'.repeat(300)],
      ['ABC', '', 'a1'],
    ],
  ])('refuses by %s', (_, schema, good, bad) => {
    verifies('CAT-07');
    expect(good.filter((value) => !takes(schema, value))).toEqual([]);
    expect(bad.filter((value) => takes(schema, value))).toEqual([]);
  });

  it('leaves out properties that every object inherits, which Zod would find in all values', () => {
    const schema = {
      type: 'object',
      properties: { constructor: {}, toString: { type: 'string' }, a: { type: 'number' } },
      required: ['valueOf'],
      additionalProperties: false,
    };
    const zod = toZod(z, schema);
    for (const value of [{ valueOf: 1 }, { constructor: 1, valueOf: 1, a: 1 }]) {
      expect(zod.safeParse(value)).toEqual({ success: true, data: value });
    }
    expect(takes(schema, { a: 'x' })).toBe(false);
  });

  it('runs no slow expression, on any text', async () => {
    const wild = { type: 'string', pattern: '^(a+)+$' };
    const tame = { type: 'string', pattern: '^a*a*a*$' };
    const took = await processorMs(() => {
      expect(takes(wild, `${'a'.repeat(40)}!`)).toBe(true);
      expect(takes(tame, `${'a'.repeat(100_000)}!`)).toBe(true);
    });
    expect(took).toBeLessThan(2000);
  });

  it('is finite for a schema that only refers to itself, or without end', () => {
    const loop: JsonObject = { $ref: '#/$defs/A', $defs: { A: { $ref: '#/$defs/A' } } };
    expect(takes(loop, { any: 'thing' })).toBe(true);
    const twice = { type: 'object', properties: { a: { $ref: '#' }, b: { $ref: '#' } } } as const;
    expect(takes(twice, { a: { b: { a: {} } } })).toBe(true);
  });

  it('describes in words what it does not check', () => {
    const schema: JsonObject = { type: 'string', format: 'uuid', description: 'The id.' };
    expect(toZod(z, schema).description).toBe('The id. (format: uuid)');
  });

  it('is typed by the Zod that made it', () => {
    const made: z.ZodType = toZod(z, { type: 'object' });
    expect(made.parse({ a: 1 })).toEqual({ a: 1 });
  });
});
