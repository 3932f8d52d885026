// Adds an approval to the store, or removes one. Under the store's lock, and only if what is written will count when it
// is read again.

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
  /** What lies in a project's folder could have come with the project. */
  | { readonly kind: 'store-in-project'; readonly store: string; readonly root: string }
  | { readonly kind: 'unwritable'; readonly file: string; readonly code: string };

export interface TrustOptions {
  readonly clock?: Clock;
  readonly signal?: AbortSignal;
}

export interface ApproveOptions extends TrustOptions {
  /** What of the user's own it may have, by field: `env.API_KEY`. Nothing by default. */
  readonly given?: readonly string[];
}

/** From now on the server may start as it is now, and in no other form. */
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

/** Takes back all that was approved for a name in a folder, in whatever form. */
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
  // One that cannot be read is not written either: no folder is made for it.
  const known = await readStore(environment);
  if (!known.ok) return err({ kind: 'unusable-store', diagnostic: known.error });
  try {
    await ensureFolder(environment.paths.state);
    return await withFileLock(file, options, async () => {
      const before = await readStore(environment);
      if (!before.ok) return err({ kind: 'unusable-store', diagnostic: before.error });
      await writeFileAtomically(file, formatConsents(edit(before.value)), { mode: 0o600 });
      // In a folder that is open to all, what was just written does not count either.
      const after = await readStore(environment);
      return after.ok ? ok(undefined) : err({ kind: 'unusable-store', diagnostic: after.error });
    });
  } catch (thrown) {
    const code = systemCode(thrown);
    if (code === undefined) throw thrown;
    return err({ kind: 'unwritable', file, code });
  }
}
