// Reads instructions for a model that are in a folder, such as AGENTS.md. They take effect once the user has seen and
// approved them; the approval is bound to the folder, the name and every byte. Showing them is left to the caller.

import { hash } from 'node:crypto';
import { relative, sep } from 'node:path';
import { err, type Instant, ok, type Result } from '@plugboard/base';
import { type FileProblem, leadsOutOf, readTextFile, realPathOf } from '../platform/index.ts';
import { withIncludes } from './included-notes.ts';
import { approve, revoke, type TrustProblem } from './trust-edits.ts';
import { readTrust, type StateEnvironment, type Trust } from './trust-store.ts';
import type { TrustTarget } from './trust-subject.ts';

export interface FolderNotes {
  /** The path from the project's top folder, with slashes: `AGENTS.md`, `web/AGENTS.md`. */
  readonly name: string;
  /** The project's top folder. */
  readonly root: string;
  /** The text of the file and of the files that it includes. */
  readonly text: string;
  readonly standing: NotesStanding;
}

export type NotesStanding =
  | { readonly kind: 'approved' | 'declined' | 'unknown' }
  /** An earlier form was approved. */
  | {
      readonly kind: 'changed';
      readonly at: Instant;
      /** The indexes of new lines, from 0; absent if there were too many lines to keep. */
      readonly newLines?: ReadonlySet<number>;
      /** The number of removed lines. */
      readonly gone: number;
    };

export type NotesProblem =
  | FileProblem
  /** The file is a link that leads out of the project; its target may not be meant for a model. */
  | { readonly kind: 'leads-out'; readonly path: string };

const MAX_NOTES_BYTES = 256 * 1024;

/** In the order of `paths`. Missing files are left out. */
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

/** Reads the user's own instructions, which need no approval. */
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

/** Approves the notes in their current form. */
export async function approveNotes(
  environment: StateEnvironment,
  notes: NotesContent,
): Promise<Result<void, TrustProblem>> {
  const forgotten = await forget(environment, notes, DECLINED);
  return forgotten.ok ? keep(environment, trustTarget(notes, APPROVED)) : forgotten;
}

/** Declines the notes in their current form, so that the user is not asked again. */
export function declineNotes(
  environment: StateEnvironment,
  notes: NotesContent,
): Promise<Result<void, TrustProblem>> {
  return keep(environment, trustTarget(notes, DECLINED));
}

/** Revokes an approval or a refusal. */
export async function revokeNotes(
  environment: StateEnvironment,
  notes: NotesKey,
): Promise<Result<void, TrustProblem>> {
  const approved = await forget(environment, notes, APPROVED);
  return approved.ok ? forget(environment, notes, DECLINED) : approved;
}

/** The name of the notes that an approval is about, such as `AGENTS.md`; `undefined` for other approvals. */
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

/**
 * Prefixes of names in the trust store. Subjects of servers have other fields, so neither can be mistaken for
 * the other.
 */
const APPROVED = 'notes:';
const DECLINED = 'notes-declined:';
const LINES = 'lines.';

function trustTarget({ name, root, text }: NotesContent, prefix: string): TrustTarget {
  const lines = new Set(splitLines(text).map(lineHash));
  return {
    name: `${prefix}${name}`,
    root,
    launch: {
      notes: hash('sha256', text, 'hex'),
      lines: Object.fromEntries([...lines].map((line) => [line, 1])),
    },
  };
}

function splitLines(text: string): readonly string[] {
  return text.split(/\r\n?|\n/u);
}

/** Only distinguishes lines; the hash of the whole text decides. */
function lineHash(line: string): string {
  return hash('sha256', line, 'hex').slice(0, 16);
}
