// Converts a tool's schema into one that a provider accepts. Arguments are still checked against the server's schema
// before a call, so the result may be wider, but never narrower. Pure.

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
  /** Converts arguments for this schema into arguments for the tool. */
  readonly restore: (given: JsonObject) => JsonObject;
}

export function schemaFor(provider: Provider, schema: JsonObject): ProviderSchema {
  const { schema: fit, restore } = fitFor(provider, schema);
  // It consists of JSON only.
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

/** OpenAI refuses these keywords at the top. */
function withoutTopWords(schema: Schema): Schema {
  const { enum: _, not: __, const: ___, ...rest } = schema;
  return rest;
}

/** OpenAI refuses arrays without `items`. */
function withItems(schema: Schema): Schema {
  const { type, items } = schema;
  const isList = type === 'array' || (Array.isArray(type) && type.includes('array'));
  const needsItems = isList && !isObject(items);
  return mapSubschemas(needsItems ? { ...schema, items: {} } : schema, withItems);
}
