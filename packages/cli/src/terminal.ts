// The terminal as a port: where text goes, whether a person watches, how wide the screen is, and
// when the person wants to stop. The rest of the command never touches `process`.

export interface Output {
  write(text: string): void;
  /** A person reads it, not a program. */
  readonly isTty: boolean;
  readonly hasColour: boolean;
  /** Without end where no screen limits it: what a program reads is never cut. */
  readonly columns: number;
}

export interface Terminal {
  /** Results: what a pipe or a program reads. */
  readonly out: Output;
  /** Everything for people: progress, warnings, errors. */
  readonly err: Output;
  /** Aborts when the person presses Ctrl-C or the system asks us to end. */
  readonly interrupted: AbortSignal;
}

export function processTerminal(): Terminal {
  const { stdout, stderr, env } = process;
  const wantsColour = (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb';
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    // A reader that left, such as `head`, is no error of ours.
    if (error.code === 'EPIPE') return;
    stderr.write(`error: cannot write to stdout (${error.code ?? error.message})\n`);
    // Whatever the command itself came to: its answer was lost.
    process.once('exit', () => {
      process.exitCode = 1;
    });
  });
  // There is no place left to complain about this one.
  stderr.on('error', () => {});
  return {
    out: output(stdout, wantsColour ? 'colour' : 'plain'),
    err: output(stderr, wantsColour ? 'colour' : 'plain'),
    interrupted: interruption(),
  };
}

function output(stream: NodeJS.WriteStream, style: 'colour' | 'plain'): Output {
  // Node leaves it out where it is not true, whatever its types say.
  const isTty = (stream.isTTY as boolean | undefined) ?? false;
  return {
    write: (text) => void stream.write(text),
    isTty,
    hasColour: isTty && style === 'colour',
    // A terminal that does not know its width says 0.
    columns: (isTty && stream.columns) || Number.POSITIVE_INFINITY,
  };
}

function interruption(): AbortSignal {
  const interrupt = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    // Once: whoever asks twice wants it at once, and gets what Node does by itself.
    process.once(signal, () => interrupt.abort(new Error(signal)));
  }
  return interrupt.signal;
}
