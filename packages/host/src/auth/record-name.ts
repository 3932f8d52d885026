// The name of a record in a store: a hash of its key, so that it is short, a valid file name, and reveals nothing.
// Pure.

import { hash } from 'node:crypto';
import type { CredentialKey, Registration, ServerKey } from './credential.ts';
import type { RemoteServer } from '../protocol/index.ts';
import type { RefusalKey } from './refusal-memory.ts';

export const CREDENTIAL_FIELDS = [
  'issuer',
  'client',
  'account',
  'resource',
] as const satisfies readonly (keyof CredentialKey)[];
export const REGISTRATION_FIELDS = ['issuer'] as const satisfies readonly (keyof Registration)[];
export const SERVER_FIELDS = [
  'url',
  'account',
  'client',
] as const satisfies readonly (keyof ServerKey)[];
export const REFUSAL_FIELDS = [
  ...SERVER_FIELDS,
  'entry',
] as const satisfies readonly (keyof RefusalKey)[];

/** A hash of an entry without its name. It is stored, and reveals nothing of the entry. */
export function entryHash({ url, oauth, headers }: RemoteServer): string {
  return hashOf(JSON.stringify([url, oauth ?? {}, headers]));
}

export function recordName<Key extends object>(
  key: Key,
  fields: readonly (keyof Key & string)[],
): string {
  const parts = fields.map((field) => [field, key[field]]);
  return hashOf(JSON.stringify(parts));
}

function hashOf(text: string): string {
  return hash('sha256', text, 'hex').slice(0, 40);
}
