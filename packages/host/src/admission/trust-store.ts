// Reads the user's approvals from one file of the user's own state. A store that another user could have
// written counts as empty, so that neither a repository nor another user of the machine can approve anything.

import { isAbsolute, join } from 'node:path';
import { err, groupBy, ok, type Result } from '@plugboard/base';
import type { Diagnostic } from '../config/index.ts';
import {
  exists,
  type HostEnvironment,
  isWithin,
  type OwnFileProblem,
  readOwnFile,
  realPathOf,
} from '../platform/index.ts';
import { type Consent, MAX_TRUST_BYTES, parseConsents, type TrustStanding } from './consents.ts';
import type { TrustTarget } from './trust-subject.ts';

export interface Trust {
  /** The only effect is to resolve the real path of the subject's folder, once. */
  standingOf(subject: TrustTarget): Promise<TrustStanding>;
  /** The approvals for a folder, oldest first. */
  consentsIn(root: string): Promise<readonly Consent[]>;
  /** All approvals, oldest first. */
  readonly consents: readonly Consent[];
  /** The reason why no approval is valid, if the store cannot be used. */
  readonly diagnostics: readonly Diagnostic[];
}

export type StateEnvironment = Pick<HostEnvironment, 'paths'>;

/** A snapshot. Never throws. */
export async function readTrust(environment: StateEnvironment): Promise<Trust> {
  const read = await readStore(environment);
  const consents = read.ok ? read.value : [];
  const { home, state } = environment.paths;
  const folder = await realPathOf(state);
  /** `undefined` if the store could have come with the folder. */
  const findRoot = async (path: string): Promise<string | undefined> => {
    const root = await realPathOf(path);
    return (await mayBelongToProject(folder, { root, home })) ? undefined : root;
  };
  // Cached, since most servers have the same folder.
  const roots = new Map<string, Promise<string | undefined>>();
  let loading: ReturnType<typeof loadStanding> | undefined;
  const byName = groupBy(consents, ({ name }) => name);
  return {
    consents,
    diagnostics: read.ok ? [] : [read.error],
    async standingOf(subject) {
      const earlier = byName.get(subject.name);
      if (earlier === undefined) return { kind: 'unknown' };
      const finding = roots.get(subject.root) ?? findRoot(subject.root);
      roots.set(subject.root, finding);
      const root = await finding;
      if (root === undefined) return { kind: 'unknown' };
      loading ??= loadStanding();
      return (await loading).standingOf({ ...subject, root }, earlier);
    },
    async consentsIn(path) {
      const root = await realPathOf(path);
      return consents.filter((consent) => consent.root === root);
    },
  };
}

function loadStanding() {
  return import('./standing.ts');
}

export function trustFile({ paths }: StateEnvironment): string {
  return join(paths.state, 'trust.json');
}

export async function readStore(
  environment: StateEnvironment,
): Promise<Result<readonly Consent[], Diagnostic>> {
  const file = trustFile(environment);
  // A relative path would be resolved in the working directory.
  if (!isAbsolute(file)) return err(storeDiagnostic(file, RELATIVE_STORE));
  const read = await readOwnFile(file, { maxBytes: MAX_TRUST_BYTES });
  if (!read.ok) {
    return read.error.kind === 'missing' ? ok([]) : err(storeDiagnostic(file, read.error));
  }
  const consents = parseConsents(read.value);
  return consents === undefined ? err(storeDiagnostic(file, BROKEN_STORE)) : ok(consents);
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

/**
 * Whether a file of the user's state, such as the store, could have come with a project. Stricter than
 * `comesWith`: if the home directory is itself a repository, everyone with write access to it could have
 * committed the file.
 */
export async function mayBelongToProject(
  path: string,
  { root, home }: { readonly root: string; readonly home: string },
): Promise<boolean> {
  if (!isWithin(root, path)) return false;
  // A relative home would be resolved in the working directory.
  const isHome = isAbsolute(home) && isWithin(root, await realPathOf(home));
  return !isHome || (await exists(join(root, '.git')));
}
