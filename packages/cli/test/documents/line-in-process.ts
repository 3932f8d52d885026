// Which command lines of the pages are run in the process of the test. Each command runs as a process where the pages first show
// it; later lines of the commands that take the longest to load, or to start, run in the process of the test. What a shell has to
// read, and what depends on the process or on paths relative to its folder, is always a process. So is all of the long form.

import { isLong } from '@plugboard/testkit';
import { splitWords } from '../../src/commands/split-words.ts';

const COMMANDS: readonly string[] = [
  'add',
  'auth',
  'call',
  'chat',
  'config',
  'disable',
  'doctor',
  'enable',
  'explain',
  'list',
  'login',
  'logout',
  'permissions',
  'pins',
  'run',
  'secret',
  'tools',
  'trust',
];
const FOR_THE_SHELL = /[$`\\|&;<>(){}[\]*?~#\n]/;

const shown = new Set<string>();

/** The words behind `plugboard`, or `undefined` for a process. */
export function wordsInProcess(line: string): readonly string[] | undefined {
  const [program, command = '', ...rest] = splitWords(line) ?? [];
  const unquoted = line.replaceAll(/'[^']*'|"[^"$`\\]*"/g, '');
  if (isLong || program !== 'plugboard' || FOR_THE_SHELL.test(unquoted)) return undefined;
  if (!COMMANDS.includes(command)) return undefined;
  if (shown.has(command)) return [command, ...rest];
  shown.add(command);
  return undefined;
}
