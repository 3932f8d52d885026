import { times } from '@plugboard/testkit';
import { checkAnswer, type FormField, type Json, type JsonObject } from '@plugboard/base';
import { Ajv2020 } from 'ajv/dist/2020.js';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readForm } from '../../src/inbound/read-form.ts';

function fieldOf(raw: JsonObject, required: readonly string[] = []): FormField {
  const read = readForm({ type: 'object', properties: { it: raw }, required });
  const [field] = read.ok ? read.value : [];
  if (field === undefined) throw new Error(JSON.stringify(read));
  return field;
}

function problems(raw: JsonObject, value: Json): readonly unknown[] {
  const checked = checkAnswer([fieldOf(raw)], { it: value });
  return checked.ok ? [] : checked.error.map(({ problem }) => problem);
}

describe('parsing an elicitation form', () => {
  it.each([
    ['a list', { type: 'array' }, 'the form is not an object'],
    ['without properties', { type: 'object' }, 'the form has no properties'],
    [
      'with an object inside',
      { type: 'object', properties: { a: { type: 'object', properties: {} } } },
      'field "a": is neither a text, a number, a boolean nor a choice',
    ],
    [
      'with a reference',
      { type: 'object', properties: { a: { $ref: '#/x' } } },
      'field "a": is neither a text, a number, a boolean nor a choice',
    ],
    [
      'with a list of anything',
      { type: 'object', properties: { a: { type: 'array', items: { type: 'string' } } } },
      'field "a": does not say what to choose from',
    ],
    [
      'with nothing to choose from',
      { type: 'object', properties: { a: { type: 'string', enum: [] } } },
      'field "a": does not say what to choose from',
    ],
    [
      'with a choice twice',
      { type: 'object', properties: { a: { type: 'string', enum: ['x', 'x'] } } },
      'field "a": has a choice twice',
    ],
    [
      'that nothing fits',
      { type: 'object', properties: { a: { type: 'string', minLength: 3, maxLength: 2 } } },
      'field "a": allows nothing at all',
    ],
    [
      'that requires what is not there',
      { type: 'object', properties: {}, required: ['a'] },
      'a field is required that is not there',
    ],
    [
      'without end',
      {
        type: 'object',
        properties: Object.fromEntries(
          Array.from({ length: 51 }, (_, index) => [`f${index}`, { type: 'string' }]),
        ),
      },
      'the form has more than 50 fields',
    ],
  ])('refuses %s', (_name, schema, error) => {
    expect(readForm(schema)).toEqual({ ok: false, error });
  });

  it.each([
    [{ type: 'string', default: 5 }, undefined],
    [{ type: 'string', minLength: 3, default: 'ab' }, undefined],
    [{ type: 'string', minLength: 2, default: 'ab' }, 'ab'],
    [{ type: 'integer', default: 1.5 }, undefined],
    [{ type: 'integer', maximum: 3, default: 4 }, undefined],
    [{ type: 'number', default: 1.5 }, 1.5],
    [{ type: 'boolean', default: 'yes' }, undefined],
    [{ type: 'string', enum: ['a'], default: 'b' }, undefined],
    [{ type: 'array', items: { enum: ['a', 'b'] }, default: ['b', 'c'] }, undefined],
    [{ type: 'array', items: { enum: ['a', 'b'] }, default: ['b'] }, ['b']],
  ])('uses the default of %j only if it is valid: %j', (raw, expected) => {
    expect(fieldOf(raw).default).toEqual(expected);
  });

  it('removes terminal sequences and invisible characters', () => {
    const field = fieldOf({
      type: 'string',
      title: `\u001B]0;x\u0007Na\u200Bme\u202E${'!'.repeat(300)}`,
      description: 'one\r\ntwo\u{E0041}\u0007',
      enum: ['plain', 'pl\u200Bain'],
    });
    expect(field).toMatchObject({
      title: `Name${'!'.repeat(195)}…`,
      description: 'one\ntwo',
      // Names that look alike are distinguished.
      options: [
        { value: 'plain', title: 'plain' },
        { value: 'pl\u200Bain', title: '"pl\\u{200b}ain"' },
      ],
    });
  });

  it.each([
    ['password', {}],
    ['apiKey', {}],
    ['value', { title: 'Your GitHub token' }],
    ['value', { description: 'Enter the one-time code that we sent' }],
    ['value', { format: 'password' }],
  ])('suspects a request for a secret in %j with %j', (name, more) => {
    const read = readForm({ type: 'object', properties: { [name]: { type: 'string', ...more } } });
    expect(read).toMatchObject({ value: [{ soundsSecret: true }] });
  });

  it.each(['name', 'author', 'city', 'comment', 'keyboard', 'shipping'])(
    'does not suspect a request for a secret in %j',
    (name) => {
      const read = readForm({ type: 'object', properties: { [name]: { type: 'string' } } });
      expect(read).toMatchObject({ value: [{ soundsSecret: false }] });
    },
  );
});

