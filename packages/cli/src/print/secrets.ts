// Texts about secrets: their names, their use, and errors. Never a value.

import type { SecretProblem } from '@plugboard/host/configuration';
import { UsageError } from '../usage-error.ts';
import { keychainError } from './keychain-words.ts';
import { shortPath, type Standpoint } from './place.ts';
import { table } from './table.ts';
import { unwritableError } from './system-words.ts';

/** The placeholder for this secret in an entry. */
export function placeholderOf(name: string): string {
  return `\${secret:${name}}`;
}

export function secretTable(names: readonly string[], screen: number): string {
  const columns = [
    { title: 'NAME', cell: (name: string) => name, isName: true },
    { title: 'WRITTEN AS', cell: placeholderOf },
  ];
  return table(columns, names, screen);
}

export function storedWords(name: string, how: 'stored' | 'replaced'): string {
  return `${how === 'stored' ? 'Stored' : 'Replaced'} "${name}". In a server's entry, write it as
  "headers": { "Authorization": "Bearer ${placeholderOf(name)}" }
`;
}

export function secretError(problem: SecretProblem, from: Standpoint): UsageError {
  const shown = (path: string): string => shortPath(path, from);
  switch (problem.kind) {
    case 'invalid-name':
      return new UsageError(
        'this is not a valid name for a secret',
        'use 1 to 128 letters, digits, "_", "." and "-", such as GITHUB_TOKEN',
      );
    case 'invalid-value':
      return problem.reason === 'empty'
        ? new UsageError('the value is empty, so nothing is stored', 'run the command again')
        : new UsageError(
            'the value is not text, so nothing is stored',
            'encode it, as base64 does',
          );
    case 'too-long':
      return new UsageError(
        `the value has ${problem.bytes} bytes, and ${problem.limit} are the most`,
        'keep it in a file, and name the file in the entry',
      );
    case 'unreadable':
      return new UsageError(
        `${shown(problem.where)} cannot be read (${problem.code})`,
        'check that it is a file, and its permissions',
      );
    case 'unwritable':
      return unwritableError(shown(problem.where), problem.code);
    case 'full':
      return new UsageError(
        `${shown(problem.where)} would become longer than ${problem.limit} bytes`,
        'remove what is not needed any more: plugboard secret list',
      );
    case 'busy':
      return new UsageError(
        `another program is changing ${shown(problem.where)}`,
        'run the command again when it has ended',
      );
    case 'no-keychain':
      return keychainError(problem, from);
    case 'invalid-choice':
      return new UsageError(
        'PLUGBOARD_SECRETS is not a word that says where secrets are kept',
        'set it to "auto", "keychain" or "file", or to nothing',
      );
    default:
      return lockedError(problem, shown);
  }
}

type LockedStoreProblem = Extract<SecretProblem, { kind: 'damaged' | 'no-key' | 'wrong-key' }>;

/** The store exists, but cannot be opened. */
function lockedError(problem: LockedStoreProblem, shown: (path: string) => string): UsageError {
  const file = shown(problem.where);
  switch (problem.kind) {
    case 'damaged':
      return damagedError(problem.names, file);
    case 'no-key':
      return new UsageError(
        `the key to ${file} is gone`,
        `bring it back, or remove ${file} and store the secrets again`,
        { where: shown(problem.keyFile) },
      );
    case 'wrong-key':
      if (problem.keyFile === undefined) {
        return new UsageError(
          `${file} was written on another machine, or the keychain has another key by now`,
          `bring back what was in the keychain, or remove ${file} and store the secrets again`,
        );
      }
      return new UsageError(
        `${file} was written with another key or on another machine`,
        `bring back the key, or remove ${file} and store the secrets again`,
        { where: shown(problem.keyFile) },
      );
    default:
      return problem satisfies never;
  }
}

function damagedError(names: readonly string[], file: string): UsageError {
  const [first] = names;
  if (first === undefined) {
    return new UsageError(
      `${file} is damaged`,
      'bring it back from a backup, or remove it and store the secrets again',
    );
  }
  const lost = names.map((name) => `"${name}"`).join(', ');
  return new UsageError(
    `${file} is damaged: what is stored as ${lost} cannot be read`,
    `store it again: plugboard secret set ${first}`,
  );
}
