// The streams of this process, for a protocol that owns them: whatever else writes to stdout from then on goes to
// stderr, so that nothing but the protocol is ever on the wire.

import type { Readable } from 'node:stream';

export interface StandardStreams {
  readonly input: Readable;
  /** Resolves when the system has taken it; rejects when the reader has closed its end. */
  write(text: string): Promise<void>;
}

export function takeStandardStreams(): StandardStreams {
  const { stdin, stdout, stderr } = process;
  const write = stdout.write.bind(stdout);
  stdout.write = stderr.write.bind(stderr);
  stdout.on('error', () => {
    // Each write tells its own caller.
  });
  return {
    input: stdin,
    write: (text) =>
      new Promise((resolve, reject) => {
        write(text, (problem) => (problem ? reject(problem) : resolve()));
      }),
  };
}
