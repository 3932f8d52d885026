// The entry of scripted servers that run as processes of their own. The program runs from `dist` even if this module is
// loaded from the sources, so the package must have been built.

import { fileURLToPath } from 'node:url';
import type { Script } from './scripted-server/script.ts';
import type { StdioEntry } from './stdio-entry.ts';

// `src` and `dist` are siblings, so the path is the same from both.
const PROGRAM = fileURLToPath(new URL('../dist/scripted-server/main.js', import.meta.url));

/** An entry of `.mcp.json` that starts a server which follows the script. */
export function scriptedServer(script: Script = {}): StdioEntry {
  return { command: process.execPath, args: [PROGRAM, JSON.stringify(script)] };
}
