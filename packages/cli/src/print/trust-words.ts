// Explains why an approval could not be stored, and what to do.

import type { TrustProblem } from '@plugboard/host/configuration';
import { UsageError } from '../usage-error.ts';
import { clause } from './diagnostics.ts';
import { diagnosticPlace, shortPath, type Standpoint } from './place.ts';
import { unwritableError } from './system-words.ts';

export function trustError(problem: TrustProblem, from: Standpoint): UsageError {
  switch (problem.kind) {
    case 'unusable-store': {
      const { message, suggestion } = problem.diagnostic;
      return new UsageError(clause(message), clause(suggestion), {
        where: diagnosticPlace(problem.diagnostic, from),
      });
    }
    case 'store-in-project':
      return new UsageError(
        `approvals would be kept in ${shortPath(problem.store, from)}, which belongs to the project`,
        'set XDG_STATE_HOME to a folder outside of it',
      );
    case 'unwritable':
      return unwritableError(shortPath(problem.file, from), problem.code);
    default:
      return problem satisfies never;
  }
}
