import type { Json, JsonObject } from '@plugboard/base';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { generalCheck } from '../../src/host/general-check.ts';
import { plainCheck } from '../../src/host/plain-check.ts';

const key = fc.constantFrom('a', 'b', 'c', 'x/y', '~', 'constructor');
const type = fc.constantFrom('string', 'number', 'integer', 'boolean', 'null', 'array', 'object');
const value: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json>('', 'one', 0, 1, 1.5, -1, true, false, null),
  fc.array(fc.integer(), { maxLength: 2 }),
  fc.dictionary(fc.constantFrom('k'), fc.integer(), { maxKeys: 1 }),
);
const property = fc.record(
  {
    type: fc.oneof(type, fc.uniqueArray(type, { minLength: 1, maxLength: 3 })),
    enum: fc.uniqueArray(fc.constantFrom<Json>('one', 0, 1, true, null), { minLength: 1 }),
    description: fc.constant('some words'),
  },
  { requiredKeys: [] },
);
const schema = fc.record(
  {
    type: fc.constant('object'),
    properties: fc.dictionary(key, property, { maxKeys: 4 }),
    required: fc.uniqueArray(key, { maxLength: 3 }),
    additionalProperties: fc.boolean(),
    $schema: fc.constant('https://json-schema.org/draft/2020-12/schema'),
  },
  { requiredKeys: ['type'] },
) as fc.Arbitrary<JsonObject>;
const given = fc.dictionary(key, value, { maxKeys: 4 });

const inOrder = (a: { path: string; message: string }, b: { path: string; message: string }) =>
  `${a.path} ${a.message}` < `${b.path} ${b.message}` ? -1 : 1;

describe('the check of plain schemas', () => {
  it('finds the same as the general check, for every plain schema', async () => {
    await fc.assert(
      fc.asyncProperty(schema, fc.array(given, { maxLength: 5 }), async (plain, several) => {
        const quick = plainCheck(plain);
        const general = await generalCheck(plain);
        for (const one of several) {
          expect(quick?.(one).toSorted(inOrder)).toEqual(general(one).toSorted(inOrder));
        }
      }),
      { numRuns: 150 },
    );
  });

  it('does not treat inherited object members as arguments', async () => {
    const inherited = { type: 'object', properties: { constructor: { type: 'string' } } };
    expect(plainCheck(inherited)?.({})).toEqual([]);
    expect((await generalCheck(inherited))({})).toEqual([]);
    const required = { type: 'object', required: ['constructor'] };
    expect(plainCheck(required)?.({})).toHaveLength(1);
    expect((await generalCheck(required))({})).toHaveLength(1);
  });

  it.each<JsonObject>([
    {},
    { type: 'array' },
    { type: 'object', anyOf: [] },
    { type: 'object', properties: { a: { type: 'string', pattern: 'x' } } },
    { type: 'object', properties: { a: { $ref: '#' } } },
    { type: 'object', properties: { a: true } },
    { type: 'object', properties: { a: { enum: [{}] } } },
    { type: 'object', properties: { a: { type: 'nonsense' } } },
    { type: 'object', additionalProperties: { type: 'string' } },
    { type: 'object', required: [1] },
  ])('leaves %j to the general check', (other) => {
    expect(plainCheck(other)).toBeUndefined();
  });
});
