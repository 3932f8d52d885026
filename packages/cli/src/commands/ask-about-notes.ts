// Asks the user of a chat about instructions of the folder that are not approved in their current form, and stores the
// answer.

import { messageOf } from '@plugboard/base';
import { approveNotes, declineNotes, type HostEnvironment } from '@plugboard/host/configuration';
import type { Notice, NotesQuestions } from '../chat/index.ts';
import { DROP_NOTES, notesProblemWords, type ReadyNotes, USE_NOTES } from '../print/notes-words.ts';
import { trustError } from '../print/trust-words.ts';
import { notesQuestion } from './approved-file.ts';
import type { NotesHere } from './folder-notes.ts';

export interface AskingAboutNotes {
  readonly environment: HostEnvironment;
  readonly notes: NotesQuestions;
  readonly notice: (notice: Notice) => void;
  /** Adds the instructions to the prompt from now on. */
  readonly use: (notes: ReadyNotes) => void;
  readonly signal: AbortSignal;
}

/** Never throws. */
export async function askAboutNotes(
  { waiting, problems }: NotesHere,
  asking: AskingAboutNotes,
): Promise<void> {
  const { environment, notice } = asking;
  for (const problem of problems) {
    notice({ level: 'warning', text: notesProblemWords(problem, environment) });
  }
  try {
    for (const notes of waiting) await askAboutOne(notes, asking);
  } catch (thrown) {
    notice({ level: 'error', text: messageOf(thrown) });
  }
}

async function askAboutOne(ready: ReadyNotes, asking: AskingAboutNotes): Promise<void> {
  const { environment, notes, notice, use, signal } = asking;
  const { file } = ready;
  const answer = await notes.ask(notesQuestion(ready), signal);
  if (signal.aborted) return;
  if (answer === 'yes') use(ready);
  notice(
    answer === 'yes'
      ? { level: 'info', text: `${file.name} is used here; take it back: ${DROP_NOTES}` }
      : { level: 'info', text: `${file.name} is not used; use it: ${USE_NOTES}` },
  );
  if (answer === 'later') return;
  const keep = answer === 'yes' ? approveNotes : declineNotes;
  const kept = await keep(environment, file);
  if (kept.ok) return;
  const { message, fix } = trustError(kept.error, environment);
  notice({ level: 'warning', text: `this counts for now and is asked again: ${message}`, fix });
}
