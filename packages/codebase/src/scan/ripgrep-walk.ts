// How ripgrep walks the tree, for listings and searches alike: it follows ignore files, in a git repository or not, skips
// files that look like secrets, disregards the user's own settings, skips hidden files unless git tracks them, and never
// follows links.

import { PlainFiles } from '../platform/index.ts';
import { WITHOUT_SECRETS } from './secret-names.ts';
import { trackedHidden } from './tracked-hidden.ts';

export const WALK_ARGUMENTS: readonly string[] = [
  '--no-config',
  '--no-follow',
  '--no-require-git',
  '--no-ignore-global',
  '--color=never',
  ...WITHOUT_SECRETS,
];

/** The places to walk: the root, and the tracked hidden places that ripgrep would skip. */
export async function walkedPlaces(root: { readonly path: string }): Promise<readonly string[]> {
  const plain = new PlainFiles(root.path);
  // Ripgrep follows a link that is an argument, unlike one that it finds.
  const hidden = [...(await trackedHidden(root.path))].filter(
    (path) => plain.has(path) || plain.hasFolder(path),
  );
  return ['./', ...hidden.map((path) => `./${path}`)];
}

/** The relative path for a name that ripgrep prints when it walks `./`. */
export function relativePathOf(printed: string): string {
  const plain = printed.startsWith('./') || printed.startsWith('.\\') ? printed.slice(2) : printed;
  return plain.includes('\\') && !plain.includes('/') ? plain.replaceAll('\\', '/') : plain;
}

/** Whether ripgrep finished, with or without complaints; otherwise it was killed or crashed, and its output is incomplete. */
export function hasWalkedAll(code: number | null): boolean {
  return code !== null && code <= 2;
}
