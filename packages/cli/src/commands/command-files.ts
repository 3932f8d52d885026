// Reads chat commands from Markdown files: a few fields, and a text with placeholders for arguments. Skills are commands as
// well. Files of a project must be approved before they are used.

import type { FolderNotes } from '@plugboard/host/configuration';
import { markdownParts } from './markdown-fields.ts';
import { firstOfEach, markdownFiles, type MarkdownSource } from './markdown-files.ts';

export interface CommandFile {
  readonly name: string;
  readonly about: string;
  /** The arguments in the help. */
  readonly usage: string;
  /** The text, with placeholders for the arguments. */
  readonly text: string;
  /** Rules that allow calls while the command runs. Only for files of the user. */
  readonly allows: readonly string[];
  /** For a file of a project, which must be approved first. */
  readonly notes?: FolderNotes;
}

/** If several files have the same name, a file of the user is used before one of the project. */
export async function commandFiles(source: MarkdownSource): Promise<readonly CommandFile[]> {
  const read = await markdownFiles(['commands', 'skills'], source);
  const all = read.flatMap((one) => {
    if (!one.ok) return [];
    const { name, text, notes } = one.value;
    const command = commandFile(name, text);
    return notes === undefined ? [command] : [{ ...command, allows: [], notes }];
  });
  return firstOfEach(all);
}

function commandFile(name: string, whole: string): CommandFile {
  const { fields, text } = markdownParts(whole);
  return {
    name,
    about: (fields.get('description') ?? firstLine(text)).slice(0, 200),
    usage: (fields.get('argument-hint') ?? '').slice(0, 80),
    text,
    allows: (fields.get('allowed-tools') ?? '').split(/,(?![^(]*\))/u).flatMap(ruleOf),
  };
}

export function firstLine(text: string): string {
  return (text.trim().split('\n')[0] ?? '').replace(/^#+\s*/u, '');
}

/** Converts a rule of another host, with its names for the built-in tools. Tools that only read need no rule. */
function ruleOf(written: string): readonly string[] {
  const text = written.trim();
  const [, command] = /^Bash\((.*)\)$/u.exec(text) ?? [];
  if (command !== undefined) {
    return [`workspace/run_command(${command.replace(/:\*$/u, ' *')})`];
  }
  if (/^(?:Edit|Write|MultiEdit)$/u.test(text)) return ['workspace/*_file(.)'];
  const [, domain] = /^WebFetch\(domain:([\w.-]+)\)$/u.exec(text) ?? [];
  if (domain !== undefined) return [`workspace/web_fetch(https://${domain.toLowerCase()})`];
  return /^(?:mcp__.|[^/\s]+\/.)/u.test(text) ? [text] : [];
}

/** `$ARGUMENTS` stands for all arguments, `$1` for the first. Without a placeholder, the arguments follow the text. */
export function fillIn(text: string, rest: string, words: readonly string[]): string {
  if (!/\$(?:ARGUMENTS|[1-9])/u.test(text)) {
    return rest === '' ? text : `${text.trimEnd()}\n\n${rest}`;
  }
  return text.replaceAll(/\$(ARGUMENTS|[1-9])/gu, (_, which: string) =>
    which === 'ARGUMENTS' ? rest : (words[Number(which) - 1] ?? ''),
  );
}
