// Converts a shape to JSON Schema, draft 7: the newest draft that editors support in full. Editors and our
// reader agree about every value, with one exception: for an unknown key the reader only warns, but JSON
// Schema has no warnings, so there it is an error.

import { isObject, type JsonObject } from '@plugboard/base';
import type { AnyShape, Form, NameRule } from './shape.ts';

export interface Derivation {
  /** Shapes that are written once, under `definitions`, with the names by which others refer to them. */
  readonly named?: ReadonlyMap<AnyShape, string>;
  /** Examples of fields whose descriptions alone do not show how to write them. */
  readonly examples?: ReadonlyMap<AnyShape, JsonObject>;
}

/** The general form of `WordsOf`: a sentence for each field, and the words for its own fields, if any. */
export interface WordTree {
  readonly [field: string]: string | { readonly about: string; readonly fields: WordTree };
}

export function jsonSchemaOf(
  shape: AnyShape,
  words: WordTree,
  derivation: Derivation = {},
): JsonObject {
  const { form } = shape;
  const inside = (item: AnyShape): JsonObject => {
    const name = derivation.named?.get(item);
    return name === undefined ? jsonSchemaOf(item, words, derivation) : referenceTo(name);
  };
  switch (form.kind) {
    case 'text':
      return {
        type: 'string',
        ...(form.pattern === undefined ? {} : { pattern: form.pattern.source }),
      };
    case 'flag':
      return { type: 'boolean' };
    case 'whole-number':
      return { type: 'integer', minimum: form.min, maximum: form.max };
    case 'number':
      return { type: 'number' };
    case 'any':
      return {};
    case 'text-or':
      return { anyOf: [inside(form.text), inside(form.item)] };
    case 'flag-or':
      return { anyOf: [{ type: 'boolean' }, inside(form.item)] };
    case 'one-of':
      return { type: 'string', enum: form.words };
    case 'list':
      return {
        type: 'array',
        items: inside(form.item),
        ...(form.least === 0 ? {} : { minItems: form.least }),
      };
    case 'map':
      return {
        type: 'object',
        propertyNames: nameSchema(form.names),
        additionalProperties: inside(form.item),
      };
    case 'fields':
    case 'one-field':
      return {
        type: 'object',
        properties: propertiesOf(shape, form, { words, derivation }),
        additionalProperties: false,
        ...boundsOf(form),
      };
    default:
      return form satisfies never;
  }
}

function boundsOf(form: Extract<Form, { readonly kind: 'fields' | 'one-field' }>): JsonObject {
  if (form.kind === 'one-field') return { minProperties: 1, maxProperties: 1 };
  const { required = [], least = 0 } = form;
  return {
    ...(required.length === 0 ? {} : { required }),
    ...(least === 0 ? {} : { minProperties: least }),
  };
}

export function referenceTo(name: string): JsonObject {
  return { $ref: `#/definitions/${name}` };
}

export function nameSchema({ pattern, reserved = [] }: NameRule): JsonObject {
  return {
    pattern: pattern.source,
    ...(reserved.length === 0 ? {} : { not: { enum: reserved } }),
  };
}

function propertiesOf(
  shape: AnyShape,
  { shapes }: Extract<Form, { readonly kind: 'fields' | 'one-field' }>,
  { words, derivation }: { readonly words: WordTree; readonly derivation: Derivation },
): JsonObject {
  const examples = derivation.examples?.get(shape) ?? {};
  return Object.fromEntries(
    Object.entries(shapes).map(([key, field]) => {
      const said = words[key] ?? '';
      const { about, fields } = isObject(said) ? said : { about: said, fields: {} };
      const example = examples[key];
      const schema = jsonSchemaOf(field, fields, derivation);
      return [
        key,
        {
          description: about,
          ...schema,
          ...(example === undefined ? {} : { examples: [example] }),
        },
      ];
    }),
  );
}
