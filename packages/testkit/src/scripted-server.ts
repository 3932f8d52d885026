// The entry of scripted servers that run as processes of their own. The program runs from its bundle even if this module
// is loaded from the sources, so the package must have been built.

import { fileURLToPath } from 'node:url';
import type { Script } from './scripted-server/script.ts';
import type { StdioEntry } from './stdio-entry.ts';

// `src`, `dist` and `bundle` are siblings, so the path is the same from all.
const PROGRAM = fileURLToPath(new URL('../bundle/scripted-server.cjs', import.meta.url));

/** An entry of `.mcp.json` that starts a server which follows the script. */
export function scriptedServer(script: Script = {}): StdioEntry {
  return { command: process.execPath, args: [PROGRAM, JSON.stringify(script)] };
}
