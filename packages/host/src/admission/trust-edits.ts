// Adds an approval to the store, or removes one. Locks the store, and reports an error unless the written
// approvals are valid when they are read again.

import { type Clock, err, ok, type Result, systemClock } from '@plugboard/base';
import type { Diagnostic } from '../config/index.ts';
import {
  ensureFolder,
  realPathOf,
  systemCode,
  withFileLock,
  writeFileAtomically,
} from '../platform/index.ts';
import { type Consent, formatConsents, withConsent } from './consents.ts';
import { consentTo } from './standing.ts';
import { mayBelongToProject, readStore, type StateEnvironment, trustFile } from './trust-store.ts';
import type { TrustTarget } from './trust-subject.ts';

export type TrustProblem =
  | { readonly kind: 'unusable-store'; readonly diagnostic: Diagnostic }
  /** A store in a project's folder could have come with the project. */
  | { readonly kind: 'store-in-project'; readonly store: string; readonly root: string }
  | { readonly kind: 'unwritable'; readonly file: string; readonly code: string };

export interface TrustOptions {
  readonly clock?: Clock;
  readonly signal?: AbortSignal;
}

export interface ApproveOptions extends TrustOptions {
  /** The user's own values that the server may have, by field, such as `env.API_KEY`. None by default. */
  readonly given?: readonly string[];
}

/** Approves the server in its current form only. */
export async function approve(
  environment: StateEnvironment,
  subject: TrustTarget,
  options: ApproveOptions = {},
): Promise<Result<Consent, TrustProblem>> {
  const root = await realPathOf(subject.root);
  const store = trustFile(environment);
  const folder = await realPathOf(environment.paths.state);
  if (await mayBelongToProject(folder, { root, home: environment.paths.home })) {
    return err({ kind: 'store-in-project', store, root });
  }
  const { clock = systemClock, given } = options;
  const consent = consentTo({ ...subject, root }, clock.now(), given);
  const changed = await change(environment, options, (before) => withConsent(before, consent));
  return changed.ok ? ok(consent) : changed;
}

/** Revokes all approvals of a name in a folder, in any form. */
export async function revoke(
  environment: StateEnvironment,
  revoked: Pick<TrustTarget, 'name' | 'root'>,
  options: TrustOptions = {},
): Promise<Result<{ readonly kind: 'revoked' | 'nothing-to-revoke' }, TrustProblem>> {
  const root = await realPathOf(revoked.root);
  const isMeant = (consent: Consent): boolean =>
    consent.name === revoked.name && consent.root === root;
  const known = await readStore(environment);
  if (known.ok && !known.value.some(isMeant)) return ok({ kind: 'nothing-to-revoke' });
  const changed = await change(environment, options, (before) =>
    before.filter((consent) => !isMeant(consent)),
  );
  return changed.ok ? ok({ kind: 'revoked' }) : changed;
}

async function change(
  environment: StateEnvironment,
  options: TrustOptions,
  edit: (before: readonly Consent[]) => readonly Consent[],
): Promise<Result<void, TrustProblem>> {
  const file = trustFile(environment);
  // An unreadable store is not changed, and no folder is created for it.
  const known = await readStore(environment);
  if (!known.ok) return err({ kind: 'unusable-store', diagnostic: known.error });
  try {
    await ensureFolder(environment.paths.state);
    return await withFileLock(file, options, async () => {
      const before = await readStore(environment);
      if (!before.ok) return err({ kind: 'unusable-store', diagnostic: before.error });
      await writeFileAtomically(file, formatConsents(edit(before.value)), { mode: 0o600 });
      // In a folder that everybody may write, the new approval would not be valid.
      const after = await readStore(environment);
      return after.ok ? ok(undefined) : err({ kind: 'unusable-store', diagnostic: after.error });
    });
  } catch (thrown) {
    const code = systemCode(thrown);
    if (code === undefined) throw thrown;
    return err({ kind: 'unwritable', file, code });
  }
}
