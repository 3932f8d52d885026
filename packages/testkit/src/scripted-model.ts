// The door to scripted models that run as processes of their own. The program runs from `dist`, even when this module
// is loaded from the sources, so the package must have been built.

import { fileURLToPath } from 'node:url';
import { type PeerProcess, startPeer } from './peer-process.ts';

// `src` and `dist` lie side by side, so the way out and back in is the same from both.
const PROGRAM = fileURLToPath(new URL('../dist/scripted-model/main.js', import.meta.url));

/** A process of its own that follows the script in a file. The package must have been built. */
export async function startScriptedModelProcess(file: string): Promise<PeerProcess> {
  return await startPeer({
    entry: (port) => ({ command: process.execPath, args: [PROGRAM, file, String(port)] }),
    ready: /scripted model at /u,
  });
}
