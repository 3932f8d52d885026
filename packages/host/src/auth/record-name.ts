// The name of a record in a store: a hash of its key, so that it is short, fit to be the name of a file,
// and says nothing. Pure.

import { createHash } from 'node:crypto';
import type { CredentialKey, Registration, ServerKey } from './credential.ts';

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

export function recordName<Key extends object>(
  key: Key,
  fields: readonly (keyof Key & string)[],
): string {
  const parts = fields.map((field) => [field, key[field]]);
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 40);
}
