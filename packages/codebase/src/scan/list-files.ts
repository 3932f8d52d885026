// Lists all files of the tree that are not ignored, by means of ripgrep: streamed, with the facts that later tell whether a
// file has changed. Unreadable folders are skipped.

import { CodedError } from '@plugboard/base';
import { fileFactsNow, realFolder, ripgrepProgram, runProgram } from '../platform/index.ts';
import { hasWalkedAll, relativePathOf, WALK_ARGUMENTS, walkedPlaces } from './ripgrep-walk.ts';

export interface ListedFile {
  readonly path: string;
  readonly size: number;
  readonly mtimeMs: number;
  readonly ino: number;
}

export function isSameFile(a: Omit<ListedFile, 'path'>, b: Omit<ListedFile, 'path'>): boolean {
  return a.size === b.size && a.mtimeMs === b.mtimeMs && a.ino === b.ino;
}

/** Throws a `CodedError` if the root is gone or ripgrep was killed: some of the files must not pass for all of them. */
export async function* listFiles(
  root: { readonly path: string },
  signal: AbortSignal,
  priority: 'normal' | 'low' = 'normal',
): AsyncGenerator<ListedFile, void, undefined> {
  for await (const path of listPaths(root, signal, priority)) {
    const facts = fileFactsNow(root.path, path);
    if (facts !== undefined) yield { path, ...facts };
  }
}

/** Lists only paths, which suffice to choose files by name. */
export async function* listPaths(
  root: { readonly path: string },
  signal: AbortSignal,
  priority: 'normal' | 'low' = 'normal',
): AsyncGenerator<string, void, undefined> {
  signal.throwIfAborted();
  const program = await ripgrepProgram();
  if ((await realFolder(root.path)) !== root.path) throw rootGone(root.path);
  const args = [...WALK_ARGUMENTS, '--files', '--null', '--', ...(await walkedPlaces(root))];
  const run = runProgram({ program, args, cwd: root.path, signal, priority });
  try {
    let rest: Buffer = Buffer.alloc(0);
    for await (const piece of run.output) {
      const bytes: Buffer = rest.length === 0 ? piece : Buffer.concat([rest, piece]);
      let from = 0;
      for (let end = bytes.indexOf(0); end !== -1; end = bytes.indexOf(0, from)) {
        const name = bytes.toString('utf8', from, end);
        from = end + 1;
        // A name that is not UTF-8 could not be requested either.
        if (!name.includes('\uFFFD')) yield relativePathOf(name);
      }
      rest = bytes.subarray(from);
    }
    const { code } = await run.ended;
    if (!hasWalkedAll(code)) throw listingEnded(root.path);
  } finally {
    run.stop();
  }
}

const MOST_COMPLAINTS = 20;

/** One line each, without the name of the program. */
export function complaintsIn(text: string): readonly string[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.slice(0, MOST_COMPLAINTS).map(complaintIn);
}

function complaintIn(line: string): string {
  const words = line.replace(/^rg: (\.[/\\])?/, '');
  return words === TOO_MANY_PATTERNS
    ? 'an ignore file, whose patterns are too many or too long: what it leaves out was looked at as well'
    : words;
}

/** What ripgrep reports when it cannot compile the patterns of an ignore file. */
const TOO_MANY_PATTERNS = 'error building NFA';

function rootGone(path: string): CodedError {
  return new CodedError('root-gone', `the folder ${path} no longer exists`, { data: { path } });
}

function listingEnded(path: string): CodedError {
  const message = `ripgrep was killed while it listed the files of ${path}`;
  return new CodedError('listing-ended', message, { data: { path } });
}
