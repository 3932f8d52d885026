// Which addresses a person may be sent to, and secrets, as far as that can be told by how they are written.
// Pure.

import { pageProblem } from '../network/url-guard.ts';

export function isSafeAddress(text: string, homes: readonly URL[]): boolean {
  return URL.canParse(text) && pageProblem(new URL(text), homes) === undefined;
}
