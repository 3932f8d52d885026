import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '@plugboard/base';
import { childrenOf, type Field } from '../../../src/parts/form/field.ts';
import {
  editForm,
  fieldsOf,
  type FormState,
  jsonTextOf,
  openForm,
} from '../../../src/parts/form/form-state.ts';
import { readText } from '../../../src/parts/form/json-place.ts';
import { valueAt, withoutValue, withValue } from '../../../src/parts/form/path.ts';

const names = fc.constantFrom('a', 'b', 'c', '__proto__', 'constructor', 'toString');
const json = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json>;

/** Valid and invalid schemas: any keyword may be any JSON. */
const schemas = fc.letrec<{ schema: Json }>((tie) => ({
  schema: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom<Json>(true, false, {}, { type: 'string' }, { type: 'number' }, { $ref: '#' }),
    json,
    fc.record(
      {
        type: fc.constantFrom(
          'object',
          'array',
          'string',
          'integer',
          'boolean',
          ['string', 'null'],
          ['number', 'object'],
        ),
        properties: fc.dictionary(names, tie('schema'), { maxKeys: 4 }),
        required: fc.array(names, { maxLength: 3 }),
        additionalProperties: tie('schema'),
        items: tie('schema'),
        prefixItems: fc.array(tie('schema'), { maxLength: 2 }),
        oneOf: fc.array(tie('schema'), { maxLength: 3 }),
        anyOf: fc.array(tie('schema'), { maxLength: 3 }),
        allOf: fc.array(tie('schema'), { maxLength: 3 }),
        $ref: fc.constantFrom('#', '#/properties/a', '#/items', '#/oneOf/0'),
        enum: fc.array(json, { maxLength: 3 }),
        default: json,
        minItems: fc.nat(3),
        uniqueItems: fc.boolean(),
        minLength: fc.nat(3),
        maximum: fc.nat(3),
        format: fc.constantFrom('date', 'email', 'uri', 'date-time', 'other'),
      },
      { requiredKeys: [] },
    ) as fc.Arbitrary<Json>,
  ),
})).schema;

/** One of the edits that a form offers for a field. */
const steps = fc.array(
  fc.record({
    field: fc.nat(),
    action: fc.nat(),
    text: fc.oneof(fc.string(), fc.constantFrom('1', '{}', '[', '-1.50', '')),
    value: json,
    name: names,
  }),
  { maxLength: 12 },
);

type Step = typeof steps extends fc.Arbitrary<(infer One)[]> ? One : never;

function apply(state: FormState, { field: which, action, text, value, name }: Step): FormState {
  const fields = flat(fieldsOf(state));
  const field = fields.at(which % fields.length);
  if (field === undefined) throw new Error('a form has at least one field');
  const { path } = field;
  const edits = [
    { kind: 'type', field, text },
    { kind: 'set', path, value },
    { kind: 'clear', path },
    { kind: 'start', field },
    { kind: 'add-item', path },
    { kind: 'move', path, to: which % 4 },
    { kind: 'add-property', path, name },
    { kind: 'rename', path, name },
    { kind: 'choose', field, variant: which % 3 },
    { kind: 'text', text },
    { kind: 'discard-text' },
  ] as const;
  const edit = edits.at(action % edits.length);
  return edit === undefined ? state : editForm(state, edit);
}

function flat(field: Field): readonly Field[] {
  return [field, ...childrenOf(field).flatMap(flat)];
}

describe('any form', () => {
  it('keeps its fields and its JSON in sync through all edits, whatever the schema', () => {
    fc.assert(
      fc.property(schemas, steps, (schema, all) => {
        let state = openForm(schema);
        for (const step of all) {
          state = apply(state, step);
          const fields = flat(fieldsOf(state));
          expect(new Set(fields.map(({ id, kind }) => `${kind} ${id}`)).size).toBe(fields.length);
          for (const { path, isPresent } of fields) {
            expect(valueAt(state.value, path) !== undefined).toBe(isPresent);
          }
          const read = readText(jsonTextOf(state));
          if (state.textProblem !== undefined) expect(read.kind).toBe('invalid');
          else if (state.value === undefined) expect(read.kind).toBe('empty');
          else
            expect(read).toEqual({ kind: 'value', value: JSON.parse(JSON.stringify(state.value)) });
        }
        expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
      }),
      { numRuns: 300 },
    );
  });

  it('keeps every value unchanged without a schema', () => {
    fc.assert(
      fc.property(json, (value) => {
        const state = openForm(undefined, value);
        expect(JSON.parse(jsonTextOf(state))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });
});

describe('a path', () => {
  const paths = fc.array(fc.oneof(names, fc.nat(2)), { maxLength: 4 });

  it('leads to the value that was set, and to nothing after its removal', () => {
    fc.assert(
      fc.property(json, paths, json, (before, path, value) => {
        const copy = structuredClone(before);
        const after = withValue(before, path, value);
        expect(before).toEqual(copy);
        // An index beyond the end of a list means its end.
        fc.pre(
          path.every(
            (part, index) =>
              typeof part === 'string' || valueAt(after, path.slice(0, index + 1)) !== undefined,
          ),
        );
        expect(valueAt(after, path)).toEqual(value);
        const gone = withoutValue(after, path);
        const last = path.at(-1);
        if (typeof last === 'string') expect(valueAt(gone, path)).toBeUndefined();
      }),
    );
  });
});

describe('text that should be JSON', () => {
  it('is invalid exactly if JSON.parse rejects it', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json(),
          fc
            .tuple(fc.json(), fc.nat(), fc.constantFrom(',', ']', '}', '"', '\\', ':', 'x', '\n'))
            .map(([text, index, extra]) => {
              const place = index % (text.length + 1);
              return text.slice(0, place) + extra + text.slice(place);
            }),
        ),
        (text) => {
          let isJson = true;
          try {
            JSON.parse(text);
          } catch {
            isJson = false;
          }
          const read = readText(text);
          if (text.trim() === '') expect(read.kind).toBe('empty');
          else if (isJson) expect(read.kind).toBe('value');
          else expect(read).toMatchObject({ kind: 'invalid', at: { line: expect.any(Number) } });
        },
      ),
      { numRuns: 500 },
    );
  });

  it.each([
    ['{"a": 1,}', 1, 9, 'A name in double quotes is expected here.'],
    ['{"a" 1}', 1, 6, 'A colon is expected here.'],
    ['[1 2]', 1, 4, 'A comma is missing here, or what was opened is not closed.'],
    [
      '[1,\n 2',
      2,
      3,
      'The text ends too early. A comma is missing here, or what was opened is not closed.',
    ],
    ["{'a': 1}", 1, 2, 'A name in double quotes or } is expected here.'],
    ['"a\nb"', 1, 3, 'A string cannot continue on the next line: write \\n.'],
    ['"a\\x"', 1, 3, 'JSON has no such escape.'],
    ['01', 1, 1, 'A value is expected here.'],
    ['{} x', 1, 4, 'There is text after the value.'],
  ])('says for %j where it is wrong', (text, line, column, message) => {
    expect(readText(text)).toEqual({ kind: 'invalid', message, at: { line, column } });
  });
});
