// The door to scripted servers that run as processes of their own. The program runs from `dist`, even when this module
// is loaded from the sources, so the package must have been built.

import { fileURLToPath } from 'node:url';
import type { Script } from './scripted-server/script.ts';
import type { StdioEntry } from './stdio-entry.ts';

// `src` and `dist` lie side by side, so the way out and back in is the same from both.
const PROGRAM = fileURLToPath(new URL('../dist/scripted-server/main.js', import.meta.url));

/** How to start a server that follows the script, as an entry of `.mcp.json` has it. */
export function scriptedServer(script: Script = {}): StdioEntry {
  return { command: process.execPath, args: [PROGRAM, JSON.stringify(script)] };
}
