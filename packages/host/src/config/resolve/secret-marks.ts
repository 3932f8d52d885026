// Secrets that an entry names, `${secret:NAME}`, from where it was read until a connection needs them. Until
// then each is a mark in the text that cannot be sent by accident: neither a process nor an HTTP header
// accepts a NUL. Pure; where secrets are kept is not known here.

import { err, ok, type Result } from '@plugboard/base';
import { checkUrl, type ServerEntry, transportOf } from '../fields/index.ts';
import {
  type Diagnostic,
  type EntryPlace,
  fieldName,
  type FieldPath,
  type Position,
} from '../text/index.ts';
import { entryTexts, withTexts } from './entry-texts.ts';

/** One secret in one field of an entry. */
export interface NeededSecret {
  readonly name: string;
  readonly server: string;
  readonly field: string;
  /** Where the field is written. */
  readonly at: Position;
}

/** Why a secret cannot be used. */
export type SecretTrouble =
  | { readonly kind: 'missing' }
  /** The store said so; its message holds no secret. */
  | { readonly kind: 'unreadable'; readonly message: string }
  /** It is there, and cannot stand where it is wanted. */
  | { readonly kind: 'unfit' };

export function markOf(name: string): string {
  return `\0secret:${name}\0`;
}

export function withoutMarks(text: string): string {
  return text.replaceAll(MARK, '');
}

export function startsWithMark(text: string): boolean {
  return text.search(MARK) === 0;
}

/** The text as it was written: fit to be shown. */
export function withSecretsAsWritten(text: string): string {
  // Most texts hold none, and looking for one by its pattern takes longer.
  if (!text.includes('\0')) return text;
  return text.replaceAll(MARK, (_, name: string) => `\${secret:${name}}`);
}

/** The names of all secrets in an entry, each once, in the order of its fields. */
export function secretsIn(entry: ServerEntry): readonly string[] {
  return [...new Set(marksIn(entry).map(({ name }) => name))];
}

/** The entry with its secrets filled in, or the names of those that are not among the values. */
export function fillSecrets(
  entry: ServerEntry,
  values: ReadonlyMap<string, string>,
): Result<ServerEntry, readonly string[]> {
  const missing = secretsIn(entry).filter((name) => !values.has(name));
  if (missing.length > 0) return err(missing);
  const fill = (text: string): string =>
    text.replaceAll(MARK, (_, name: string) => values.get(name) ?? '');
  return ok(withTexts(entry, (text) => text.includes('\0'), fill));
}

/** Whether a text is one secret and nothing else. */
export function isBareMark(text: string): boolean {
  return startsWithMark(text) && withoutMarks(text) === '' && text.lastIndexOf('\0secret:') === 0;
}

/** Every secret in every field of an entry. */
export function neededSecrets(entry: ServerEntry, place: EntryPlace): readonly NeededSecret[] {
  return marksIn(entry).map(({ name, path }) => ({
    name,
    server: place.server,
    field: fieldName(path),
    at: place.valueAt(path),
  }));
}

export function secretDiagnostic(secret: NeededSecret, trouble: SecretTrouble): Diagnostic {
  const { name, server, field, at } = secret;
  const diagnostic = { severity: 'error', ...at, server } as const;
  const needs = `"${server}" needs the secret ${name} (in "${field}")`;
  const command = `plugboard secret set ${name}`;
  switch (trouble.kind) {
    case 'missing':
      return {
        ...diagnostic,
        code: 'missing-secret',
        message: `${needs}, which is not stored.`,
        suggestion: `Store it: ${command}.`,
      };
    case 'unreadable':
      return {
        ...diagnostic,
        code: 'unreadable-secret',
        message: `${needs}, which could not be read: ${trouble.message}.`,
        suggestion: `Mend that, or store it again: ${command}.`,
      };
    case 'unfit':
      return {
        ...diagnostic,
        code: 'bad-value',
        message: `${needs}, and what is stored cannot stand there.`,
        suggestion: `Store it again, without line breaks: ${command}.`,
      };
    default:
      return trouble satisfies never;
  }
}

/** The secrets whose values cannot stand where this entry wants them. */
export function unfitSecrets(
  entry: ServerEntry,
  values: ReadonlyMap<string, string>,
): readonly string[] {
  const { refused } = transportOf(entry.kind);
  const filled = fillSecrets(entry, values);
  const badUrl = 'url' in entry && filled.ok && !hasFitUrl(filled.value) ? entry.url : '';
  // A key has lines, and is no part of a header.
  const bare = 'oauth' in entry ? { ...entry, oauth: {} } : entry;
  const sent = new Set(secretsIn(bare));
  return secretsIn(entry).filter(
    (name) =>
      (sent.has(name) && refused.some((character) => values.get(name)?.includes(character))) ||
      badUrl.includes(markOf(name)),
  );
}

function hasFitUrl(entry: ServerEntry): boolean {
  return !('url' in entry) || checkUrl(entry.url, entry.kind) === undefined;
}

/** What a secret may be called. The store of secrets has the same rule. */
export const SECRET_NAME = '[A-Za-z0-9_.-]{1,128}';
const MARK = new RegExp(`\0secret:(${SECRET_NAME})\0`, 'g');

function marksIn(
  entry: ServerEntry,
): readonly { readonly name: string; readonly path: FieldPath }[] {
  return entryTexts(entry).flatMap(([path, text]) =>
    [...text.matchAll(MARK)].map(([, name = '']) => ({ name, path })),
  );
}
