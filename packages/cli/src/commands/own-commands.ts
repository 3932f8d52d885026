// The commands of a chat that are files: what each does when its name is typed. One of a project is shown first, and
// counts once the person said yes to its text.

import { approveNotes, declineNotes, type HostEnvironment } from '@plugboard/host/configuration';
import type { NotesQuestions, SlashCommand, SubmitResult } from '../chat/index.ts';
import { noteLines, notesSince, notesWarnings } from '../print/notes-words.ts';
import { commandFiles, type CommandFile, filledIn } from './command-files.ts';
import { readyNotes } from './folder-notes.ts';

export interface OwnCommandPorts {
  readonly environment: HostEnvironment;
  readonly root: string;
  readonly questions: NotesQuestions;
  readonly signal: AbortSignal;
}

export async function ownCommands(ports: OwnCommandPorts): Promise<readonly SlashCommand[]> {
  const files = await commandFiles(ports.environment, ports.root);
  return files.map((file) => ({
    name: file.name,
    usage: file.usage,
    about: file.about,
    run: async ({ rest, words }): Promise<SubmitResult> => {
      if (!(await isApproved(file, ports))) {
        return { kind: 'problem', message: `/${file.name} is not used: you have not approved it` };
      }
      return { kind: 'message', text: filledIn(file.text, rest, words), allows: file.allows };
    },
  }));
}

async function isApproved(
  { notes }: CommandFile,
  { environment, questions, signal }: OwnCommandPorts,
): Promise<boolean> {
  if (notes === undefined || notes.standing.kind === 'approved') return true;
  const ready = readyNotes(notes);
  const since = notesSince(notes.standing);
  const answer = await questions.ask(
    {
      name: notes.name,
      warnings: notesWarnings(ready),
      lines: noteLines(ready),
      ...(since === undefined ? {} : { since }),
    },
    signal,
  );
  if (answer === 'later') return false;
  await (answer === 'yes' ? approveNotes : declineNotes)(environment, notes);
  return answer === 'yes';
}