describe('an answer to a form', () => {
  it.each([
    [{ type: 'string', format: 'email' }, 'me@example.com', 'me at example.com'],
    [{ type: 'string', format: 'uri' }, 'https://example.com/a?b', 'example.com'],
    [{ type: 'string', format: 'date' }, '2024-02-29', '2023-02-29'],
    [{ type: 'string', format: 'date-time' }, '2026-01-31T12:00:00Z', '2026-01-31 12:00'],
  ])('has the format that %j names', (raw, right, wrong) => {
    expect(problems(raw, right)).toEqual([]);
    expect(problems(raw, wrong)).toEqual([{ kind: 'wrong-format', format: raw.format }]);
  });

  it('is measured in characters, not in halves of them', () => {
    expect(problems({ type: 'string', maxLength: 2 }, '👍👍')).toEqual([]);
  });

  it('lacks nothing that is required, and has no unknown field', () => {
    const field = fieldOf({ type: 'string' }, ['it']);
    expect(checkAnswer([field], { other: 1 })).toEqual({
      ok: false,
      error: [
        { field: 'other', problem: { kind: 'unknown-field' } },
        { field: 'it', problem: { kind: 'missing' } },
      ],
    });
    // Not even inherited members.
    expect(checkAnswer([], JSON.parse('{"__proto__":1}') as Record<string, Json>).ok).toBe(false);
  });

  it('that passes always matches the schema, whatever was entered', () => {
    fc.assert(
      fc.property(schemas, fc.infiniteStream(answers), (schema, stream) => {
        const fields = readForm(schema);
        if (!fields.ok) throw new Error(fields.error);
        const names = fields.value.map(({ name }) => name);
        const given = Object.fromEntries(
          names.flatMap((name) => {
            const { value } = stream.next() as { value: Json | undefined };
            return value === undefined ? [] : [[name, value]];
          }),
        );
        const checked = checkAnswer(fields.value, given);
        const matches = new Ajv2020({ strict: false, formats }).compile(schema);
        // An answer passes if and only if the schema accepts it.
        if (checked.ok) expect(matches(checked.value)).toBe(true);
        else expect(matches(withDefaults(fields.value, given))).toBe(false);
      }),
      { numRuns: times(100, 500) },
    );
  });
});

function withDefaults(fields: readonly FormField[], given: Record<string, Json>): JsonObject {
  const defaults = fields.flatMap(({ name, default: value }) =>
    value === undefined ? [] : [[name, value] as const],
  );
  return { ...Object.fromEntries(defaults), ...given };
}

const formats = { date: /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])$/ };
const words = fc.constantFrom('a', 'b', 'c', 'dd', '👍', '');
const someWords = fc.uniqueArray(words, { minLength: 1, maxLength: 4 });

const texts = fc.record(
  {
    type: fc.constant('string'),
    minLength: fc.nat({ max: 1 }),
    maxLength: fc.integer({ min: 1, max: 3 }),
    default: fc.oneof(words, fc.integer()),
  },
  { requiredKeys: ['type'] },
);
const dates = fc.constant({ type: 'string', format: 'date' });
const numbers = fc.record(
  {
    type: fc.constantFrom('number', 'integer'),
    minimum: fc.integer({ min: -3, max: 0 }),
    maximum: fc.integer({ min: 0, max: 3 }),
    default: fc.oneof(fc.integer({ min: -5, max: 5 }), fc.double({ noNaN: true })),
  },
  { requiredKeys: ['type'] },
);
const booleans = fc.record(
  { type: fc.constant('boolean'), default: fc.boolean() },
  { requiredKeys: ['type'] },
);
const choices = fc.oneof(
  someWords.map((list) => ({ type: 'string', enum: list })),
  someWords.map((list) => ({
    type: 'string',
    oneOf: list.map((one) => ({ const: one, title: `the ${one}` })),
  })),
);
const lists = fc
  .record({ list: someWords, maxItems: fc.integer({ min: 1, max: 3 }) })
  .map(({ list, maxItems }) => ({
    type: 'array',
    uniqueItems: true,
    items: { type: 'string', enum: list },
    maxItems,
  }));

const schemas = fc
  .dictionary(
    fc.constantFrom('p', 'q', 'r', 's'),
    fc.oneof(texts, dates, numbers, booleans, choices, lists),
  )
  .chain((properties) =>
    fc.subarray(Object.keys(properties)).map((required) => ({
      type: 'object',
      properties,
      required,
      additionalProperties: false,
    })),
  );

const answers: fc.Arbitrary<Json | undefined> = fc.oneof(
  words,
  fc.integer({ min: -4, max: 4 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
  fc.array(words, { maxLength: 4 }),
  fc.constantFrom('2026-01-20', '2026-13-01', null, undefined),
);
