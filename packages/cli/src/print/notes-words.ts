// Texts about the instructions of a folder: their lines, the characters that were removed, and why they are not used.

import type { FolderNotes, NotesProblem, NotesStanding } from '@plugboard/host/configuration';
import type { RemovedCharacter, ScanFinding } from '@plugboard/host/decisions';
import { shortPath, type Standpoint } from './place.ts';
import { checkWords } from './quarantine.ts';
import { dayOf } from './times.ts';
import { visible, visibleLine } from './visible.ts';

/** Instructions as a model would read them. */
export interface ReadyNotes {
  readonly file: FolderNotes;
  readonly text: string;
  readonly removed: readonly RemovedCharacter[];
  readonly findings: readonly ScanFinding[];
  /** The number of characters that were cut off at the end. */
  readonly cut: number;
}

export interface NoteLine {
  readonly text: string;
  readonly isNew: boolean;
}

export function noteLines({ file, text }: ReadyNotes): readonly NoteLine[] {
  const { standing } = file;
  const newLines = standing.kind === 'changed' ? standing.newLines : undefined;
  return text
    .replace(/\n+$/u, '')
    .split('\n')
    .map((line, index) => ({ text: line, isNew: newLines?.has(index) === true }));
}

const MAX_KINDS = 4;

export function notesWarnings({ findings, removed, cut }: ReadyNotes): readonly string[] {
  const removedCount = removed.reduce((sum, { count }) => sum + count, 0);
  const kinds = removed.slice(0, MAX_KINDS).map(({ name, count }) => `${count} × ${name}`);
  const more = removed.length > MAX_KINDS ? ', …' : '';
  return [
    ...findings.map(({ check, excerpt }) => `It ${checkWords(check)}: ${visible(excerpt)}`),
    ...(removedCount === 0
      ? []
      : [`${removedWords(removedCount)} taken out (${kinds.join(', ')}${more}).`]),
    ...(cut === 0 ? [] : [`Its last ${cut} characters do not count: it is too long.`]),
  ];
}

function removedWords(count: number): string {
  return count === 1 ? '1 invisible character was' : `${count} invisible characters were`;
}

export function notesSince(standing: NotesStanding): string | undefined {
  if (standing.kind !== 'changed') return undefined;
  const { at, newLines, gone } = standing;
  const since = `You said yes to it on ${dayOf(at)}, and it has changed since`;
  if (newLines === undefined) return `${since}.`;
  const words = [
    ...(newLines.size === 0
      ? []
      : [newLines.size === 1 ? '1 line is new' : `${newLines.size} lines are new`]),
    ...(gone === 0 ? [] : [gone === 1 ? '1 is gone' : `${gone} are gone`]),
  ];
  return words.length === 0 ? `${since}.` : `${since}: ${words.join(', ')}.`;
}

/** The complete text for a plain terminal. */
export function notesScreen(notes: ReadyNotes, from: Standpoint): string {
  const { name, root, standing } = notes.file;
  const since = notesSince(standing);
  const lines = noteLines(notes).map(({ text, isNew }, index) => {
    return `  ${isNew ? '+' : '|'} ${String(index + 1).padStart(3)} ${visibleLine(text)}`;
  });
  return [
    `${visible(name)} of ${visible(shortPath(root, from))}: a model would be told to follow it.`,
    ...(since === undefined ? [] : [since]),
    ...notesWarnings(notes).map((words) => `warning: ${words}`),
    '',
    ...lines,
    '',
  ].join('\n');
}

/** The commands that approve instructions, and withdraw that. */
export const USE_NOTES = 'plugboard trust --notes';
export const DROP_NOTES = 'plugboard trust --notes --revoke';

/** Explains why instructions are not used. `undefined` if the user has decided. */
export function notUsedWords({
  name,
  standing,
}: Pick<FolderNotes, 'name' | 'standing'>): string | undefined {
  switch (standing.kind) {
    case 'approved':
    case 'declined':
      return undefined;
    case 'unknown':
      return `${visible(name)} of this folder is not used: you have not approved it here`;
    case 'changed':
      return `${visible(name)} of this folder is not used: it has changed since you said yes to it`;
    default:
      return standing satisfies never;
  }
}

export function notesProblemWords(problem: NotesProblem, from: Standpoint): string {
  const path = visible(shortPath(problem.path, from));
  switch (problem.kind) {
    case 'leads-out':
      return `${path} is not used: it leads out of the project`;
    case 'too-large':
      return `${path} is not used: it is larger than ${problem.limit / 1024} KiB`;
    case 'not-text':
      return `${path} is not used: it is not UTF-8 text`;
    case 'folder':
    case 'missing':
      return `${path} is not used: it is not a file`;
    case 'unreadable':
      return `${path} is not used: it cannot be read (${problem.code})`;
    default:
      return problem satisfies never;
  }
}
