// Starts a program without a shell, and communicates over its input and output. The caller interprets the bytes.

import { spawn } from 'node:child_process';

export interface PipedStart {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly onOutput: (bytes: Buffer) => void;
  /** Called once, with the reason. */
  readonly onEnd: (reason: string) => void;
}

export interface PipedProgram {
  /** Has no effect after the program has ended. */
  write(bytes: string): void;
  /** Kills the program; resolves when it has ended. */
  stop(): Promise<void>;
}

/** The variables that programs need to find their files; no keys or tokens. */
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
    // The program has ended, which `close` reports.
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
