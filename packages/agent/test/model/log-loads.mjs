// Preloaded into a process: writes the address of every module that is loaded to its standard error.

import { writeSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
import { register } from 'node:module';

if (isMainThread) register(import.meta.url);

export async function load(url, context, nextLoad) {
  writeSync(2, `loads ${url}\n`);
  return await nextLoad(url, context);
}
