// Reads the instructions of the current folder as a model would see them, and sorts them by whether they may be used.

import { isAbsolute, join, relative, sep } from 'node:path';
import type { PromptNotes } from '@plugboard/agent';
import {
  type AdmittedConfiguration,
  type FolderNotes,
  type HostEnvironment,
  type NotesProblem,
  readFolderNotes,
  readOwnNotes,
} from '@plugboard/host/configuration';
import { cleanedText, scanText } from '@plugboard/host/decisions';
import type { Context } from '../context.ts';
import type { ReadyNotes } from '../print/notes-words.ts';
import { shortPath } from '../print/place.ts';

export interface NotesHere {
  /** The user's own instructions. */
  readonly own: readonly PromptNotes[];
  /** Instructions in the prompt. */
  readonly used: readonly ReadyNotes[];
  /** Instructions without an approval. */
  readonly waiting: readonly ReadyNotes[];
  /** Instructions that the user has declined in their current form. */
  readonly declined: readonly ReadyNotes[];
  readonly problems: readonly NotesProblem[];
}

/** If both have the same content, as with a link, only the first is used. */
const NAMES = ['AGENTS.md', 'CLAUDE.md'];

/** The files in each folder from the top of the project down to the current folder. */
function notesPaths({ cwd }: Pick<HostEnvironment, 'cwd'>, root: string): readonly string[] {
  const steps = relative(root, cwd)
    .split(sep)
    .filter((step) => step !== '');
  const isInside = !steps.includes('..') && !isAbsolute(relative(root, cwd));
  const folders = isInside
    ? [root, ...steps.map((_, at) => join(root, ...steps.slice(0, at + 1)))]
    : [cwd];
  return folders.flatMap((folder) => NAMES.map((name) => join(folder, name)));
}

/** The files with the user's own instructions for every folder. */
export function ownNotesPaths({ paths, home }: HostEnvironment): readonly string[] {
  return [join(paths.config, 'AGENTS.md'), join(home, '.claude', 'CLAUDE.md')];
}

export async function notesHere(
  { trust }: Pick<Context, 'trust'>,
  environment: HostEnvironment,
  { root }: Pick<AdmittedConfiguration, 'root'>,
): Promise<NotesHere> {
  const own = await readOwnNotes(ownNotesPaths(environment));
  const read = await readFolderNotes(environment, { root, paths: notesPaths(environment, root) });
  const files = read.flatMap((one) => (one.ok ? [one.value] : []));
  const all = files.filter(isNew).map(readyNotes);
  const placeOf = ({ file: { standing } }: ReadyNotes): 'used' | 'waiting' | 'declined' => {
    if (standing.kind === 'declined') return 'declined';
    return standing.kind === 'approved' || trust === 'project' ? 'used' : 'waiting';
  };
  return {
    own: own.map(({ name, text }) => ({ name: shortPath(name, environment), text })),
    used: all.filter((notes) => placeOf(notes) === 'used'),
    waiting: all.filter((notes) => placeOf(notes) === 'waiting'),
    declined: all.filter((notes) => placeOf(notes) === 'declined'),
    problems: read.flatMap((one) => (one.ok ? [] : [one.error])),
  };
}

/** The maximum number of characters for a model. */
const MAX_CHARACTERS = 40_000;

export function readyNotes(file: FolderNotes): ReadyNotes {
  const { text, removed } = cleanedText(file.text);
  const shown = text.slice(0, MAX_CHARACTERS);
  // Hidden characters are searched for in the file, everything else in the text that the model reads.
  const findings = [
    ...scanText(file.text).filter(({ check }) => check === 'hidden-characters'),
    ...scanText(shown).filter(({ check }) => check !== 'hidden-characters'),
  ];
  return { file, text: shown, removed, findings, cut: text.length - shown.length };
}

/** Whether the file is not empty, and not a copy of an earlier one. */
function isNew({ text }: FolderNotes, index: number, all: readonly FolderNotes[]): boolean {
  return text.trim() !== '' && !all.slice(0, index).some((other) => other.text === text);
}

/** The instructions for the prompt, the most general first. */
export function promptNotes({
  own,
  used,
}: Pick<NotesHere, 'own' | 'used'>): readonly PromptNotes[] {
  return [...own, ...used.map(({ file, text }) => ({ name: file.name, text }))];
}
