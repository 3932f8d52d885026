// The hidden `plugboard __complete SHELL -- WORDS`: prints the candidates for the last word, one per line, for a shell. Starts
// no server. Problems only reduce the candidates, since an error would interrupt a user who is typing.

import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { SHELLS, type Shell } from '../print/completion-scripts.ts';
import { oneLine } from '../print/sanitise.ts';
import { type Candidate, candidatesAt } from './candidates.ts';
import { cursorOf } from './cursor.ts';
import { unquoted } from './split-words.ts';

export interface CompleteRequest {
  readonly program: Command;
  readonly shell: string | undefined;
  /** The words of the line, beginning with `plugboard`. The last one may be empty. */
  readonly words: readonly string[];
}

const MAX_CANDIDATES = 1000;
const DESCRIPTION_COLUMNS = 80;

export async function complete(context: Context, request: CompleteRequest): Promise<ExitCode> {
  const shell = SHELLS.find((candidate) => candidate === request.shell);
  if (shell === undefined) return EXIT.ok;
  const [, ...words] = plainWords(shell, request.words);
  const cursor = cursorOf(request.program, words);
  // The user cannot act on an error while typing; the command itself will report it.
  const found = await candidatesAt(cursor, context).catch(() => []);
  const lines = found
    .filter(({ value }) => value.startsWith(cursor.typed) && isPlain(value))
    .slice(0, MAX_CANDIDATES)
    .map((candidate) => `${lineFor(shell, candidate)}\n`);
  context.terminal.out.write(lines.join(''));
  return EXIT.ok;
}

/** zsh removes quotes itself, fish from all words but the one under the cursor, bash from none. */
function plainWords(shell: Shell, words: readonly string[]): readonly string[] {
  if (shell === 'zsh') return words;
  return words.map((word, index) =>
    shell === 'bash' || index === words.length - 1 ? unquoted(word) : word,
  );
}

function lineFor(shell: Shell, { value, description }: Candidate): string {
  const about = oneLine(description, DESCRIPTION_COLUMNS);
  return shell === 'bash' || about === '' ? value : `${value}\t${about}`;
}

/** The user could not type control characters or several lines. */
function isPlain(value: string): boolean {
  return value !== '' && oneLine(value) === value;
}
