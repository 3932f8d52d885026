// What a definition is pinned by: a hash of all that a model reads of it or a decision depends on,
// independent of order. Other parts (`_meta`, icons) may change without the user being asked.

import { hash } from 'node:crypto';
import { canonicalJson } from '@plugboard/base';

/** A tool or a prompt as its server describes it. */
export interface PinnedDefinition {
  readonly name: string;
  readonly description?: string | undefined;
}

/** The name is not one of them: it is what the hash is kept under, and a tool that got another is found by it. */
const PARTS = [
  'annotations',
  'arguments',
  'description',
  'inputSchema',
  'outputSchema',
  'title',
] as const;

const hashes = new WeakMap<PinnedDefinition, string>();

export function definitionHash(definition: PinnedDefinition): string {
  const known = hashes.get(definition);
  if (known !== undefined) return known;
  const given = definition as unknown as Readonly<Record<string, unknown>>;
  let text = '';
  for (const part of PARTS) {
    // On its own line: no JSON holds the end of one.
    if (given[part] !== undefined) text += `${part} ${canonicalJson(given[part])}\n`;
  }
  const made = textHash(text);
  hashes.set(definition, made);
  return made;
}

export function textHash(text: string): string {
  return hash('sha256', text, 'hex');
}

/** Those that count, in the order of their names. */
export function definitionParts(definition: PinnedDefinition): Readonly<Record<string, unknown>> {
  const given: Readonly<Record<string, unknown>> = { ...definition };
  return Object.fromEntries(PARTS.flatMap((part) => (part in given ? [[part, given[part]]] : [])));
}
