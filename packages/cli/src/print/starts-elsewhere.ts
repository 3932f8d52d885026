// Advice for a server that failed because its command names files of the current folder, but starts in another folder.

import type { ShownError } from './error.ts';
import { shortPath, type Standpoint } from './place.ts';
import { quoted } from './visible.ts';

export interface MisplacedPaths {
  readonly words: readonly string[];
  readonly startsIn: string;
  readonly environment: Standpoint;
}

export function startsElsewhere(
  problem: ShownError,
  { words, startsIn, environment }: MisplacedPaths,
): ShownError {
  const folder = shortPath(startsIn, environment);
  const named = words.map(quoted).join(', ');
  return {
    ...problem,
    details: [
      ...(problem.details ?? []),
      `it starts in ${folder}, and ${named} ${words.length === 1 ? 'is' : 'are'} in the folder that you are in`,
    ],
    fix: 'to start it in the folder that you work in, write "cwd": "project" in its entry; or write a whole path, where ${PLUGBOARD_PROJECT} stands for that folder',
  };
}
