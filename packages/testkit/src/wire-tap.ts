// Puts the wire tap between a host and a stdio server, and reads its log. The program runs from `dist`, so the package
// must have been built.

import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { StdioEntry } from './stdio-entry.ts';
import type { TapFrame } from './wire-tap/tap-frame.ts';

const PROGRAM = fileURLToPath(new URL('../dist/wire-tap/main.js', import.meta.url));

/** The same server, with every line of its conversation recorded in `logFile`. */
export function tapped(logFile: string, entry: StdioEntry): StdioEntry {
  return {
    ...entry,
    command: process.execPath,
    args: [PROGRAM, logFile, '--', entry.command, ...entry.args],
  };
}

/** The lines so far, in order. Fails if the tap was never started. */
export async function readTap(logFile: string): Promise<TapFrame[]> {
  const lines = (await readFile(logFile, 'utf8')).split('\n');
  // The tap writes this type. The last line is empty or incomplete.
  return lines.slice(0, -1).map((line) => JSON.parse(line) as TapFrame);
}
