// Which addresses a person may be sent to, and secrets, as far as that can be told by how they are written.
// Pure.

import { isUrl } from '@plugboard/base';
import { pageProblem } from '../network/url-guard.ts';

export function isSafeAddress(text: string, homes: readonly URL[]): boolean {
  return isUrl(text) && pageProblem(new URL(text), homes) === undefined;
}
