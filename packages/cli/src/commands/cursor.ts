// Finds the command at the cursor, and the kind of word that is expected there. Uses the definitions of the commands, so
// that a new command needs no code here.

import type { Command, Option } from 'commander';

/** The kind of word at the cursor. */
export type CompletionKind =
  | { readonly kind: 'nothing' | 'file' }
  | { readonly kind: 'command'; readonly of: Command }
  | { readonly kind: 'option'; readonly of: Command }
  /** A value for an option or an argument of this name. */
  | { readonly kind: 'value'; readonly name: string; readonly before: readonly string[] };

export interface Cursor {
  readonly want: CompletionKind;
  /** The beginning of the word, which every candidate has. */
  readonly typed: string;
  /** The part before the value: `--scope=`. */
  readonly prefix: string;
}

/** `words` does not contain the name of the program. The last word is at the cursor. */
export function cursorOf(program: Command, words: readonly string[]): Cursor {
  const typed = words.at(-1) ?? '';
  const { command, positionals, open, isPastOptions } = walk(program, words.slice(0, -1));
  const at = (want: CompletionKind, prefix = ''): Cursor => ({ want, typed, prefix });
  if (open !== undefined) return at(valueFor(open));
  if (!isPastOptions && typed.startsWith('-')) {
    const [, prefix = '', name = ''] = /^((--[^=]+)=)/.exec(typed) ?? [];
    const option = optionNamed(command, name);
    return option === undefined
      ? at({ kind: 'option', of: command })
      : at(valueFor(option), prefix);
  }
  const isFirst = positionals.length === 0;
  if (isFirst && visibleCommands(command).length > 0) return at({ kind: 'command', of: command });
  return at(argumentAt(command, positionals, isPastOptions ? 'past-options' : 'among-options'));
}

/** The commands in the help, without hidden ones. */
export function visibleCommands(command: Command): readonly Command[] {
  return command.createHelp().visibleCommands(command);
}

export function visibleOptions(command: Command): readonly Option[] {
  return command.createHelp().visibleOptions(command);
}

interface ParsedWords {
  readonly command: Command;
  readonly positionals: readonly string[];
  /** The option whose value is at the cursor. */
  readonly open: Option | undefined;
  /** Whether the words contain `--`. */
  readonly isPastOptions: boolean;
}

function walk(program: Command, words: readonly string[]): ParsedWords {
  let command = program;
  let open: Option | undefined;
  const positionals: string[] = [];
  for (const [index, word] of words.entries()) {
    if (open !== undefined) {
      open = undefined;
    } else if (word === '--') {
      positionals.push(...words.slice(index + 1));
      return { command, positionals, open, isPastOptions: true };
    } else if (word.startsWith('-') && word !== '-') {
      const option = optionNamed(command, word);
      // With the value attached, as in `--scope=user` and `-suser`, it is not an option's name.
      if (option?.required === true) open = option;
    } else {
      const next = positionals.length === 0 ? commandNamed(command, word) : undefined;
      if (next === undefined) positionals.push(word);
      command = next ?? command;
    }
  }
  return { command, positionals, open, isPastOptions: false };
}

function commandNamed(command: Command, name: string): Command | undefined {
  return visibleCommands(command).find(
    (candidate) => candidate.name() === name || candidate.aliases().includes(name),
  );
}

function optionNamed(command: Command, name: string): Option | undefined {
  return visibleOptions(command).find(({ short, long }) => name === short || name === long);
}

function valueFor(option: Option): CompletionKind {
  return { kind: 'value', name: option.attributeName(), before: [] };
}

/** Commands whose first argument is a new name. */
const WITH_NEW_NAME: readonly string[] = ['add', 'add-json'];

function argumentAt(
  command: Command,
  before: readonly string[],
  place: 'among-options' | 'past-options',
): CompletionKind {
  const given = command.registeredArguments;
  const argument = given[before.length] ?? given.filter(({ variadic }) => variadic).at(-1);
  if (argument === undefined) return { kind: 'nothing' };
  const name = argument.name();
  if (name === 'name' && WITH_NEW_NAME.includes(command.name())) return { kind: 'nothing' };
  // The command of a server follows `--`.
  if (name === 'target') return { kind: place === 'past-options' ? 'file' : 'nothing' };
  if (name === 'command') return { kind: 'command', of: command.parent ?? command };
  return { kind: 'value', name, before };
}
