// The secrets of an entry, `${secret:NAME}`. Until a connection needs its value, each secret is a mark in the
// text that cannot be sent by accident: neither a process nor an HTTP header accepts a NUL. Pure; the store
// of secrets is the caller's.

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
  /** The position of the field. */
  readonly at: Position;
}

/** Why a secret cannot be used. */
export type SecretProblem =
  | { readonly kind: 'missing' }
  /** Reported by the store; the message contains no secret. */
  | { readonly kind: 'unreadable'; readonly message: string }
  /** The field cannot contain the stored value. */
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

/** The text as written, which may be shown. */
export function withSecretsAsWritten(text: string): string {
  // Most texts have no mark, and the pattern is slower.
  if (!text.includes('\0')) return text;
  return text.replaceAll(MARK, (_, name: string) => `\${secret:${name}}`);
}

/** The distinct names of all secrets in an entry, in the order of its fields. */
export function secretsIn(entry: ServerEntry): readonly string[] {
  return [...new Set(marksIn(entry).map(({ name }) => name))];
}

/** Fills in the secrets of an entry, or returns the names of those without a value. */
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

/** Whether a text consists of exactly one secret. */
export function isBareMark(text: string): boolean {
  return startsWithMark(text) && withoutMarks(text) === '' && text.lastIndexOf('\0secret:') === 0;
}

/** All secrets of an entry, once for each field. */
export function neededSecrets(entry: ServerEntry, place: EntryPlace): readonly NeededSecret[] {
  return marksIn(entry).map(({ name, path }) => ({
    name,
    server: place.server,
    field: fieldName(path),
    at: place.valueAt(path),
  }));
}

export function secretDiagnostic(secret: NeededSecret, problem: SecretProblem): Diagnostic {
  const { name, server, field, at } = secret;
  const diagnostic = { severity: 'error', ...at, server } as const;
  const needs = `"${server}" needs the secret ${name} (in "${field}")`;
  const command = `plugboard secret set ${name}`;
  switch (problem.kind) {
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
        message: `${needs}, which could not be read: ${problem.message}.`,
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
      return problem satisfies never;
  }
}

/** The secrets whose values the fields of this entry cannot contain. */
export function unfitSecrets(
  entry: ServerEntry,
  values: ReadonlyMap<string, string>,
): readonly string[] {
  const { refused } = transportOf(entry.kind);
  const filled = fillSecrets(entry, values);
  const badUrl = 'url' in entry && filled.ok && !hasFitUrl(filled.value) ? entry.url : '';
  // A private key has line breaks, and is not part of a header.
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

/** The pattern of names of secrets. The store of secrets has the same rule. */
export const SECRET_NAME = '[A-Za-z0-9_.-]{1,128}';
const MARK = new RegExp(`\0secret:(${SECRET_NAME})\0`, 'g');

function marksIn(
  entry: ServerEntry,
): readonly { readonly name: string; readonly path: FieldPath }[] {
  return entryTexts(entry).flatMap(([path, text]) =>
    [...text.matchAll(MARK)].map(([, name = '']) => ({ name, path })),
  );
}
