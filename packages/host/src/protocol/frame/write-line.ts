// Lines that are sent in one turn of the event loop are written together: a write costs a system call and may wake the
// other end, which takes longer than everything else about a small message.

import type { Writable } from 'node:stream';
import { atTurnEnd } from '@plugboard/base';

/** `false` if the stream wants no more until it is drained, or is gone. */
export function writeLine(stream: Writable, line: string): boolean {
  if (stream.writableCorked === 0) {
    stream.cork();
    // After everything else that this turn brings, such as the requests of several clients.
    atTurnEnd(() => stream.uncork());
  }
  return stream.write(line);
}

/** Resolves once the stream takes more, or never will: its other end may be gone already. */
export function drained(stream: Writable): Promise<void> {
  if (stream.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      stream.off('drain', done);
      stream.off('close', done);
      resolve();
    };
    stream.on('drain', done);
    stream.on('close', done);
  });
}
