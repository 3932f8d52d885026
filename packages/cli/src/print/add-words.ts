// The questions of `plugboard add`, and the texts beside them.

import type { EditableScope } from '@plugboard/host/configuration';
import type { ShownError } from './error.ts';
import { sanitise } from './sanitise.ts';
import { maskValues, shellWord } from './target.ts';

export const ASK = {
  name: 'Name: ',
  target: 'Command or URL: ',
  env: 'Environment variable, as NAME or NAME=VALUE (Enter for none): ',
  header: 'Header, as NAME: VALUE (Enter for none): ',
  more: 'Another (Enter for no more): ',
  scope:
    'Who has it: local (you, here), project (everyone here) or user (you, everywhere)? [local] ',
  confirm: 'Add it? [Y/n] ',
  cwd: 'Start it here ("cwd": "project")? [Y/n] ',
  paths: 'Write whole paths instead? [Y/n] ',
  secret: 'Write it into the file all the same? [y/N] ',
} as const;

export function replaceQuestion(name: string): string {
  return `There is a "${name}" already. Replace it? [y/N] `;
}

export interface SecretAdvice {
  /** The name to store the secret under. */
  readonly secret: string;
  /** The text to write instead of the secret. */
  readonly instead: string;
}

export function secretAdvice({ secret, instead }: SecretAdvice): string {
  return `That looks like a secret, and everyone who can read the file would have it. Better store it:
  plugboard secret set ${secret}
and write ${instead} here.
`;
}

export interface PlainSecret extends SecretAdvice {
  /** The name of the variable or the header. */
  readonly name: string;
}

/** `file` is a path for people. */
export function plainSecretWarning(
  { name, secret, instead }: PlainSecret,
  file: string,
): ShownError {
  return {
    kind: 'plain-secret',
    message: `${name} looks like a secret, and everyone who can read ${file} has it`,
    fix: `plugboard secret set ${secret}; then add the server again with --force, and ${instead} there`,
  };
}

export interface EntryToShow {
  readonly name: string;
  readonly entry: Readonly<Record<string, unknown>>;
  /** A path for people. */
  readonly file: string;
}

/** The entry as it will be written, with values that may be secret hidden. */
export function entryPreview({ name, entry, file }: EntryToShow): string {
  const shown = Object.fromEntries(
    Object.entries(entry).map(([key, value]) => [
      key,
      key === 'env' || key === 'headers' ? maskValues(value as Record<string, string>) : value,
    ]),
  );
  const text = `${JSON.stringify(name)}: ${JSON.stringify(shown, undefined, 2)}`;
  return `This goes into ${file}:\n${sanitise(text).replaceAll(/^/gmu, '  ')}\n`;
}

/** Words of a command that are paths in the current folder, and an entry in which they still mean that. */
export interface PathsHere {
  readonly words: readonly string[];
  /** `cwd`: the server starts in this folder. `paths`: the words are absolute paths, so that the folder cannot decide what runs. */
  readonly by: 'cwd' | 'paths';
  readonly entry: Readonly<Record<string, unknown>>;
}

export function pathsWarning({ words, by, entry }: PathsHere): string {
  const warning = `${quotedWords(words)} in this folder, and the server starts in an empty one.\n`;
  return by === 'cwd' ? warning : `${warning}Whole paths would be: ${shownArgs(entry)}\n`;
}

export function pathsNote(paths: PathsHere): string {
  const note = `Note: ${pathsWarning(paths)}`;
  const again =
    paths.by === 'cwd'
      ? 'To start it here, add it again with --cwd project --force'
      : 'Add it again with those and --force';
  return `${note}${again}.\n`;
}

function quotedWords(words: readonly string[]): string {
  const shown = words.map((word) => JSON.stringify(sanitise(word))).join(', ');
  return `${shown} ${words.length === 1 ? 'is a path' : 'are paths'}`;
}

function shownArgs({ args }: PathsHere['entry']): string {
  const words = Array.isArray(args) ? args : [];
  return sanitise(words.map((word) => shellWord(String(word))).join(' '));
}

export const WRONG = {
  quote: 'A quote is not closed.',
  env: 'A variable has a name of letters, digits and _, and then "=" and its value.',
  header: 'A header is a name, a colon and a value: Authorization: Bearer ${TOKEN}',
  yesOrNo: 'Please answer y or n.',
} as const;

export function wrongScope(scopes: readonly EditableScope[]): string {
  return `It is one of: ${scopes.join(', ')}.`;
}
