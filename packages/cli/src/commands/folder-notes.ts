// The instructions of the folder that a command runs in: which there are, as a model would read them, and which of them
// count.

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
  /** Of the user's own. */
  readonly own: readonly PromptNotes[];
  /** They are told to the model. */
  readonly used: readonly ReadyNotes[];
  /** They wait for a yes. */
  readonly waiting: readonly ReadyNotes[];
  /** The user has said no to them as they are. */
  readonly declined: readonly ReadyNotes[];
  readonly problems: readonly NotesProblem[];
}

/** Where both say the same, as a link does, the first counts. */
const NAMES = ['AGENTS.md', 'CLAUDE.md'];

/** From the top of the project down to the folder, in each of them. */
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

/** The user's own instructions, for every folder. */
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

/** How many characters a model gets. */
const MOST_CHARACTERS = 40_000;

export function readyNotes(file: FolderNotes): ReadyNotes {
  const { text, removed } = cleanedText(file.text);
  const told = text.slice(0, MOST_CHARACTERS);
  // What is hidden is found in the file, what it says in the words that the model reads.
  const findings = [
    ...scanText(file.text).filter(({ check }) => check === 'hidden-characters'),
    ...scanText(told).filter(({ check }) => check !== 'hidden-characters'),
  ];
  return { file, text: told, removed, findings, cut: text.length - told.length };
}

/** Neither empty nor the same as one before it. */
function isNew({ text }: FolderNotes, index: number, all: readonly FolderNotes[]): boolean {
  return text.trim() !== '' && !all.slice(0, index).some((other) => other.text === text);
}

/** What the model gets of them, the most general first. */
export function notesTold({ own, used }: Pick<NotesHere, 'own' | 'used'>): readonly PromptNotes[] {
  return [...own, ...used.map(({ file, text }) => ({ name: file.name, text }))];
}
