// What the user has approved, kept in one file of the user's own state. Nothing else is ever looked at,
// and a store that somebody else could have written counts as empty: a repository, or another user of
// the machine, cannot approve anything.

import { isAbsolute, join } from 'node:path';
import { type Clock, err, ok, type Result, systemClock } from '@plugboard/base';
import type { Diagnostic } from '../config/index.ts';
import {
  ensureFolder,
  type HostEnvironment,
  type OwnFileProblem,
  readOwnFile,
  realPathOf,
  systemCode,
  withFileLock,
  writeFileAtomically,
} from '../platform/index.ts';
import { mayComeWith } from './comes-with.ts';
import {
  type Consent,
  consentTo,
  formatConsents,
  MAX_TRUST_BYTES,
  parseConsents,
  standingOf,
  type TrustStanding,
  withConsent,
} from './consents.ts';
import type { TrustSubject } from './trust-subject.ts';

export interface Trust {
  /** Asks the disk where the subject's folder really is, once, and nothing else. */
  standingOf(subject: TrustSubject): Promise<TrustStanding>;
  /** All that was approved for what came with a folder, oldest first. */
  consentsIn(root: string): Promise<readonly Consent[]>;
  /** All that was approved, oldest first. */
  readonly consents: readonly Consent[];
  /** Why nothing counts, where that is so. */
  readonly diagnostics: readonly Diagnostic[];
}

export type TrustProblem =
  | { readonly kind: 'unusable-store'; readonly diagnostic: Diagnostic }
  /** What lies in a project's folder could have come with the project. */
  | { readonly kind: 'store-in-project'; readonly store: string; readonly root: string }
  | { readonly kind: 'unwritable'; readonly file: string; readonly code: string };

export interface TrustOptions {
  readonly clock?: Clock;
  readonly signal?: AbortSignal;
}

type StateEnvironment = Pick<HostEnvironment, 'paths'>;

/** A snapshot. Never throws. */
export async function readTrust(environment: StateEnvironment): Promise<Trust> {
  const read = await readStore(environment);
  const consents = read.ok ? read.value : [];
  const { home, state } = environment.paths;
  const folder = await realPathOf(state);
  /** Nothing for one that the store could have come with. */
  const findRoot = async (path: string): Promise<string | undefined> => {
    const root = await realPathOf(path);
    return (await mayComeWith(folder, { root, home })) ? undefined : root;
  };
  // Servers that are asked about mostly share their folder, and never their name.
  const roots = new Map<string, Promise<string | undefined>>();
  const byName = new Map<string, Consent[]>();
  for (const consent of consents) {
    const same = byName.get(consent.name);
    if (same === undefined) byName.set(consent.name, [consent]);
    else same.push(consent);
  }
  return {
    consents,
    diagnostics: read.ok ? [] : [read.error],
    async standingOf(subject) {
      const earlier = byName.get(subject.name);
      if (earlier === undefined) return { kind: 'unknown' };
      const finding = roots.get(subject.root) ?? findRoot(subject.root);
      roots.set(subject.root, finding);
      const root = await finding;
      return root === undefined ? { kind: 'unknown' } : standingOf({ ...subject, root }, earlier);
    },
    async consentsIn(path) {
      const root = await realPathOf(path);
      return consents.filter((consent) => consent.root === root);
    },
  };
}

/** From now on the server may start as it is now, and in no other form. */
export async function approve(
  environment: StateEnvironment,
  subject: TrustSubject,
  options: TrustOptions = {},
): Promise<Result<Consent, TrustProblem>> {
  const root = await realPathOf(subject.root);
  const store = trustFile(environment);
  const folder = await realPathOf(environment.paths.state);
  if (await mayComeWith(folder, { root, home: environment.paths.home })) {
    return err({ kind: 'store-in-project', store, root });
  }
  const { clock = systemClock } = options;
  const consent = consentTo({ ...subject, root }, clock.now());
  const changed = await change(environment, options, (before) => withConsent(before, consent));
  return changed.ok ? ok(consent) : changed;
}

/** Takes back all that was approved for a name in a folder, in whatever form. */
export async function revoke(
  environment: StateEnvironment,
  revoked: Pick<TrustSubject, 'name' | 'root'>,
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

export function trustFile({ paths }: StateEnvironment): string {
  return join(paths.state, 'trust.json');
}

async function readStore(
  environment: StateEnvironment,
): Promise<Result<readonly Consent[], Diagnostic>> {
  const file = trustFile(environment);
  // Else it would be looked for below the folder that one happens to be in.
  if (!isAbsolute(file)) return err(storeDiagnostic(file, RELATIVE_STORE));
  const read = await readOwnFile(file, { maxBytes: MAX_TRUST_BYTES });
  if (!read.ok) {
    return read.error.kind === 'missing' ? ok([]) : err(storeDiagnostic(file, read.error));
  }
  const consents = parseConsents(read.value);
  return consents === undefined ? err(storeDiagnostic(file, BROKEN_STORE)) : ok(consents);
}

async function change(
  environment: StateEnvironment,
  { clock, signal }: TrustOptions,
  edit: (before: readonly Consent[]) => readonly Consent[],
): Promise<Result<void, TrustProblem>> {
  const file = trustFile(environment);
  if (!isAbsolute(file)) {
    return err({ kind: 'unusable-store', diagnostic: storeDiagnostic(file, RELATIVE_STORE) });
  }
  try {
    await ensureFolder(environment.paths.state);
    const lock = {
      ...(clock === undefined ? {} : { clock }),
      ...(signal === undefined ? {} : { signal }),
    };
    return await withFileLock(file, lock, async () => {
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

const RELATIVE_STORE = { kind: 'relative' } as const;
const BROKEN_STORE = { kind: 'broken' } as const;

type StoreProblem = OwnFileProblem | typeof RELATIVE_STORE | typeof BROKEN_STORE;

function storeDiagnostic(file: string, problem: StoreProblem): Diagnostic {
  const { reason, suggestion } = describe(problem, file);
  return {
    severity: 'error',
    code: 'file-untrusted',
    message: `${reason}, so no server counts as approved.`,
    suggestion,
    file,
    line: 1,
    column: 1,
  };
}

function describe(
  problem: StoreProblem,
  file: string,
): { readonly reason: string; readonly suggestion: string } {
  const suggestion = `Delete it, and approve your servers again: rm "${file}"`;
  switch (problem.kind) {
    case 'foreign':
      return { reason: 'What you have approved is in a file of another user', suggestion };
    case 'open-to-others':
      return { reason: 'Others may write the file with what you have approved', suggestion };
    case 'folder-open-to-others':
      return {
        reason: 'Everybody may write the folder with what you have approved',
        suggestion: `Delete the file, close the folder (chmod go-w "${problem.folder}"), and approve your servers again.`,
      };
    case 'link':
      return { reason: 'The file with what you have approved is a link', suggestion };
    case 'relative':
      return {
        reason: 'Where your approvals are kept is not a complete path',
        suggestion: 'Set HOME or XDG_STATE_HOME to a complete path.',
      };
    case 'broken':
    case 'not-text':
    case 'too-large':
    case 'folder':
      return { reason: 'The file with what you have approved is broken', suggestion };
    case 'missing':
    case 'unreadable':
      return {
        reason: 'The file with what you have approved cannot be read',
        suggestion: 'Check that you may read it.',
      };
    default:
      return problem satisfies never;
  }
}
