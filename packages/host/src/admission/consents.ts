// The user's approvals and their format on disk. A file with any error counts as empty, since its origin is unknown.
// standing.ts derives the standing of a server from them.

import { type Instant, isObject, parseJson } from '@plugboard/base';

/** The user's approval of one server in its form at that time. */
export interface Consent {
  readonly name: string;
  /** With links resolved. */
  readonly root: string;
  readonly hash: string;
  readonly at: Instant;
  /** The hash of each field; empty if there were too many to keep. */
  readonly fields: ReadonlyMap<string, string>;
  /** The user's own values that the server may have, such as `env.API_KEY`. Absent if there are none. */
  readonly given?: readonly string[];
}

export interface FieldChange {
  readonly kind: 'added' | 'removed' | 'changed';
  /** `args`, `env.TOKEN`. */
  readonly field: string;
}

export type TrustStanding =
  | {
      readonly kind: 'approved';
      readonly at: Instant;
      /** The user's own values that the server may have. Absent if there are none. */
      readonly given?: readonly string[];
    }
  /** An earlier form was approved. `changes` is empty if that form had too many fields to keep. */
  | { readonly kind: 'changed'; readonly at: Instant; readonly changes: readonly FieldChange[] }
  | { readonly kind: 'unknown' };

/** More than the maximum number of consents can take. */
export const MAX_TRUST_BYTES = 16 * 1024 * 1024;

/** The oldest are removed first. */
const MAX_CONSENTS = 500;
const FORMAT = 1;

export function withConsent(consents: readonly Consent[], consent: Consent): readonly Consent[] {
  const others = consents.filter(
    ({ name, root, hash }) =>
      name !== consent.name || root !== consent.root || hash !== consent.hash,
  );
  return [...others, consent].slice(-MAX_CONSENTS);
}

export function formatConsents(consents: readonly Consent[]): string {
  const stored = consents.map((consent) => ({
    ...consent,
    fields: Object.fromEntries(consent.fields),
  }));
  return `${JSON.stringify({ format: FORMAT, consents: stored }, null, 1)}\n`;
}

/** `undefined` for a text that is not exactly what `formatConsents` writes. */
export function parseConsents(text: string): readonly Consent[] | undefined {
  const parsed = parseJson(text, { maxLength: MAX_TRUST_BYTES, maxDepth: 5 });
  if (!parsed.ok || !isObject(parsed.value) || parsed.value['format'] !== FORMAT) return undefined;
  const { consents } = parsed.value;
  if (!Array.isArray(consents)) return undefined;
  const read = consents.map(readConsent);
  return read.every((consent) => consent !== undefined) ? read : undefined;
}

function readConsent(value: unknown): Consent | undefined {
  if (!isObject(value)) return undefined;
  const { name, root, hash, at, fields, given } = value;
  if (typeof name !== 'string' || typeof root !== 'string' || typeof at !== 'number') {
    return undefined;
  }
  if (typeof hash !== 'string' || !/^[0-9a-f]{64}$/.test(hash) || !isObject(fields)) {
    return undefined;
  }
  const hashes = Object.entries(fields).filter(
    (field): field is [string, string] => typeof field[1] === 'string',
  );
  const consent = { name, root, hash, at, fields: new Map(hashes) };
  if (given === undefined) return consent;
  const areTexts = Array.isArray(given) && given.every((field) => typeof field === 'string');
  return areTexts ? { ...consent, given } : undefined;
}
