// Starts scripted models as processes of their own. The program runs from `dist` even if this module is loaded from the
// sources, so the package must have been built.

import { fileURLToPath } from 'node:url';
import { type PeerProcess, startPeer } from './peer-process.ts';

// `src` and `dist` are siblings, so the path is the same from both.
const PROGRAM = fileURLToPath(new URL('../dist/scripted-model/main.js', import.meta.url));

/** Starts a process that follows the script in a file. */
export async function startScriptedModelProcess(file: string): Promise<PeerProcess> {
  return await startPeer({
    entry: (port) => ({ command: process.execPath, args: [PROGRAM, file, String(port)] }),
    ready: /scripted model at /u,
  });
}
