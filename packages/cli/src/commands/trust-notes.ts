// `plugboard trust --notes [--revoke]`: approves the current instructions of this folder, or withdraws the approval.

import {
  approveNotes,
  notesOfConsent,
  readTrust,
  revokeNotes,
} from '@plugboard/host/configuration';
import { canAsk, type Context } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { printJson } from '../print/json.ts';
import {
  DROP_NOTES,
  notesProblemWords,
  notesScreen,
  type ReadyNotes,
} from '../print/notes-words.ts';
import { trustError } from '../print/trust-words.ts';
import { visible } from '../print/visible.ts';
import { UsageError } from '../usage-error.ts';
import { askAboutText, isYes } from './ask-about-text.ts';
import { type CommandConfiguration, readConfigured } from './configured.ts';
import { notesHere } from './folder-notes.ts';

export async function trustNotes(context: Context): Promise<ExitCode> {
  const configured = await readConfigured();
  const { environment, configuration } = configured;
  const { used, waiting, declined, problems } = await notesHere(
    { trust: 'stored' },
    environment,
    configuration,
  );
  const [problem] = problems;
  if (problem !== undefined) {
    throw new UsageError(notesProblemWords(problem, environment), 'put a text file in its place');
  }
  const asked = [...waiting, ...declined];
  if (asked.length === 0) {
    for (const { file } of used) report(context, 'already-trusted', file.name);
    if (used.length === 0) reportNoNotes(context);
    return EXIT.ok;
  }
  for (const notes of asked) {
    const outcome = await askAndApprove(context, configured, notes);
    report(context, outcome, notes.file.name);
    if (outcome === 'interrupted') return EXIT.usage;
    if (outcome === 'refused') return EXIT.denied;
  }
  return EXIT.ok;
}

function reportNoNotes(context: Context): void {
  if (context.isJson) printJson(context, { notes: [] });
  else
    context.terminal.err.write(
      'There is no AGENTS.md in this folder, so there is nothing to use.\n',
    );
}

/** Without a terminal, typing the command is the decision; on a terminal the user sees the notes first. */
async function askAndApprove(
  context: Context,
  { environment }: CommandConfiguration,
  notes: ReadyNotes,
): Promise<'trusted' | 'refused' | 'interrupted'> {
  if (!context.isJson) {
    const screen = notesScreen(notes, environment);
    if (canAsk(context)) {
      const answer = await askAboutText(context.terminal, screen, QUESTION);
      if (answer === undefined) return 'interrupted';
      if (!isYes(answer)) return 'refused';
    } else {
      context.terminal.err.write(screen);
    }
  }
  const approved = await approveNotes(environment, notes.file);
  if (!approved.ok) throw trustError(approved.error, environment);
  return 'trusted';
}

const QUESTION = 'Use these instructions in this folder? [y/N] ';

type Outcome = 'trusted' | 'refused' | 'interrupted' | 'already-trusted';

const WORDS: Readonly<Record<Outcome, (name: string) => string>> = {
  trusted: (name) => `${name} is used in this folder, as it is now.\nTake it back: ${DROP_NOTES}\n`,
  refused: (name) => `${name} stays as it is: it is not used.\n`,
  interrupted: (name) => `${name} stays as it is: it is not used.\n`,
  'already-trusted': (name) => `${name} is used in this folder already.\n`,
};

function report(context: Context, kind: Outcome, name: string): void {
  if (context.isJson) printJson(context, { kind, name });
  else context.terminal.err.write(WORDS[kind](visible(name)));
}

/** Deletes all answers about instructions of this project. */
export async function forgetNotes(context: Context): Promise<ExitCode> {
  const { environment, configuration } = await readConfigured();
  const known = await readTrust(environment);
  const [problem] = known.diagnostics;
  if (problem !== undefined) {
    throw trustError({ kind: 'unusable-store', diagnostic: problem }, environment);
  }
  const consents = await known.consentsIn(configuration.root);
  const names = [...new Set(consents.flatMap(({ name }) => notesOfConsent(name) ?? []))];
  for (const name of names) {
    const revoked = await revokeNotes(environment, { name, root: configuration.root });
    if (!revoked.ok) throw trustError(revoked.error, environment);
  }
  if (context.isJson) printJson(context, { kind: 'revoked', names });
  else {
    const words = names.map((name) => visible(name)).join(', ');
    context.terminal.err.write(
      names.length === 0
        ? 'No instructions were trusted here, so there is nothing to take back.\n'
        : `No longer used: ${words}.\n`,
    );
  }
  return EXIT.ok;
}
