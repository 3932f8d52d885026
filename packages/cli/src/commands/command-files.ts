// Commands that are files: Markdown with a few fields at its top, and a text in which arguments are filled in. Skills are
// commands as well. Those of the user's own count as they are; those of a project wait for an approval of their text.

import { basename, join } from 'node:path';
import {
  type FolderNotes,
  type HostEnvironment,
  listFolder,
  readFolderNotes,
  readTextFile,
} from '@plugboard/host/configuration';
import { cleanedText } from '@plugboard/host/decisions';

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

const NAME = /^[A-Za-z][\w.-]{0,63}$/u;
const MAX_BYTES = 64 * 1024;
const MOST_FILES = 200;

/** A name that stands in several places is the user's own; then that of the project. */
export async function commandFiles(
  environment: HostEnvironment,
  root: string,
): Promise<readonly CommandFile[]> {
  const { paths, home } = environment;
  const own = await filesIn([paths.config, join(home, '.claude')]);
  const ofProject = await filesIn([join(root, '.plugboard'), join(root, '.claude')]);
  const mine = await Promise.all(
    own.map(async ({ name, path }) => {
      const read = await readTextFile(path, { maxBytes: MAX_BYTES });
      return read.ok ? [commandFile(name, read.value)] : [];
    }),
  );
  const theirs = await Promise.all(
    ofProject.map(async ({ name, path }) => {
      const [read] = await readFolderNotes(environment, { root, paths: [path] });
      if (read?.ok !== true) return [];
      // The model reads what the person sees before a yes: nothing hidden.
      const { text } = cleanedText(read.value.text);
      return [{ ...commandFile(name, text), allows: [], notes: read.value }];
    }),
  );
  const all = [...mine.flat(), ...theirs.flat()];
  return all.filter(({ name }, at) => all.findIndex((other) => other.name === name) === at);
}

interface NamedPath {
  readonly name: string;
  readonly path: string;
}

async function filesIn(folders: readonly string[]): Promise<readonly NamedPath[]> {
  const found = await Promise.all(
    folders.map(async (folder) => {
      const [commands, skills] = [join(folder, 'commands'), join(folder, 'skills')];
      const files = (await listFolder(commands)).filter(({ name }) => name.endsWith('.md'));
      const skilled = (await listFolder(skills)).filter(({ kind }) => kind === 'folder');
      return [
        ...files.map(({ name }) => ({ name: basename(name, '.md'), path: join(commands, name) })),
        ...skilled.map(({ name }) => ({ name, path: join(skills, name, 'SKILL.md') })),
      ];
    }),
  );
  return found
    .flat()
    .filter(({ name }) => NAME.test(name))
    .slice(0, MOST_FILES);
}

function commandFile(name: string, whole: string): CommandFile {
  const { fields, text } = withoutFields(whole);
  return {
    name,
    about: (fields.get('description') ?? firstLine(text)).slice(0, 200),
    usage: (fields.get('argument-hint') ?? '').slice(0, 80),
    text,
    allows: (fields.get('allowed-tools') ?? '').split(/,(?![^(]*\))/u).flatMap(ruleOf),
  };
}

/** The fields between two lines of dashes, each on a line of its own. */
function withoutFields(whole: string): {
  readonly fields: ReadonlyMap<string, string>;
  readonly text: string;
} {
  const found = /^---\r?\n([\s\S]*?)\r?\n---\r?\n?/u.exec(whole);
  if (found === null) return { fields: new Map(), text: whole };
  const fields = (found[1] ?? '').split(/\r?\n/u).flatMap((line) => {
    const [, key, value] = /^([\w-]+):\s*(.*)$/u.exec(line) ?? [];
    if (key === undefined || value === undefined) return [];
    return [[key, value.trim().replace(/^(["'[])(.*)["'\]]$/u, '$2')] as const];
  });
  return { fields: new Map(fields), text: whole.slice(found[0].length) };
}

function firstLine(text: string): string {
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
