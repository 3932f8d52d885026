// The common parts of all editing commands: parsing a scope, and the error if a file cannot be edited.

import {
  EDITABLE_SCOPES,
  type EditableScope,
  type EditProblem,
} from '@plugboard/host/configuration';
import { clause } from '../print/diagnostics.ts';
import { diagnosticPlace, shortPath, type Standpoint } from '../print/place.ts';
import { UsageError } from '../usage-error.ts';
import { unwritableError } from '../print/system-words.ts';

export function scopeOf(text: string): EditableScope {
  const scope = EDITABLE_SCOPES.find((candidate) => candidate === text);
  if (scope !== undefined) return scope;
  throw new UsageError(`there is no scope "${text}"`, `use one of: ${EDITABLE_SCOPES.join(', ')}`);
}

export interface EditedServer {
  readonly name: string;
  readonly file: string;
  readonly from: Standpoint;
}

export function editError(problem: EditProblem, { name, file, from }: EditedServer): UsageError {
  const shown = shortPath(file, from);
  switch (problem.kind) {
    case 'exists':
      return new UsageError(`"${name}" is already in ${shown}`, 'add --force to replace it');
    case 'not-found':
      return new UsageError(`"${name}" is not in ${shown}`, 'see where it is: plugboard list');
    case 'invalid-entry': {
      const [first] = problem.diagnostics;
      return new UsageError(
        clause(first?.message ?? 'the entry is broken'),
        clause(first?.suggestion ?? 'correct it'),
      );
    }
    case 'invalid-file': {
      const { message, suggestion } = problem.diagnostic;
      return new UsageError(
        `${shown} is left as it is: ${clause(message)}`,
        `${clause(suggestion)}; then run the command again`,
        { where: diagnosticPlace(problem.diagnostic, from) },
      );
    }
    case 'leads-out':
      return new UsageError(
        `${shortPath(problem.file, from)} is left as it is: a link leads out of this project, to ${shortPath(problem.target, from)}`,
        'put a file in the place of the link, or edit by hand what it leads to; then run the command again',
      );
    case 'unwritable':
      return unwritableError(shortPath(problem.file, from), problem.code);
    case 'locked': {
      const { holder, lock } = problem;
      const who = holder === undefined ? 'someone else' : `process ${holder}`;
      return new UsageError(
        `${shortPath(problem.file, from)} is being edited by ${who}`,
        `try again when that is done; if nothing edits the file, delete ${shortPath(lock, from)}`,
      );
    }
    default:
      return problem satisfies never;
  }
}
