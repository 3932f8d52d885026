// A program that is talked to over its input and output for a while, started without a shell. What the bytes mean is the
// caller's business.

import { spawn } from 'node:child_process';

export interface PipedStart {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly onOutput: (bytes: Buffer) => void;
  /** Called once, with the reason where it could not be started. */
  readonly onEnd: (reason: string) => void;
}

export interface PipedProgram {
  /** Has no effect once it has ended. */
  write(bytes: string): void;
  /** Ends it at once; resolves when it has gone. */
  stop(): Promise<void>;
}

/** What programs need to find their files; keys and tokens are not among it. */
const VARIABLES = [
  ...['PATH', 'HOME', 'USER', 'LANG', 'TMPDIR', 'XDG_CACHE_HOME', 'XDG_CONFIG_HOME'],
  ...['SystemRoot', 'USERPROFILE', 'APPDATA', 'LOCALAPPDATA', 'TEMP', 'TMP', 'PATHEXT', 'ComSpec'],
];

export function startPiped(start: PipedStart): PipedProgram {
  const { program, args, cwd, onOutput, onEnd } = start;
  const env = Object.fromEntries(
    VARIABLES.flatMap((name) =>
      process.env[name] === undefined ? [] : [[name, process.env[name]]],
    ),
  );
  const child = spawn(program, args, {
    ...{ cwd, env, windowsHide: true },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  let hasEnded = false;
  const gone = new Promise<void>((resolve) => {
    const end = (reason: string): void => {
      if (!hasEnded) onEnd(reason);
      hasEnded = true;
      resolve();
    };
    child.once('error', (thrown) => end(thrown.message));
    child.once('close', (code) => end(`it ended with ${code ?? 'a signal'}`));
  });
  child.stdout.on('data', onOutput);
  child.stdin.on('error', () => {
    // It has ended, which `close` reports.
  });
  return {
    write: (bytes) => void child.stdin.write(bytes),
    stop: () => {
      hasEnded = true;
      child.stdout.destroy();
      if (!child.kill('SIGKILL')) return Promise.resolve();
      return gone;
    },
  };
}
