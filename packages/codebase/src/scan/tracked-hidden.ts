// Finds the hidden files and folders that git tracks, such as `.github`, which are part of the tree unlike other hidden
// files. They are read from git's index without running git, since a repository can make git run programs.

import { dirname, join, relative, resolve, sep } from 'node:path';
import { entryFacts, readPlainBytes } from '../platform/index.ts';
import { looksSecret } from './secret-names.ts';

/** A larger index belongs to a tree that is too large to be served. */
const MOST_BYTES = 256 * 1024 * 1024;
/** Each place is an argument of ripgrep. */
const MOST_PLACES = 1000;
const HIDDEN = /(?:^|\/)\.[^/]/;
/** Git writes no path with such a part. */
const INVALID = /(?:^|\/)(?:\.{0,2})(?:\/|$)|\0/;
const GIT_FILE = /^gitdir: (.+?)\s*$/;

/** The tracked hidden folders and files, relative to the root; empty outside a repository. */
export async function trackedHidden(root: string): Promise<ReadonlySet<string>> {
  const found = await gitIndexOf(root);
  const index = found && (await readPlainBytes(found.file, MOST_BYTES));
  if (found === undefined || index === undefined) return new Set();
  const below = relative(found.top, root).split(sep).join('/');
  const prefix = below === '' ? '' : `${below}/`;
  const places = new Set<string>();
  for (const path of pathsIn(index)) {
    if (!path.startsWith(prefix)) continue;
    const own = path.slice(prefix.length);
    if (!HIDDEN.test(own) || INVALID.test(own) || looksSecret(own)) continue;
    for (const place of hiddenPlaces(own)) places.add(place);
    if (places.size >= MOST_PLACES) break;
  }
  return places;
}

/** `a/.b/c/.d/e` is in `a/.b` and in `a/.b/c/.d`. */
function hiddenPlaces(path: string): readonly string[] {
  const parts = path.split('/');
  return parts.flatMap((part, at) =>
    part.startsWith('.') ? [parts.slice(0, at + 1).join('/')] : [],
  );
}

/** The file of git's index and the folder that its paths are relative to, whether or not the file exists. */
export async function gitIndexOf(
  root: string,
): Promise<{ readonly top: string; readonly file: string } | undefined> {
  for (let top = root; ; top = dirname(top)) {
    const file = join(top, '.git', 'index');
    if ((await entryFacts(top, '.git/index')) !== undefined) return { top, file };
    // In a worktree or a submodule `.git` is a file that names the folder.
    const pointer = await readPlainBytes(join(top, '.git'), 4096);
    const named = pointer === undefined ? undefined : GIT_FILE.exec(pointer.toString('utf8'))?.[1];
    if (named !== undefined) return { top, file: join(resolve(top, named), 'index') };
    if (dirname(top) === top) return undefined;
  }
}

const FIXED_BYTES = 62;
const MODE_AT = 24;
const PLAIN_FILE = 0o10;
const EXTENDED = 0x4000;

/** The paths of plain files in the index. A damaged index ends early. */
function* pathsIn(index: Buffer): Generator<string, void, undefined> {
  if (index.length < 12 || index.toString('latin1', 0, 4) !== 'DIRC') return;
  const version = index.readUInt32BE(4);
  const count = index.readUInt32BE(8);
  let at = 12;
  let before = '';
  for (let number = 0; number < count && at + FIXED_BYTES < index.length; number += 1) {
    const start = at;
    const isPlain = index.readUInt32BE(at + MODE_AT) >> 12 === PLAIN_FILE;
    const flags = index.readUInt16BE(at + FIXED_BYTES - 2);
    at += FIXED_BYTES + ((flags & EXTENDED) === 0 ? 0 : 2);
    let kept = '';
    if (version >= 4) {
      const strip = varintAt(index, at);
      at = strip.end;
      // In Latin-1 each byte is one character.
      kept = before.slice(0, Math.max(0, before.length - strip.value));
    }
    const end = index.indexOf(0, at);
    if (end < 0) return;
    before = kept + index.toString('latin1', at, end);
    at = version >= 4 ? end + 1 : start + ((end - start + 8) & ~7);
    if (isPlain) yield Buffer.from(before, 'latin1').toString('utf8');
  }
}

/** A number as git encodes offsets: seven bits per byte, plus one for each byte that follows. */
function varintAt(bytes: Buffer, from: number): { readonly value: number; readonly end: number } {
  let at = from;
  let byte = bytes[at] ?? 0;
  let value = byte & 127;
  while ((byte & 128) !== 0 && at < from + 8) {
    at += 1;
    byte = bytes[at] ?? 0;
    value = (value + 1) * 128 + (byte & 127);
  }
  return { value, end: at + 1 };
}
