// How ripgrep walks the tree, the same for listings and for searches: what ignore files say counts, in a git
// repository or not; hidden files, what looks like a secret, and the user's own settings do not; links are never followed.

import { WITHOUT_SECRETS } from './secret-names.ts';

export const WALK_ARGUMENTS: readonly string[] = [
  '--no-config',
  '--no-follow',
  '--no-require-git',
  '--no-ignore-global',
  '--color=never',
  ...WITHOUT_SECRETS,
];

/** As ripgrep prints it when it was told to walk `./`. */
export function relativePathOf(printed: string): string {
  const plain = printed.startsWith('./') || printed.startsWith('.\\') ? printed.slice(2) : printed;
  return plain.includes('\\') && !plain.includes('/') ? plain.replaceAll('\\', '/') : plain;
}
