// The standard streams of this process, reserved for a protocol: any other output to stdout is redirected to stderr from
// then on, so that only the protocol is on the wire.

import type { Readable } from 'node:stream';

export interface StandardStreams {
  readonly input: Readable;
  /** Resolves when the text is written; rejects when the reader has closed its end. */
  write(text: string): Promise<void>;
}

export function takeStandardStreams(): StandardStreams {
  const { stdin, stdout, stderr } = process;
  const write = stdout.write.bind(stdout);
  stdout.write = stderr.write.bind(stderr);
  stdout.on('error', () => {
    // Each write reports errors to its own caller.
  });
  return {
    input: stdin,
    write: (text) =>
      new Promise((resolve, reject) => {
        write(text, (problem) => (problem ? reject(problem) : resolve()));
      }),
  };
}
