// Runs one command line: parses it, runs the command, and reports every error in the same form.

import { type Command, CommanderError } from 'commander';
import { messageOf } from '@plugboard/base';
import { commandLine } from './commands/command-line.ts';
import type { Context } from './context.ts';
import { EXIT, EXIT_OF_SIGNAL, type ExitCode } from './exit-codes.ts';
import { printError, type ShownError } from './print/error.ts';
import { printJson } from './print/json.ts';
import { isFolderGone, systemFix } from './print/system-words.ts';
import { Interruption, type Terminal } from './terminal.ts';
import { CancelledError, UsageError } from './usage-error.ts';

export interface ProgramOptions {
  readonly version: string;
  readonly terminal: Terminal;
}

/** Never throws. */
export async function runProgram(
  args: readonly string[],
  { version, terminal }: ProgramOptions,
): Promise<ExitCode> {
  const context: Context = {
    version,
    terminal,
    isJson: hasOption(args, '--json'),
    json: commandWord(args) === 'run' ? 'events' : undefined,
    trust: hasOption(args, '--trust-project') ? 'project' : 'stored',
    wordsAfterDashes: args.length - optionsOf(args).length - 1,
    named: {
      mcpConfig: valuesOf(args, '--mcp-config'),
      mcpConfigCounts: hasOption(args, '--strict-mcp-config') ? 'only' : 'with-others',
    },
    ...(hasOption(args, '--yes') ? { answer: 'yes' } : {}),
  };
  let exitCode: ExitCode = EXIT.ok;
  let isServed = false;
  const help: string[] = [];
  const program = commandLine(context, {
    word: asksForHelpFirst(args) ? undefined : commandWord(args),
    done: (code, what) => {
      exitCode = code;
      isServed = what === 'served';
    },
    writeHelp: (text) => help.push(text),
  });
  try {
    await program.parseAsync([...args], { from: 'user' });
  } catch (thrown) {
    if (thrown instanceof CommanderError && thrown.exitCode === 0) {
      printHelp(context, thrown, help.join(''));
    } else {
      const error = errorOf(thrown, program, args);
      printError(context, terminal.interrupted.aborted ? withoutAdvice(error) : error);
      exitCode = EXIT.usage;
    }
  }
  return isServed ? exitCode : (exitCodeOfInterruption(terminal) ?? exitCode);
}

/** `undefined` if the command was not interrupted. */
function exitCodeOfInterruption({ interrupted }: Terminal): ExitCode | undefined {
  const reason: unknown = interrupted.reason;
  return reason instanceof Interruption ? EXIT_OF_SIGNAL[reason.signal] : undefined;
}

/** A user who stopped the command needs no advice. */
function withoutAdvice({ fix: _, ...error }: ShownError): ShownError {
  return error;
}

/** The first word that is not an option. */
function commandWord(args: readonly string[]): string | undefined {
  return args.find((candidate) => !candidate.startsWith('-'));
}

/** `plugboard --help call` shows the help of all commands. */
function asksForHelpFirst(args: readonly string[]): boolean {
  const word = args.findIndex((candidate) => !candidate.startsWith('-'));
  return args.slice(0, Math.max(0, word)).some((option) => ['-h', '--help'].includes(option));
}

/** Read before the arguments are parsed, because errors in the arguments are printed as JSON too. */
function hasOption(args: readonly string[], option: string): boolean {
  return optionsOf(args).includes(option);
}

/** The values of a repeatable option, written as `--option value` or `--option=value`. */
function valuesOf(args: readonly string[], option: string): readonly string[] {
  const options = optionsOf(args);
  return options.flatMap((arg, index) => {
    if (arg === option) return options[index + 1] ?? [];
    return arg.startsWith(`${option}=`) ? [arg.slice(option.length + 1)] : [];
  });
}

/** Words after `--` are not options of this command. */
function optionsOf(args: readonly string[]): readonly string[] {
  const end = args.indexOf('--');
  return end === -1 ? args : args.slice(0, end);
}

/** Commander throws after it has shown help or the version, too. */
function printHelp(context: Context, { code }: CommanderError, text: string): void {
  if (!context.isJson) context.terminal.out.write(text);
  else if (code === 'commander.version') printJson(context, { version: context.version });
  else printJson(context, { help: text });
}

function errorOf(thrown: unknown, program: Command, args: readonly string[]): ShownError {
  if (thrown instanceof CancelledError || thrown instanceof Interruption)
    return { kind: 'cancelled', message: 'cancelled' };
  if (thrown instanceof CommanderError) return commanderError(thrown, program, args);
  if (thrown instanceof UsageError) {
    const { kind, message, where, details, fix } = thrown;
    return { kind, message, where, fix, ...(details.length === 0 ? {} : { details }) };
  }
  if (isFolderGone(thrown)) {
    return {
      kind: 'usage',
      message: 'the folder that you are in no longer exists',
      fix: 'go to one that does: cd ~',
    };
  }
  const fix = systemFix(thrown);
  if (fix !== undefined) return { kind: 'internal', message: messageOf(thrown), fix };
  return {
    kind: 'internal',
    message: `something went wrong inside plugboard: ${messageOf(thrown)}`,
    fix: 'this is a bug: please report it with the command you ran',
  };
}

function commanderError(
  thrown: CommanderError,
  program: Command,
  args: readonly string[],
): ShownError {
  // A message of Commander is `error: …`, with `(Did you mean …?)` on a second line.
  const [first = '', second = ''] = thrown.message.replace(/^error: /, '').split('\n');
  const guess = /^\(Did you mean (.+)\?\)$/.exec(second)?.[1];
  const word = commandWord(args);
  const command = program.commands.find((candidate) =>
    [candidate.name(), ...candidate.aliases()].includes(word ?? ''),
  );
  const help = command === undefined ? 'plugboard --help' : `plugboard ${command.name()} --help`;
  const isForeignOption = command?.name() === 'add' && thrown.code === 'commander.unknownOption';
  const fix = guess === undefined ? `see the usage: ${help}` : `did you mean ${guess}?`;
  return {
    kind: 'usage',
    message: first.replace(/\.$/, ''),
    fix: isForeignOption
      ? 'write -- before the command of the server: plugboard add NAME -- COMMAND'
      : fix,
  };
}
