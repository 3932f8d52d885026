// Makes a folder and those above it, where they are missing.

import { mkdir } from 'node:fs/promises';

export async function ensureFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true });
}
