import { realpath, stat } from 'node:fs/promises';

/** The folder without links on the way; nothing where there is no such folder. */
export async function realFolder(path: string): Promise<string | undefined> {
  try {
    const real = await realpath(path);
    return (await stat(real)).isDirectory() ? real : undefined;
  } catch {
    // Not there, or not ours to look at: there is nothing to work in either way.
    return undefined;
  }
}
