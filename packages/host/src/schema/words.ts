// Puts keywords that a provider does not support into the description, where the model reads them. Pure.

import type { Schema } from './subschemas.ts';

export function withWords(schema: Schema, words: readonly string[]): Schema {
  const notes = words.filter((word) => word !== '');
  if (notes.length === 0) return schema;
  const { description } = schema;
  const before = typeof description === 'string' && description !== '' ? [description] : [];
  return { ...schema, description: [...before, ...notes].join(' ') };
}

/** One keyword with its value, short enough for a description. */
export function inWords(key: string, value: unknown): string {
  const text = JSON.stringify(value) ?? '';
  return text.length > MAX_LENGTH ? '' : `(${key}: ${typeof value === 'string' ? value : text})`;
}

const MAX_LENGTH = 300;
