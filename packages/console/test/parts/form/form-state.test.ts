import { describe, expect, it } from 'vitest';
import type { Json } from '@plugboard/base';
import { type Field, problemsOf } from '../../../src/parts/form/field.ts';
import {
  editForm,
  fieldAt,
  fieldsOf,
  type FormEdit,
  type FormState,
  jsonTextOf,
  openForm,
} from '../../../src/parts/form/form-state.ts';
import type { Path } from '../../../src/parts/form/path.ts';

function at(state: FormState, ...path: Path): Field {
  const field = fieldAt(fieldsOf(state), path);
  if (field === undefined) throw new Error(`no field at ${path.join('/')}`);
  return field;
}

function type(state: FormState, path: Path, text: string): FormState {
  return editForm(state, { kind: 'type', field: at(state, ...path), text });
}

function edited(schema: Json, ...edits: readonly FormEdit[]): FormState {
  return edits.reduce(editForm, openForm(schema));
}

function problems(state: FormState): readonly (readonly [string, string | undefined])[] {
  return problemsOf(fieldsOf(state)).map(({ id, problem }) => [id, problem]);
}

describe('a form', () => {
  it('starts with defaults, constants and required objects, and leaves the rest to the user', () => {
    const schema = {
      type: 'object',
      required: ['name', 'kind', 'where', 'loud'],
      properties: {
        name: { type: 'string' },
        kind: { const: 'x' },
        where: { type: 'object', required: ['zone'], properties: { zone: { default: 'eu' } } },
        loud: { type: 'boolean' },
        limit: { type: 'integer', default: 10 },
        note: { type: 'string' },
        more: { type: 'object', properties: { a: { default: 1 } } },
      },
    };
    expect(openForm(schema).value).toEqual({
      kind: 'x',
      where: { zone: 'eu' },
      loud: false,
      limit: 10,
    });
  });

  it('describes the problem of each field', () => {
    const schema = {
      type: 'object',
      required: ['a', 'b'],
      properties: {
        a: { type: 'string' },
        b: { type: 'integer', minimum: 3 },
        c: { type: 'string', format: 'email' },
        d: { type: 'array', items: { type: 'number', multipleOf: 0.1 }, maxItems: 2 },
        e: { enum: ['x', 'y'] },
        f: { type: 'string', minLength: 3 },
      },
    };
    const state = openForm(schema, { b: 2.5, c: 'me', d: [0.3, 0.25, 1], e: 'z', f: 'ab' });
    expect(problems(state)).toEqual([
      ['/a', 'Is required.'],
      ['/b', 'Must be a whole number.'],
      ['/c', 'Must be an e-mail address.'],
      ['/d', 'Must have at most 2.'],
      ['/d/1', 'Must be a multiple of 0.1.'],
      ['/e', 'Must be one of the values that are allowed.'],
      ['/f', 'Must be at least 3 characters.'],
    ]);
  });

  it('never runs the pattern of a server', () => {
    const schema = { properties: { a: { type: 'string', pattern: '^(a+)+$' } } };
    const state = openForm(schema, { a: `${'a'.repeat(50)}!` });
    expect(problems(state)).toEqual([]);
    expect(at(state, 'a').hint).toBe('matches ^(a+)+$');
  });

  it('keeps a number as it is typed, and its value in sync', () => {
    const schema = { properties: { n: { type: 'number' } } };
    let state = type(openForm(schema), ['n'], '1.50');
    expect(state.value).toEqual({ n: 1.5 });
    expect(at(state, 'n')).toMatchObject({ text: '1.50', problem: undefined });
    state = type(state, ['n'], '1.5x');
    expect(state.value).toEqual({ n: 1.5 });
    expect(at(state, 'n')).toMatchObject({ text: '1.5x', problem: 'Must be a number.' });
    state = type(state, ['n'], '');
    expect(state.value).toEqual({});
  });

  it('leaves out an empty optional text, and sends an empty required one', () => {
    const schema = {
      required: ['a'],
      properties: { a: { type: 'string' }, b: { type: 'string' } },
    };
    let state = openForm(schema, { a: 'x', b: 'y' });
    state = type(type(state, ['a'], ''), ['b'], '');
    expect(state.value).toEqual({ a: '' });
  });

  it('adds, moves and removes the items of a list', () => {
    const schema = {
      properties: {
        list: { type: 'array', items: { type: 'object', properties: { n: { default: 1 } } } },
      },
    };
    const state = edited(
      schema,
      { kind: 'add-item', path: ['list'] },
      { kind: 'add-item', path: ['list'] },
      { kind: 'set', path: ['list', 1, 'n'], value: 2 },
      { kind: 'move', path: ['list', 1], to: 0 },
      { kind: 'move', path: ['list', 0], to: 5 },
    );
    expect(state.value).toEqual({ list: [{ n: 2 }, { n: 1 }] });
    expect(editForm(state, { kind: 'clear', path: ['list', 0] }).value).toEqual({
      list: [{ n: 1 }],
    });
  });

  it('does not add an item that the schema does not allow', () => {
    const schema = { type: 'array', prefixItems: [{ type: 'string' }], items: false };
    expect(at(openForm(schema, []))).toMatchObject({ kind: 'list', canAdd: true });
    expect(at(openForm(schema, ['a']))).toMatchObject({ kind: 'list', canAdd: false });
  });

  it('offers a list of distinct values out of a few as checkboxes', () => {
    const schema = { type: 'array', uniqueItems: true, items: { enum: ['a', 'b', 'c'] } };
    expect(at(openForm(schema, ['c', 'a']))).toMatchObject({ kind: 'choices', chosen: [2, 0] });
    expect(at(openForm(schema, ['d']))).toMatchObject({ kind: 'list' });
  });

  it('offers oneOf of constants as a choice with their titles', () => {
    const schema = {
      properties: {
        size: {
          oneOf: [
            { const: 1, title: 'Small' },
            { const: 9, title: 'Large' },
          ],
        },
      },
    };
    expect(at(openForm(schema, { size: 9 }), 'size')).toMatchObject({
      kind: 'choice',
      chosen: 1,
      options: [
        { label: 'Small', value: 1 },
        { label: 'Large', value: 9 },
      ],
    });
  });

  it('recognises the variant of a value, and keeps common properties when the variant changes', () => {
    const schema = {
      oneOf: [
        {
          type: 'object',
          required: ['kind', 'radius'],
          properties: {
            kind: { const: 'circle' },
            radius: { type: 'number' },
            label: { type: 'string' },
          },
        },
        {
          type: 'object',
          required: ['kind'],
          properties: {
            kind: { const: 'square' },
            side: { default: 4 },
            label: { type: 'string' },
          },
        },
      ],
    };
    const state = openForm(schema, { kind: 'circle', radius: 2, label: 'L' });
    const field = at(state);
    expect(field).toMatchObject({
      kind: 'variant',
      chosen: 0,
      variants: ['kind: circle', 'kind: square'],
    });
    const next = editForm(state, { kind: 'choose', field, variant: 1 });
    expect(next.value).toEqual({ kind: 'square', side: 4, label: 'L' });
    expect(at(next)).toMatchObject({ kind: 'variant', chosen: 1 });
  });

  it('shows a value of another type as JSON, with the problem', () => {
    const state = openForm({ properties: { a: { type: 'string' } } }, { a: { b: 1 } });
    expect(at(state, 'a')).toMatchObject({ kind: 'json', problem: 'Must be a text.' });
  });

  it('adds and renames properties that the schema does not name, including __proto__', () => {
    const schema = { type: 'object', additionalProperties: { type: 'number' } };
    let state = edited(schema, { kind: 'add-property', path: [], name: '__proto__' });
    expect(JSON.stringify(state.value)).toBe('{"__proto__":0}');
    expect(Object.getPrototypeOf(state.value)).toBe(Object.prototype);
    expect(at(state, '__proto__')).toMatchObject({ kind: 'number', isExtra: true });
    state = editForm(state, { kind: 'rename', path: ['__proto__'], name: 'plain' });
    expect(state.value).toEqual({ plain: 0 });
  });

  it('leaves optional objects of a recursive schema to be added', () => {
    const schema = {
      $ref: '#/$defs/node',
      $defs: { node: { type: 'object', properties: { next: { $ref: '#/$defs/node' } } } },
    };
    let state = openForm(schema);
    expect(state.value).toEqual({});
    state = editForm(state, { kind: 'start', field: at(state, 'next') });
    state = editForm(state, { kind: 'start', field: at(state, 'next', 'next') });
    expect(state.value).toEqual({ next: { next: {} } });
  });

  it('ends for a schema that requires itself', () => {
    const schema = { type: 'object', required: ['next'], properties: { next: { $ref: '#' } } };
    expect(JSON.stringify(openForm(schema).value).length).toBeLessThan(200);
  });

  it('shows the first of many properties and offers the others by name', () => {
    const names = Array.from({ length: 5000 }, (_, index) => `p${index}`);
    const schema = {
      type: 'object',
      required: ['p4999'],
      properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
    };
    const field = at(openForm(schema));
    expect(field.kind === 'object' && field.fields.length).toBe(61);
    expect(field.kind === 'object' && field.offered.length).toBe(1000);
  });

  it('accepts any JSON without a schema', () => {
    const state = type(openForm(undefined), [], '{"a": [1, 2]}');
    expect(state.value).toEqual({ a: [1, 2] });
  });
});

describe('the JSON view of a form', () => {
  const schema = { type: 'object', properties: { a: { type: 'number' } } };

  it('follows the fields, and the fields follow it', () => {
    let state = type(openForm(schema), ['a'], '3');
    expect(jsonTextOf(state)).toBe('{\n  "a": 3\n}');
    state = editForm(state, { kind: 'text', text: '{"a":   4}' });
    expect(at(state, 'a')).toMatchObject({ text: '4' });
    expect(jsonTextOf(state)).toBe('{"a":   4}');
  });

  it('keeps text that is not JSON, reports the place of the error, and leaves the fields unchanged', () => {
    const state = editForm(openForm(schema, { a: 1 }), { kind: 'text', text: '{\n  "a": 2,\n}' });
    expect(state.textProblem).toEqual({
      kind: 'invalid',
      message: 'A name in double quotes is expected here.',
      at: { line: 3, column: 1 },
    });
    expect(state.value).toEqual({ a: 1 });
    expect(editForm(state, { kind: 'set', path: ['a'], value: 9 })).toBe(state);
    expect(jsonTextOf(editForm(state, { kind: 'discard-text' }))).toBe('{\n  "a": 1\n}');
  });
});
