// Decides whether the user's approval of a server is still valid, and what has changed since. Separate from
// reading the approvals, since hashing is needed only if something was approved, and loading it takes time.

import type { Instant } from '@plugboard/base';
import type { Consent, FieldChange, TrustStanding } from './consents.ts';
import { fieldHashes, trustHash, type TrustTarget } from './trust-subject.ts';

/** The maximum length of the stored fields of one consent. */
const MAX_FIELDS_LENGTH = 16 * 1024;

/** `subject.root` must have its links resolved. */
export function consentTo(
  subject: TrustTarget,
  at: Instant,
  given: readonly string[] = [],
): Consent {
  const { name, root, launch } = subject;
  const fields = fieldHashes(launch);
  const isKept = JSON.stringify([...fields]).length <= MAX_FIELDS_LENGTH;
  return {
    name,
    root,
    hash: trustHash(subject),
    at,
    fields: isKept ? fields : new Map(),
    ...(given.length === 0 ? {} : { given }),
  };
}

/** `subject.root` must have its links resolved. */
export function standingOf(subject: TrustTarget, consents: readonly Consent[]): TrustStanding {
  const { name, root, launch } = subject;
  const earlier = consents.filter((consent) => consent.name === name && consent.root === root);
  const last = earlier.at(-1);
  if (last === undefined) return { kind: 'unknown' };
  const hash = trustHash(subject);
  const same = earlier.findLast((consent) => consent.hash === hash);
  if (same !== undefined) {
    const { at, given } = same;
    return { kind: 'approved', at, ...(given === undefined ? {} : { given }) };
  }
  const isKept = last.fields.size > 0;
  const changes = isKept ? changesBetween(last.fields, fieldHashes(launch)) : [];
  return { kind: 'changed', at: last.at, changes };
}

function changesBetween(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): readonly FieldChange[] {
  const fields = [...new Set([...before.keys(), ...after.keys()])].toSorted();
  return fields.flatMap((field): readonly FieldChange[] => {
    if (!before.has(field)) return [{ kind: 'added', field }];
    if (!after.has(field)) return [{ kind: 'removed', field }];
    return before.get(field) === after.get(field) ? [] : [{ kind: 'changed', field }];
  });
}
