// Replaces each line `@path` in a file of instructions by the content of that file, which the user sees and
// approves with the rest. A file is included only from the folder of the file that names it, never through a
// link that leads out. The line of a file that cannot be included stays as it is.

import { dirname, resolve } from 'node:path';
import { leadsOutOf, readTextFile, realPathOf } from '../platform/index.ts';

const MAX_DEPTH = 5;

interface NotesText {
  readonly path: string;
  readonly text: string;
}

export async function withIncludes(
  { path, text }: NotesText,
  { maxBytes }: { readonly maxBytes: number },
  above: readonly string[] = [],
): Promise<string> {
  if (above.length >= MAX_DEPTH || !text.includes('@')) return text;
  const real = await realPathOf(path);
  const lines: string[] = [];
  let left = maxBytes - text.length;
  for (const line of text.split('\n')) {
    const named = /^\s*(?:[-*]\s+)?@([^\s@]+)\s*$/u.exec(line)?.[1];
    const included =
      named === undefined ? undefined : await includedFile(resolve(dirname(path), named), path);
    const isAgain = included !== undefined && [...above, real].includes(included.path);
    if (included === undefined || isAgain || included.text.length > left) lines.push(line);
    else {
      const whole = await withIncludes(included, { maxBytes: left }, [...above, real]);
      left -= whole.length;
      lines.push(whole.replace(/\n$/u, ''));
    }
  }
  return lines.join('\n');
}

const MAX_INCLUDED_BYTES = 64 * 1024;

async function includedFile(path: string, from: string): Promise<NotesText | undefined> {
  if ((await leadsOutOf(dirname(from), path)) !== undefined) return undefined;
  const read = await readTextFile(path, { maxBytes: MAX_INCLUDED_BYTES });
  return read.ok ? { path: await realPathOf(path), text: read.value } : undefined;
}
