// Which program runs JavaScript here, for work that needs a process of its own. A program that has Node
// built in would start itself once more, so there it is none.

import { basename } from 'node:path';

const NODE = /^node(js)?[\d.-]*(\.exe)?$/i;

export function nodeProgram(running: string = process.execPath): string | undefined {
  return NODE.test(basename(running)) ? running : undefined;
}
