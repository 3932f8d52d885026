// How every command begins, and what the commands tell the program that runs them.

import type { Command } from 'commander';
import type { ExitCode } from '../exit-codes.ts';
import { UsageError } from '../usage-error.ts';

export interface CommandLinePorts {
  /** Hears how the command that ran came out. A server that `served` ends well by a signal. */
  readonly done: (code: ExitCode, what?: 'served') => void;
  readonly writeHelp: (text: string) => void;
}

export const JSON_HELP = 'print one JSON document to stdout and nothing else';
/** The option is read in program.ts, as `--json` is. */
export const TOOL_BUDGET_HELP =
  'at most so many tokens for definitions of tools, or a share of the context; 15% unless set';
export const TRUST_HELP = 'start what came with this folder without asking, this once';

/** Read in program.ts, too. */
export const YES_HELP = 'say yes to what a rule asks about, this once';

/** The options of a command that reads which servers there are; read in program.ts, too. */
export function withNamedServers(reading: Command): Command {
  return reading
    .option(
      '--mcp-config <file-or-json>',
      'use the servers of this file or JSON as well, this once; repeatable',
      collect,
    )
    .option('--strict-mcp-config', 'use no other servers than those of --mcp-config');
}

/** The options of a command that takes a server of the command line alone; `ad-hoc.ts` reads them. */
export function withAdHocServer(calling: Command): Command {
  return calling
    .option(
      '--url <url>',
      'use the server at this address, this once, in place of a configured one',
    )
    .option('--stdio <command>', 'start this command as the server, this once; in quotes')
    .option('-H, --header <NAME: VALUE>', 'with --url: an HTTP header; repeatable', collect)
    .option('-e, --env <KEY=VALUE>', 'with --stdio: an environment variable; repeatable', collect);
}

export function command(parent: Command, name: string, description: string): Command {
  return parent
    .command(name)
    .description(description)
    .allowExcessArguments(false)
    .option('--json', JSON_HELP);
}

/** A command that only has commands of its own. */
export function commandGroup(parent: Command, name: string, description: string): Command {
  const group = command(parent, name, description)
    .usage('<command>')
    // What is left over is a command that does not exist, and deserves a better word than "excess".
    .allowExcessArguments(true)
    .action(async (_options: object, { args: [unknown] }: Command) => {
      if (unknown === undefined) return group.help();
      throw await unknownCommand(unknown, group);
    });
  return group;
}

/** The error for a command that does not exist. */
export async function unknownCommand(given: string, parent: Command): Promise<UsageError> {
  const { closestName } = await import('@plugboard/host/configuration');
  const before = parent.parent === null ? '' : `${parent.name()} `;
  const shown = parent.createHelp().visibleCommands(parent);
  const nearest = closestName(
    given,
    shown.map((candidate) => candidate.name()),
  );
  return new UsageError(
    `there is no command "${before}${given}"`,
    nearest === undefined
      ? `see which there are: plugboard ${before}--help`
      : `did you mean "${before}${nearest}"?`,
  );
}

/** Of an option that may be given several times. */
export function collect(value: string, previous: readonly string[] = []): string[] {
  return [...previous, value];
}
