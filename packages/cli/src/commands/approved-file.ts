// Decides whether a file of a project may be used: the user must have approved its current text. The approvals are in the
// same store as those of instructions.

import {
  approveNotes,
  declineNotes,
  type FolderNotes,
  type HostEnvironment,
} from '@plugboard/host/configuration';
import type { PendingNotes, NotesQuestions } from '../chat/index.ts';
import type { Context } from '../context.ts';
import { noteLines, notesSince, notesWarnings, type ReadyNotes } from '../print/notes-words.ts';
import { readyNotes } from './folder-notes.ts';

export interface ApprovalOfFiles extends Pick<Context, 'trust'> {
  readonly environment: HostEnvironment;
  /** Asks the user. If omitted, only approved files may be used. */
  readonly questions?: NotesQuestions;
  readonly signal: AbortSignal;
}

/** Whether the file may be used without a question. Files of the user always may. */
export function isUsable(
  notes: FolderNotes | undefined,
  { trust }: Pick<Context, 'trust'>,
): boolean {
  if (notes === undefined || notes.standing.kind === 'approved') return true;
  return trust === 'project' && notes.standing.kind !== 'declined';
}

/** Asks if necessary, also about a declined file, because the user has named it. */
export async function isApproved(
  notes: FolderNotes | undefined,
  approval: ApprovalOfFiles,
): Promise<boolean> {
  const { environment, questions, signal } = approval;
  if (notes === undefined || isUsable(notes, approval)) return true;
  const answer = await questions?.ask(notesQuestion(readyNotes(notes)), signal);
  if (answer === undefined || answer === 'later') return false;
  await (answer === 'yes' ? approveNotes : declineNotes)(environment, notes);
  return answer === 'yes';
}

/** The question about the file. */
export function notesQuestion(ready: ReadyNotes): Omit<PendingNotes, 'id'> {
  const since = notesSince(ready.file.standing);
  return {
    name: ready.file.name,
    warnings: notesWarnings(ready),
    lines: noteLines(ready),
    ...(since === undefined ? {} : { since }),
  };
}
