// A tool's schema as a provider takes it. The schema of the server stays what counts: arguments are
// checked against it before a call, so a schema may become wider here, and never narrower. Pure.

import { isObject, type JsonObject } from '@plugboard/base';
import { forGemini } from './gemini.ts';
import { asObject } from './object-root.ts';
import { type RenamedSchema, withFitNames } from './property-names.ts';
import { inlined, withoutDeadReferences, withResolvedTop } from './references.ts';
import { mapSubschemas, type Schema } from './subschemas.ts';
import { normalizeSchema } from './normalize-schema.ts';

export type Provider = 'anthropic' | 'openai' | 'gemini';

export interface ProviderSchema {
  readonly schema: JsonObject;
  /** What a model gave under this schema, as the tool takes it. */
  readonly restore: (given: JsonObject) => JsonObject;
}

export function schemaFor(provider: Provider, schema: JsonObject): ProviderSchema {
  const { schema: fit, restore } = fitFor(provider, schema);
  // Made of JSON and nothing else.
  return { schema: fit as JsonObject, restore };
}

function fitFor(provider: Provider, schema: JsonObject): RenamedSchema {
  const clean = withoutDeadReferences(withResolvedTop(normalizeSchema(schema)));
  const object = asObject(clean);
  switch (provider) {
    case 'anthropic':
      return withFitNames(object);
    case 'openai':
      return withFitNames(withItems(withoutTopWords(object)));
    case 'gemini':
      return withFitNames(forGemini(inlined(object)));
    default:
      return provider satisfies never;
  }
}

/** It refuses a tool that says more of its object than what is in it. */
function withoutTopWords(schema: Schema): Schema {
  const { enum: _, not: __, const: ___, ...rest } = schema;
  return rest;
}

/** It refuses lists that do not say of what. */
function withItems(schema: Schema): Schema {
  const { type, items } = schema;
  const isList = type === 'array' || (Array.isArray(type) && type.includes('array'));
  const needsItems = isList && !isObject(items);
  return mapSubschemas(needsItems ? { ...schema, items: {} } : schema, withItems);
}
