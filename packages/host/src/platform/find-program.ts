// Looks for the file that the system would run for a command.

import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, resolve } from 'node:path';

export interface ProgramQuery {
  readonly command: string;
  /** The folder that it would start in. */
  readonly cwd: string;
  /** The folders of PATH. */
  readonly searched: string;
}

export type FoundProgram =
  | { readonly kind: 'executable' | 'not-executable'; readonly path: string }
  | { readonly kind: 'nothing' };

export async function findProgram({ command, cwd, searched }: ProgramQuery): Promise<FoundProgram> {
  const hasFolder = command.includes('/') || command.includes('\\');
  const folders = hasFolder ? [''] : searched.split(delimiter);
  let best: FoundProgram = { kind: 'nothing' };
  for (const folder of folders) {
    const found = await checkProgram(resolve(cwd, folder, command));
    if (found.kind === 'executable') return found;
    if (found.kind === 'not-executable') best = found;
  }
  return best;
}

async function checkProgram(path: string): Promise<FoundProgram> {
  try {
    const isFile = (await stat(path)).isFile();
    if (!isFile) return { kind: 'not-executable', path };
  } catch {
    // Missing, or in a folder that may not be entered: the system does not find it either.
    return { kind: 'nothing' };
  }
  try {
    await access(path, constants.X_OK);
    return { kind: 'executable', path };
  } catch {
    // It exists, so only the permission is missing.
    return { kind: 'not-executable', path };
  }
}
