// Finds the code of a network error, which Node puts into a cause or a cause of a cause.

import { codeOf, isObject } from '@plugboard/base';

export function networkCodeOf(thrown: unknown): string {
  let current: unknown = thrown;
  for (let depth = 0; depth < 5 && isObject(current); depth += 1) {
    const code = codeOf(current);
    if (code !== undefined) return code;
    current =
      current instanceof AggregateError
        ? (current.errors as readonly unknown[])[0]
        : current['cause'];
  }
  return 'UNKNOWN';
}
