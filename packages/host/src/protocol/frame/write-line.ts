// Writes all lines of one turn of the event loop together: a write costs a system call and may wake the other process,
// which takes longer than everything else about a small message.

import type { Writable } from 'node:stream';
import { atTurnEnd } from '@plugboard/base';

/** Returns `false` if the stream is full until it drains, or is gone. */
export function writeLine(stream: Writable, line: string): boolean {
  if (stream.writableCorked === 0) {
    stream.cork();
    // After all other work of this turn, such as the requests of several clients.
    atTurnEnd(() => stream.uncork());
  }
  return stream.write(line);
}

/** Resolves when the stream drains or is closed, even if that was before. */
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
