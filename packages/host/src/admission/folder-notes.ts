// Instructions for a model that lie in a folder, such as AGENTS.md. They take effect once the user has seen
// and approved them; the approval is bound to the folder, the name and every byte. Their content is left to
// the caller that shows them.

import { createHash } from 'node:crypto';
import { relative, sep } from 'node:path';
import { err, type Instant, ok, type Result } from '@plugboard/base';
import { type FileProblem, leadsOutOf, readTextFile, realPathOf } from '../platform/index.ts';
import { withIncludes } from './included-notes.ts';
import { approve, revoke, type TrustProblem } from './trust-edits.ts';
import { readTrust, type StateEnvironment, type Trust } from './trust-store.ts';
import type { TrustTarget } from './trust-subject.ts';

export interface FolderNotes {
  /** From the project's top folder, with slashes: `AGENTS.md`, `web/AGENTS.md`. */
  readonly name: string;
  /** The project's top folder. */
  readonly root: string;
  /** As it is in the file, with the files that it includes. */
  readonly text: string;
  readonly standing: NotesStanding;
}

export type NotesStanding =
  | { readonly kind: 'approved' | 'declined' | 'unknown' }
  /** Something else was approved before. */
  | {
      readonly kind: 'changed';
      readonly at: Instant;
      /** Which lines were not there then, from 0; `undefined` if there were too many to keep. */
      readonly newLines?: ReadonlySet<number>;
      /** How many lines are gone. */
      readonly gone: number;
    };

export type NotesProblem =
  | FileProblem
  /** What it leads to was not meant to be shown to a model. */
  | { readonly kind: 'leads-out'; readonly path: string };

const MAX_NOTES_BYTES = 256 * 1024;

/** In the order of the paths. A file that is not there is left out. */
export async function readFolderNotes(
  environment: StateEnvironment,
  { root, paths }: { readonly root: string; readonly paths: readonly string[] },
): Promise<readonly Result<FolderNotes, NotesProblem>[]> {
  const trust = await readTrust(environment);
  const read = await Promise.all(paths.map((path) => readOne(trust, root, path)));
  return read.filter((one) => one !== undefined);
}

async function readOne(
  trust: Trust,
  root: string,
  path: string,
): Promise<Result<FolderNotes, NotesProblem> | undefined> {
  if ((await leadsOutOf(root, path)) !== undefined) return err({ kind: 'leads-out', path });
  const read = await readTextFile(path, { maxBytes: MAX_NOTES_BYTES });
  if (!read.ok) return read.error.kind === 'missing' ? undefined : read;
  const name = relative(await realPathOf(root), await realPathOf(path))
    .split(sep)
    .join('/');
  const text = await withIncludes({ path, text: read.value }, { maxBytes: MAX_NOTES_BYTES });
  const notes = { name, root, text };
  return ok({ ...notes, standing: await standingOf(trust, notes) });
}

/** Instructions of the user's own, which need no approval. */
export async function readOwnNotes(
  paths: readonly string[],
): Promise<readonly Pick<FolderNotes, 'name' | 'text'>[]> {
  const read = await Promise.all(
    paths.map(async (path) => {
      const file = await readTextFile(path, { maxBytes: MAX_NOTES_BYTES });
      if (!file.ok) return [];
      const text = await withIncludes({ path, text: file.value }, { maxBytes: MAX_NOTES_BYTES });
      return [{ name: path, text }];
    }),
  );
  return read.flat();
}

type NotesKey = Pick<FolderNotes, 'name' | 'root'>;
type NotesContent = NotesKey & Pick<FolderNotes, 'text'>;

async function standingOf(trust: Trust, notes: NotesContent): Promise<NotesStanding> {
  const approved = await trust.standingOf(trustTarget(notes, APPROVED));
  if (approved.kind === 'approved') return { kind: 'approved' };
  const declined = await trust.standingOf(trustTarget(notes, DECLINED));
  if (declined.kind === 'approved') return { kind: 'declined' };
  if (approved.kind === 'unknown') return { kind: 'unknown' };
  const { at, changes } = approved;
  const named = changes.filter(({ field }) => field.startsWith(LINES));
  const isKept = changes.length > 0;
  const added = new Set(
    named.filter(({ kind }) => kind === 'added').map(({ field }) => field.slice(LINES.length)),
  );
  const newLines = splitLines(notes.text).flatMap((line, index) =>
    added.has(lineHash(line)) ? [index] : [],
  );
  return {
    kind: 'changed',
    at,
    gone: named.filter(({ kind }) => kind === 'removed').length,
    ...(isKept ? { newLines: new Set(newLines) } : {}),
  };
}

/** From now on they count as they are now. */
export async function approveNotes(
  environment: StateEnvironment,
  notes: NotesContent,
): Promise<Result<void, TrustProblem>> {
  const forgotten = await forget(environment, notes, DECLINED);
  return forgotten.ok ? keep(environment, trustTarget(notes, APPROVED)) : forgotten;
}

/** The notes in their current form do not take effect, and the user is not asked again. */
export function declineNotes(
  environment: StateEnvironment,
  notes: NotesContent,
): Promise<Result<void, TrustProblem>> {
  return keep(environment, trustTarget(notes, DECLINED));
}

/** Takes back every answer to them. */
export async function revokeNotes(
  environment: StateEnvironment,
  notes: NotesKey,
): Promise<Result<void, TrustProblem>> {
  const approved = await forget(environment, notes, APPROVED);
  return approved.ok ? forget(environment, notes, DECLINED) : approved;
}

/** The notes that an approval is about, where it is about notes: `AGENTS.md`. */
export function notesOfConsent(name: string): string | undefined {
  const prefix = [APPROVED, DECLINED].find((one) => name.startsWith(one));
  return prefix === undefined ? undefined : name.slice(prefix.length);
}

async function keep(
  environment: StateEnvironment,
  target: TrustTarget,
): Promise<Result<void, TrustProblem>> {
  const kept = await approve(environment, target);
  return kept.ok ? ok(undefined) : kept;
}

async function forget(
  environment: StateEnvironment,
  { name, root }: NotesKey,
  prefix: string,
): Promise<Result<void, TrustProblem>> {
  const forgotten = await revoke(environment, { name: `${prefix}${name}`, root });
  return forgotten.ok ? ok(undefined) : forgotten;
}

/** Beside the names of servers. What a server's approval is bound to has other fields, so that neither counts as the other. */
const APPROVED = 'notes:';
const DECLINED = 'notes-declined:';
const LINES = 'lines.';

function trustTarget({ name, root, text }: NotesContent, prefix: string): TrustTarget {
  const lines = new Set(splitLines(text).map(lineHash));
  return {
    name: `${prefix}${name}`,
    root,
    launch: {
      notes: sha256(text),
      lines: Object.fromEntries([...lines].map((line) => [line, 1])),
    },
  };
}

function splitLines(text: string): readonly string[] {
  return text.split(/\r\n?|\n/u);
}

/** Enough to tell lines apart; what decides is the hash of all of them. */
function lineHash(line: string): string {
  return sha256(line).slice(0, 16);
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
