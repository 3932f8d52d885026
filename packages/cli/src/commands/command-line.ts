// The command line: the program with its commands, their options and their help. Only the named command is described to
// Commander, and its code is loaded when it runs.

import { Command, Help } from 'commander';
import type { Context } from '../context.ts';
import { MAIN_HELP } from '../print/help-text.ts';
import { fitHelp } from '../print/fit-help.ts';
import { wrapTo } from '../print/width.ts';
import { command, type CommandTable, type Done, JSON_HELP, unknownCommand } from './command.ts';
import { agentCommands } from './agent-commands.ts';
import { authCommands } from './auth-commands.ts';
import { codebaseCommands } from './codebase-commands.ts';
import { addCompleteCommand, completionCommands } from './completion-commands.ts';
import { configCommands } from './config-commands.ts';
import { editCommands } from './edit-commands.ts';
import { gatewayCommands } from './gateway-commands.ts';
import { importCommands } from './import-commands.ts';
import { permissionCommands } from './permission-commands.ts';
import { pinsCommands } from './pins-commands.ts';
import { pluginCommands } from './plugin-commands.ts';
import { primitiveCommands } from './primitive-commands.ts';
import { secretCommands } from './secret-commands.ts';
import { serverCommands, showCommands } from './server-commands.ts';
import { snippetCommands } from './snippet-commands.ts';
import { trustCommands } from './trust-commands.ts';

/** In the order of the help: first the configuration, then its use. */
const COMMANDS: CommandTable = {
  ...showCommands,
  ...editCommands,
  ...importCommands,
  ...trustCommands,
  ...authCommands,
  ...permissionCommands,
  ...pinsCommands,
  ...secretCommands,
  ...snippetCommands,
  ...pluginCommands,
  ...configCommands,
  ...serverCommands,
  ...primitiveCommands,
  ...gatewayCommands,
  ...codebaseCommands,
  ...agentCommands,
  ...completionCommands,
};

interface CommandLineOptions {
  /** The first word, if it is known. Help, completion, aliases and unknown words need all commands. */
  readonly word?: string | undefined;
  readonly done: Done;
  readonly writeHelp: (text: string) => void;
}

export function commandLine(
  context: Context,
  { word, done, writeHelp }: CommandLineOptions,
): Command {
  const { out } = context.terminal;
  const program = new Command('plugboard')
    .description('Plug every MCP server into your terminal and your agents.')
    .usage('[command]')
    .version(context.version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show this help')
    // Replaced below, since Commander's command does not report an unknown name.
    .helpCommand(false)
    .showSuggestionAfterError(true)
    .configureHelp({ subcommandTerm, minWidthToWrap: MIN_EXPLANATION_COLUMNS, formatItem })
    .configureOutput({
      writeOut: (text) => writeHelp(fitHelp(text, out.columns)),
      // Errors are also thrown, and `program.ts` prints them.
      writeErr: () => {},
      getOutHelpWidth: () => Math.min(out.columns, HELP_COLUMNS),
    })
    .exitOverride()
    // Options after a command may belong to another program.
    .enablePositionalOptions()
    .option('--json', JSON_HELP)
    .addHelpText('after', MAIN_HELP)
    // Unknown commands are reported in the action, as in a group of commands.
    .allowExcessArguments(true)
    .action(async (_options: object, { args: [unknown] }: Command) => {
      if (unknown !== undefined) throw await unknownCommand(unknown, program);
      const { welcome } = await import('./welcome.ts');
      done(await welcome(context));
    });
  const all = Object.entries(COMMANDS);
  const named = all.filter(([name]) => name === word);
  for (const [name, describe] of named.length > 0 ? named : all) {
    describe(program.command(name), context, done);
  }
  if (named.length > 0) return program;
  addCompleteCommand(program, context, done);
  addHelpCommand(program);
  return program;
}

/** Lines longer than this are hard to read, however wide the screen is. */
const HELP_COLUMNS = 100;

function addHelpCommand(program: Command): void {
  command(program.command('help'), 'show help for a command')
    .argument('[command]', 'the name of the command')
    .action(async (name: string | undefined) => {
      const wanted = program.commands.find((candidate) => isCalled(candidate, name));
      if (name !== undefined && wanted === undefined) throw await unknownCommand(name, program);
      (wanted ?? program).help();
    });
}

function isCalled(candidate: Command, name: string | undefined): boolean {
  return name !== undefined && [candidate.name(), ...candidate.aliases()].includes(name);
}

/** The minimum width of an explanation beside its term. */
const MIN_EXPLANATION_COLUMNS = 24;

/** On a narrow screen, the explanation of a term goes below it. */
function formatItem(...item: Parameters<Help['formatItem']>): string {
  const [term, termWidth, explanation, help] = item;
  const columns = help.helpWidth ?? HELP_COLUMNS;
  if (explanation === '' || columns - termWidth - 4 >= MIN_EXPLANATION_COLUMNS) {
    return Help.prototype.formatItem.apply(help, item);
  }
  return [
    ...wrapTo(term, Math.max(1, columns - 2)).map((line) => `  ${line}`),
    ...wrapTo(explanation, Math.max(1, columns - 6)).map((line) => `      ${line}`),
  ].join('\n');
}

/** `call <server> <tool> [arguments...]`, without the `[options]` that every command has. */
function subcommandTerm(subcommand: Command): string {
  const words = subcommand.registeredArguments.map((argument) => {
    const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
    return argument.required ? `<${name}>` : `[${name}]`;
  });
  return [[subcommand.name(), ...subcommand.aliases()].join('|'), ...words].join(' ');
}
