// How ripgrep walks the tree, the same for listings and for searches: what ignore files say counts, in a git
// repository or not; what looks like a secret and the user's own settings do not; hidden files are left out unless git tracks
// them; links are never followed.

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

/** Where it walks: the root, and what it would pass over in it since it is hidden. */
export async function walkedPlaces(root: { readonly path: string }): Promise<readonly string[]> {
  const plain = new PlainFiles(root.path);
  // Ripgrep follows a link that it is handed, unlike one that it finds.
  const hidden = [...(await trackedHidden(root.path))].filter(
    (path) => plain.has(path) || plain.hasFolder(path),
  );
  return ['./', ...hidden.map((path) => `./${path}`)];
}

/** As ripgrep prints it when it was told to walk `./`. */
export function relativePathOf(printed: string): string {
  const plain = printed.startsWith('./') || printed.startsWith('.\\') ? printed.slice(2) : printed;
  return plain.includes('\\') && !plain.includes('/') ? plain.replaceAll('\\', '/') : plain;
}

/** Whether it came to its end, with or without complaints: else it was killed or broke, and what it printed is a part. */
export function hasWalkedAll(code: number | null): boolean {
  return code !== null && code <= 2;
}
