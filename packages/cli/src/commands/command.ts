// How every command begins, and what the commands tell the program that runs them.

import type { Command } from 'commander';
import type { ExitCode } from '../exit-codes.ts';

export interface CommandLinePorts {
  /** Hears how the command that ran came out. */
  readonly done: (code: ExitCode) => void;
  readonly writeHelp: (text: string) => void;
}

export const JSON_HELP = 'print one JSON document to stdout and nothing else';

export function command(parent: Command, name: string, description: string): Command {
  return parent
    .command(name)
    .description(description)
    .allowExcessArguments(false)
    .option('--json', JSON_HELP);
}
