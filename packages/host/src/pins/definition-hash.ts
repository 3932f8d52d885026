// The hash that pins a definition: it covers everything that a model reads or a decision depends on,
// independent of key order. Other parts (`_meta`, icons) may change without the user's acceptance.

import { hash } from 'node:crypto';
import { canonicalJson } from '@plugboard/base';

/** A tool as its server describes it, or the instructions of a server. */
export interface PinnedDefinition {
  readonly name: string;
  readonly description?: string | undefined;
}

/** Without the name: hashes are stored under names, and a renamed tool is recognised by its hash. */
const PARTS = ['annotations', 'description', 'inputSchema', 'outputSchema', 'title'] as const;

const hashes = new WeakMap<PinnedDefinition, string>();

export function definitionHash(definition: PinnedDefinition): string {
  const known = hashes.get(definition);
  if (known !== undefined) return known;
  const given = definition as unknown as Readonly<Record<string, unknown>>;
  let text = '';
  for (const part of PARTS) {
    // Each part on its own line: JSON on one line contains no line break.
    if (given[part] !== undefined) text += `${part} ${canonicalJson(given[part])}\n`;
  }
  const made = textHash(text);
  hashes.set(definition, made);
  return made;
}

export function textHash(text: string): string {
  return hash('sha256', text, 'hex');
}

/** The parts that count, in the order of their names. */
export function definitionParts(definition: PinnedDefinition): Readonly<Record<string, unknown>> {
  const given: Readonly<Record<string, unknown>> = { ...definition };
  return Object.fromEntries(PARTS.flatMap((part) => (part in given ? [[part, given[part]]] : [])));
}
