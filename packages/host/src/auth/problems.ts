// Which problems are temporary, so that a later attempt helps and no sign-in is needed. Pure.

import type { AuthorizationProblem } from '../protocol/index.ts';

/** https://www.rfc-editor.org/rfc/rfc6749#section-4.1.2.1; the SDK reports any other bad answer as the first. */
const OUT_OF_ORDER: ReadonlySet<string> = new Set(['server_error', 'temporarily_unavailable']);

export function isPassing(problem: AuthorizationProblem): boolean {
  switch (problem.kind) {
    case 'unreachable':
    case 'bad-answer':
      return true;
    case 'denied':
      return OUT_OF_ORDER.has(problem.error);
    default:
      return false;
  }
}
