// Explains why the gateway cannot be written into a file of another MCP host.

import type { ClientProblem } from '@plugboard/host/configuration';
import type { ShownError } from './error.ts';
import { shortPath, type Standpoint } from './place.ts';
import { writeFix } from './system-words.ts';

export function clientProblemWords(
  problem: ClientProblem,
  title: string,
  from: Standpoint,
): ShownError {
  const { kind } = problem;
  const file = 'file' in problem ? shortPath(problem.file, from) : '';
  switch (problem.kind) {
    case 'unreadable':
      return {
        kind,
        message: `${title}: ${file} cannot be used: ${problem.message}`,
        fix: 'fix the file, then run the command again',
      };
    case 'not-understood':
      return {
        kind,
        message: `${title}: ${file} is left as it is, since it cannot be understood`,
        fix: 'look for a mistake in it, then run the command again',
      };
    case 'by-hand':
      return {
        kind,
        message: `${title}: ${file} is left as it is, since its servers are not written as tables`,
        fix: 'change the entry "plugboard" there by hand',
      };
    case 'other-server':
      return {
        kind,
        message: `${title}: ${file} has another server called "plugboard"`,
        fix: 'rename that server there, then run the command again',
      };
    case 'only-programs':
      return {
        kind,
        message: `${title} reaches no server over HTTP by its file`,
        fix: 'leave out --http: it then starts the gateway itself',
      };
    case 'changed-meanwhile':
      return {
        kind,
        message: `${title}: ${file} has changed since it was read`,
        fix: 'run the command again',
      };
    case 'locked':
      return {
        kind,
        message: `${title}: ${file} is being edited by ${problem.holder === undefined ? 'someone else' : `process ${problem.holder}`}`,
        fix: `try again when that is done; if nothing edits the file, delete ${shortPath(problem.lock, from)}`,
      };
    case 'unwritable':
      return {
        kind,
        message: `${title}: ${file} cannot be written (${problem.code})`,
        fix: writeFix(problem.code),
      };
    default:
      return problem satisfies never;
  }
}
