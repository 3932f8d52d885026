// Whether a file that came with a project counts: the user has seen its text and approved it, once, for as long as the
// text stays the same. It uses the same store of approvals as instructions.

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
  /** Who is asked. If left out, nothing that is not approved counts. */
  readonly questions?: NotesQuestions;
  readonly signal: AbortSignal;
}

/** What counts without a question; all that is the user's own does. */
export function countsNow(
  notes: FolderNotes | undefined,
  { trust }: Pick<Context, 'trust'>,
): boolean {
  if (notes === undefined || notes.standing.kind === 'approved') return true;
  return trust === 'project' && notes.standing.kind !== 'declined';
}

/** Asks if necessary. Asks again about a declined file, because the user has named it. */
export async function isApproved(
  notes: FolderNotes | undefined,
  approval: ApprovalOfFiles,
): Promise<boolean> {
  const { environment, questions, signal } = approval;
  if (notes === undefined || countsNow(notes, approval)) return true;
  const answer = await questions?.ask(askedNotes(readyNotes(notes)), signal);
  if (answer === undefined || answer === 'later') return false;
  await (answer === 'yes' ? approveNotes : declineNotes)(environment, notes);
  return answer === 'yes';
}

/** As it is shown. */
export function askedNotes(ready: ReadyNotes): Omit<PendingNotes, 'id'> {
  const since = notesSince(ready.file.standing);
  return {
    name: ready.file.name,
    warnings: notesWarnings(ready),
    lines: noteLines(ready),
    ...(since === undefined ? {} : { since }),
  };
}
