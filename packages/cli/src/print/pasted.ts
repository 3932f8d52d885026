// The error for a pasted server that cannot be used.

import type { Diagnostic, PasteProblem } from '@plugboard/host/configuration';
import { UsageError } from '../usage-error.ts';
import { clause } from './diagnostics.ts';

export function pasteError(problem: PasteProblem): UsageError {
  switch (problem.kind) {
    case 'unreadable':
      return placedError(problem.diagnostic);
    case 'several':
      return new UsageError(
        `there are ${problem.names.length} servers in it: ${problem.names.join(', ')}`,
        'use one of these names, or give one server at a time',
      );
    case 'invalid-entry': {
      const [first, ...others] = problem.diagnostics;
      return first === undefined
        ? new UsageError('the entry is broken', 'correct it')
        : placedError(first, others);
    }
    default:
      return problem satisfies never;
  }
}

export const PIPED_REFUSALS = {
  tooLong: new UsageError('the input is too long to be an entry', 'pipe only its entry'),
  notText: new UsageError('the input is not UTF-8 text', 'save it as UTF-8 first'),
};

function placedError(first: Diagnostic, others: readonly Diagnostic[] = []): UsageError {
  const isAboutName = first.code === 'bad-name' || first.code === 'reserved-name';
  return new UsageError(clause(first.message), clause(first.suggestion), {
    // The name is an argument and not part of the text.
    ...(isAboutName ? {} : { where: diagnosticPlace(first) }),
    details: others.map((other) => `${diagnosticPlace(other)}: ${clause(other.message)}`),
  });
}

function diagnosticPlace({ file, line, column }: Diagnostic): string {
  return `${file}:${line}:${column}`;
}
