// The terminal as a port: where text goes, whether a person watches, how wide the screen is, and
// when the person wants to stop. The rest of the command never touches `process`.

export interface Terminal {
  /** Results: what a pipe or a program reads. */
  out(text: string): void;
  /** Everything for people: progress, warnings, errors. */
  err(text: string): void;
  readonly isOutTty: boolean;
  readonly isErrTty: boolean;
  readonly hasColour: boolean;
  readonly columns: number;
  readonly stdin: NodeJS.ReadableStream;
  /** Aborts when the person presses Ctrl-C or the system asks us to end. */
  readonly interrupted: AbortSignal;
}

const DEFAULT_COLUMNS = 80;

export function processTerminal(): Terminal {
  const { stdout, stderr, stdin, env } = process;
  // A reader that left, such as `head`, is no error of ours.
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
  const interrupt = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    // Once: whoever asks twice wants it at once, and gets what Node does by itself.
    process.once(signal, () => interrupt.abort(new Error(signal)));
  }
  return {
    out: (text) => void stdout.write(text),
    err: (text) => void stderr.write(text),
    isOutTty: stdout.isTTY,
    isErrTty: stderr.isTTY,
    hasColour: stderr.isTTY && (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb',
    columns: stdout.columns ?? stderr.columns ?? DEFAULT_COLUMNS,
    stdin,
    interrupted: interrupt.signal,
  };
}
