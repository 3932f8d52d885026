// What a schema says in keywords that a provider does not know, said in its description instead: the
// model reads that. Pure.

import type { Schema } from './subschemas.ts';

export function withWords(schema: Schema, words: readonly string[]): Schema {
  const said = words.filter((word) => word !== '');
  if (said.length === 0) return schema;
  const { description } = schema;
  const before = typeof description === 'string' && description !== '' ? [description] : [];
  return { ...schema, description: [...before, ...said].join(' ') };
}

/** One keyword with its value, short enough for a description. */
export function inWords(key: string, value: unknown): string {
  const text = JSON.stringify(value) ?? '';
  return text.length > MAX_LENGTH ? '' : `(${key}: ${typeof value === 'string' ? value : text})`;
}

const MAX_LENGTH = 300;
