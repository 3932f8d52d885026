// The common parts of all commands: shared options, groups, and the error for an unknown command.

import { type Command, Option } from 'commander';
import type { Context } from '../context.ts';
import type { ExitCode } from '../exit-codes.ts';
import { didYouMean, UsageError } from '../usage-error.ts';

/** Receives the exit code of the command that ran. For one that `served`, a signal is the normal end. */
export type Done = (code: ExitCode, what?: 'served') => void;

/** Says of each command, by name, what it takes and does. Only those that are needed are called. */
export type CommandTable = Readonly<
  Record<string, (self: Command, context: Context, done: Done) => void>
>;

export const JSON_HELP = 'print one JSON document to stdout and nothing else';
/** The option is read in program.ts, as `--json` is. */
export const TOOL_BUDGET_HELP =
  'the most that tool definitions may take: tokens, or a share of the context (default: 15%)';
export const TRUST_HELP = 'start servers that came with this folder without asking, for this run';
/** For a command that starts no server. */
export const TRUST_SETTINGS_HELP =
  'also count what the settings of this folder allow, for this run';

/** Also read in program.ts. */
export const YES_HELP = 'approve calls that a rule asks about, for this run';
/** For a command whose calls the user did not type. */
export const YES_TO_ALL_HELP = 'approve all calls that no rule denies, for this run';

/** The options of a command that reads the configured servers. program.ts also reads them. */
export function withNamedServers(reading: Command): Command {
  return reading
    .option(
      '--mcp-config <file-or-json>',
      'also use the servers in this file or JSON, for this run; repeatable',
      collect,
    )
    .option('--strict-mcp-config', 'use only the servers of --mcp-config');
}

/** The options of a command that accepts a server on the command line. `ad-hoc.ts` reads them. */
export function withAdHocServer(calling: Command): Command {
  return calling
    .option('--url <url>', 'use the server at this URL, for this run, instead of a configured one')
    .option('--stdio <command>', 'use this command as the server, for this run; in quotes')
    .option('-H, --header <NAME: VALUE>', 'with --url: an HTTP header; repeatable', collect)
    .option('-e, --env <KEY=VALUE>', 'with --stdio: an environment variable; repeatable', collect);
}

export function command(self: Command, description: string): Command {
  return self.description(description).allowExcessArguments(false).option('--json', JSON_HELP);
}

/** The option `--json` of a command, whose description may differ. */
export function jsonOption({ options }: Command): Option | undefined {
  return options.find(({ long }) => long === '--json');
}

/** A command that only has subcommands. */
export function commandGroup(self: Command, description: string): Command {
  const group = command(self, description)
    .usage('<command>')
    // An excess argument is an unknown command, which has its own error.
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
    didYouMean(nearest && `${before}${nearest}`, `see the list: plugboard ${before}--help`),
  );
}

/** An option whose default is shown without quotes, like the defaults in descriptions. */
export function withDefault(flags: string, description: string, value: string): Option {
  return new Option(flags, description).default(value, value);
}

/** Collects the values of a repeatable option. */
export function collect(value: string, previous: readonly string[] = []): string[] {
  return [...previous, value];
}
