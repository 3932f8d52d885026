// What people are told about instructions that came with a folder: what is in them, what was taken out, and why they do not
// count.

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
  /** How many characters at its end do not count. */
  readonly cut: number;
}

export interface NoteLine {
  readonly text: string;
  readonly isNew: boolean;
}

export function noteLines({ file, text }: ReadyNotes): readonly NoteLine[] {
  const { standing } = file;
  const fresh = standing.kind === 'changed' ? standing.newLines : undefined;
  return text
    .replace(/\n+$/u, '')
    .split('\n')
    .map((line, index) => ({ text: line, isNew: fresh?.has(index) === true }));
}

const MOST_KINDS = 4;

/** One line each. */
export function notesWarnings({ findings, removed, cut }: ReadyNotes): readonly string[] {
  const taken = removed.reduce((sum, { count }) => sum + count, 0);
  const kinds = removed.slice(0, MOST_KINDS).map(({ name, count }) => `${count} × ${name}`);
  const more = removed.length > MOST_KINDS ? ', …' : '';
  return [
    ...findings.map(({ check, excerpt }) => `It ${checkWords(check)}: ${visible(excerpt)}`),
    ...(taken === 0 ? [] : [`${takenWords(taken)} taken out (${kinds.join(', ')}${more}).`]),
    ...(cut === 0 ? [] : [`Its last ${cut} characters do not count: it is too long.`]),
  ];
}

function takenWords(count: number): string {
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

/** For a plain terminal, whole. */
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

/** How they come to count. */
export const USE_NOTES = 'plugboard trust --notes';
export const DROP_NOTES = 'plugboard trust --notes --revoke';

/** Why they do not count; `undefined` if the user has decided so. */
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
