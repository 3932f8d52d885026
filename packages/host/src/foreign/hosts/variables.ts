// Translates the placeholders of another host in a text to ours: `${NAME}`, `${NAME:-default}` and
// `${secret:NAME}`. Plain text of the other host stays plain text here. A placeholder without a counterpart
// is kept as it is, so that using it fails with a message instead of sending it.

import type { Note } from './note.ts';

export type Meaning =
  | { readonly kind: 'variable'; readonly name: string; readonly fallback?: string }
  /** The host asks its user for the value. */
  | { readonly kind: 'asked-for'; readonly variable: string; readonly fallback?: string }
  | { readonly kind: 'secret'; readonly name: string }
  /** The current value, which may change later. */
  | { readonly kind: 'value'; readonly text: string }
  | { readonly kind: 'constant'; readonly text: string }
  | { readonly kind: 'plain-text' }
  | { readonly kind: 'unknown' };

/** The placeholders of one host. */
export interface Dialect {
  readonly pattern: RegExp;
  readonly meaning: (found: RegExpExecArray) => Meaning;
}

/** For hosts without placeholders. */
export const NO_VARIABLES: Dialect = { pattern: /(?!)/g, meaning: () => ({ kind: 'plain-text' }) };

export function isVariableName(value: unknown): value is string {
  return typeof value === 'string' && /^[A-Za-z_][A-Za-z0-9_]*$/.test(value);
}

/** A variable, if our placeholders can express its name and its default. */
export function variable(name: string, fallback?: string): Meaning {
  if (
    !isVariableName(name) ||
    fallback?.includes('}') === true ||
    fallback?.includes('${') === true
  ) {
    return { kind: 'unknown' };
  }
  return { kind: 'variable', name, ...(fallback === undefined ? {} : { fallback }) };
}

/** Converts any text to the name of a secret. */
export function secretName(text: string): string {
  const plain = text.replaceAll(/[^A-Za-z0-9_-]+/g, '-').replaceAll(/^-+|-+$/g, '');
  return plain === '' ? 'secret' : plain.slice(0, 64);
}

/** Converts any text to the name of a variable. */
export function variableName(text: string): string {
  const plain = text.replaceAll(/[^A-Za-z0-9_]+/g, '_').toUpperCase();
  return /^[A-Z_]/.test(plain) ? plain : `_${plain}`;
}

export interface TranslatedText {
  readonly text: string;
  readonly notes: readonly Note[];
}

export function translateText(text: string, field: string, dialect: Dialect): TranslatedText {
  const notes: Note[] = [];
  let written = '';
  let end = 0;
  const plain = (piece: string): void => {
    if (piece.includes('${')) notes.push({ kind: 'plain-text', field });
    written += piece.replaceAll('${', () => '$${');
  };
  for (const found of text.matchAll(dialect.pattern)) {
    const meaning = dialect.meaning(found);
    if (meaning.kind === 'plain-text') continue;
    plain(text.slice(end, found.index));
    end = found.index + found[0].length;
    const ours = placeholderOf(meaning);
    // After a "$", our placeholder would mean a literal "${".
    if (ours === undefined || (ours.startsWith('${') && written.endsWith('$'))) {
      notes.push({ kind: 'unknown-placeholder', field });
      written += found[0];
    } else {
      notes.push(...notesOn(meaning, field));
      written += ours;
    }
  }
  plain(text.slice(end));
  return { text: written, notes };
}

function placeholderOf(meaning: Exclude<Meaning, { kind: 'plain-text' }>): string | undefined {
  switch (meaning.kind) {
    case 'variable':
      return withFallback(meaning.name, meaning.fallback);
    case 'asked-for':
      return withFallback(meaning.variable, meaning.fallback);
    case 'secret':
      return `\${secret:${meaning.name}}`;
    case 'value':
    case 'constant':
      return meaning.text.replaceAll('${', () => '$${');
    case 'unknown':
      return undefined;
    default:
      return meaning satisfies never;
  }
}

function withFallback(name: string, fallback: string | undefined): string {
  return fallback === undefined ? `\${${name}}` : `\${${name}:-${fallback}}`;
}

function notesOn(meaning: Meaning, field: string): readonly Note[] {
  switch (meaning.kind) {
    case 'asked-for':
      return [{ kind: 'needs-variable', field, variable: meaning.variable }];
    case 'secret':
      return [{ kind: 'needs-secret', field, secret: meaning.name }];
    case 'value':
      return [{ kind: 'filled-in', field, value: meaning.text }];
    default:
      return [];
  }
}
