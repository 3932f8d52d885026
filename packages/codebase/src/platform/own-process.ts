// What a program needs of the process that it is: its arguments, its folder, how it reports and how it is told to end.

export interface OwnProcess {
  readonly args: readonly string[];
  readonly folder: string;
  writeError(text: string): void;
  writeOutput(text: string): void;
  /** It ends by itself with this code when nothing is left to do. */
  setExitCode(code: number): void;
  /** Told once, when the system or a person wants it to end; a second time ends it at once. */
  onStop(listener: () => void): void;
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export function ownProcess(): OwnProcess {
  return {
    args: process.argv.slice(2),
    folder: process.cwd(),
    writeError: (text) => void process.stderr.write(text),
    writeOutput: (text) => void process.stdout.write(text),
    setExitCode: (code) => {
      process.exitCode = code;
    },
    onStop: (listener) => {
      // `once` leaves the second signal to the system, which ends the process.
      for (const signal of SIGNALS) process.once(signal, listener);
    },
  };
}
