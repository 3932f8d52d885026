// The paths of this folder, the repository, and the measured programs.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const benchFolder = fileURLToPath(new URL('.', import.meta.url));
export const plugboardBin = inRepository('packages/cli/bin/plugboard.js');
export const fastEchoServer = inBench('servers/fast-echo.js');
export const sdkEchoServer = inBench('servers/sdk-echo.js');
export const barePrompt = inBench('servers/bare-prompt.js');
export const bareCall = inBench('servers/bare-call.js');
export const sdkCall = inBench('servers/sdk-call.js');
export const codebaseBin = inRepository('packages/codebase/bin/plugboard-codebase.js');
export const idleIndex = inBench('servers/idle-index.js');

export function inBench(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url));
}

export function inRepository(path: string): string {
  return inBench(`../${path}`);
}

export function versionIn(folder: string): string {
  const { version } = JSON.parse(readFileSync(inBench(`${folder}/package.json`), 'utf8')) as {
    version: string;
  };
  return version;
}
