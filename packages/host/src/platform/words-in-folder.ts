// Finds the words of a command line that name something in one folder that does not exist in another: what a program
// misses if it starts in the other one.

import { isAbsolute, join } from 'node:path';
import { exists } from './find-up.ts';

export async function wordsOnlyIn(
  words: readonly string[],
  { folder, startsIn }: { readonly folder: string; readonly startsIn: string },
): Promise<readonly string[]> {
  if (folder === startsIn) return [];
  const found = await Promise.all(
    words.map(async (word) => {
      const path = pathIn(word);
      if (path === undefined) return [];
      if (/^\.{1,2}[/\\]?$/.test(path)) return [word];
      const [isHere, isThere] = await Promise.all([
        exists(join(folder, path)),
        exists(join(startsIn, path)),
      ]);
      return isHere && !isThere ? [word] : [];
    }),
  );
  return found.flat();
}

const MAX_PATH = 1024;

/** Paths such as `./x`, `src/x`, `x.mjs` and `--root=./x`; a bare word without an extension is not taken for a path. */
function pathIn(word: string): string | undefined {
  const path = word.startsWith('-') ? word.slice(word.indexOf('=') + 1) : word;
  const isPath = /^\.{1,2}$|[/\\]|\.\w+$/.test(path) && !path.startsWith('-');
  const isElsewhere = isAbsolute(path) || path.includes('://') || path.includes('${');
  return isPath && !isElsewhere && path.length <= MAX_PATH ? path : undefined;
}
