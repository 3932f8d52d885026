// Commands that are files: Markdown with a few fields at its top, and a text in which arguments are filled in. Skills are
// commands as well. Those of the user's own count as they are; those of a project wait for an approval of their text.

import type { FolderNotes } from '@plugboard/host/configuration';
import { markdownParts } from './markdown-fields.ts';
import { firstOfEach, markdownFiles, type MarkdownSource } from './markdown-files.ts';

export interface CommandFile {
  readonly name: string;
  readonly about: string;
  /** What may follow its name. */
  readonly usage: string;
  /** Where the arguments go is marked. */
  readonly text: string;
  /** Rules for calls that run without a question while it is carried out; only of the user's own. */
  readonly allows: readonly string[];
  /** Of a project: to be approved first. */
  readonly notes?: FolderNotes;
}

/** A name that is in several places is the user's own; then that of the project. */
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

/** As a rule of ours; other hosts' names of tools stand for the built-in ones. Tools that only read need no rule. */
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

/** `$ARGUMENTS` is all of them, `$1` the first. Where the text marks no place, they come after it. */
export function filledIn(text: string, rest: string, words: readonly string[]): string {
  if (!/\$(?:ARGUMENTS|[1-9])/u.test(text)) {
    return rest === '' ? text : `${text.trimEnd()}\n\n${rest}`;
  }
  return text.replaceAll(/\$(ARGUMENTS|[1-9])/gu, (_, which: string) =>
    which === 'ARGUMENTS' ? rest : (words[Number(which) - 1] ?? ''),
  );
}
