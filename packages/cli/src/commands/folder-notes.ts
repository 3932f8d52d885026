// The instructions of the folder that a command runs in: which there are, as a model would read them, and which of them
// count.

import { join } from 'node:path';
import {
  type AdmittedConfiguration,
  type FolderNotes,
  type HostEnvironment,
  type NotesProblem,
  readFolderNotes,
} from '@plugboard/host/configuration';
import { cleanedText, scanText } from '@plugboard/host/decisions';
import type { Context } from '../context.ts';
import type { ReadyNotes } from '../print/notes-words.ts';

export interface NotesHere {
  /** They are told to the model. */
  readonly used: readonly ReadyNotes[];
  /** They wait for a yes. */
  readonly waiting: readonly ReadyNotes[];
  /** The user has said no to them as they are. */
  readonly declined: readonly ReadyNotes[];
  readonly problems: readonly NotesProblem[];
}

const NAMES = ['AGENTS.md'];

export async function notesHere(
  { trust }: Pick<Context, 'trust'>,
  environment: HostEnvironment,
  { root }: Pick<AdmittedConfiguration, 'root'>,
): Promise<NotesHere> {
  const paths = NAMES.map((name) => join(environment.cwd, name));
  const read = await readFolderNotes(environment, { root, paths });
  const files = read.flatMap((one) => (one.ok ? [one.value] : []));
  const all = files.filter(({ text }) => text.trim() !== '').map(readyNotes);
  const placeOf = ({ file: { standing } }: ReadyNotes): 'used' | 'waiting' | 'declined' => {
    if (standing.kind === 'declined') return 'declined';
    return standing.kind === 'approved' || trust === 'project' ? 'used' : 'waiting';
  };
  return {
    used: all.filter((notes) => placeOf(notes) === 'used'),
    waiting: all.filter((notes) => placeOf(notes) === 'waiting'),
    declined: all.filter((notes) => placeOf(notes) === 'declined'),
    problems: read.flatMap((one) => (one.ok ? [] : [one.error])),
  };
}

/** As many characters as a model is told. */
const MOST_CHARACTERS = 40_000;

function readyNotes(file: FolderNotes): ReadyNotes {
  const { text, removed } = cleanedText(file.text);
  const told = text.slice(0, MOST_CHARACTERS);
  // What is hidden is found in the file, what it says in the words that the model reads.
  const findings = [
    ...scanText(file.text).filter(({ check }) => check === 'hidden-characters'),
    ...scanText(told).filter(({ check }) => check !== 'hidden-characters'),
  ];
  return { file, text: told, removed, findings, cut: text.length - told.length };
}

/** What the model is told of them. */
export function notesText(used: readonly ReadyNotes[]): string | undefined {
  return used.length === 0 ? undefined : used.map(({ text }) => text).join('\n\n');
}
