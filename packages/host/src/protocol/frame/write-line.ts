// Lines that are sent in one go are written together: a write costs a system call and may wake the other end, which
// takes longer than everything else about a small message.

import type { Writable } from 'node:stream';

/** `false` if the stream wants no more until `drain`. */
export function writeLine(stream: Writable, line: string): boolean {
  if (stream.writableCorked === 0) {
    stream.cork();
    // After all code that is already due, such as the calls that follow the answers of one read.
    void DUE.then(() => stream.uncork());
  }
  return stream.write(line);
}

const DUE = Promise.resolve();
