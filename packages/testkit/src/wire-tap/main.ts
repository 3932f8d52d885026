// The wire tap as a process: `node main.js LOGFILE -- command args...` runs the command, passes stdin and stdout
// through unchanged, and appends each line of both to the log. It forwards signals to the command, and ends like the
// command.

import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import type { TapFrame } from './tap-frame.ts';

const NEWLINE = 0x0a;

const [logFile, separator, command, ...args] = process.argv.slice(2);
if (logFile === undefined || separator !== '--' || command === undefined) {
  process.stderr.write('usage: wire-tap LOGFILE -- command args...\n');
  process.exit(2);
}
run(logFile, command, args);

function run(log: string, program: string, programArgs: readonly string[]): void {
  // An empty log distinguishes a silent wire from a tap that never started.
  appendFileSync(log, '');
  const child = spawn(program, programArgs, { stdio: ['pipe', 'pipe', 'inherit'] });
  child.on('error', (error) => {
    process.stderr.write(`wire-tap: ${error.message}\n`);
    process.exit(127);
  });
  pass(process.stdin, child.stdin, recorder(log, 'to-server'));
  pass(child.stdout, process.stdout, recorder(log, 'to-client'));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => child.kill(signal));
  }
  child.on('close', (code, signal) => {
    if (signal === null) process.exit(code ?? 0);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

interface Recorder {
  write(chunk: Buffer): void;
  end(): void;
}

function pass(from: Readable, to: Writable, record: Recorder): void {
  // If the reader closes its end of the pipe, the conversation ends by itself.
  to.on('error', () => {});
  // Recorded first, so that the log has an answer when its reader gets it.
  from.on('data', (chunk: Buffer) => record.write(chunk));
  from.on('end', () => record.end());
  from.pipe(to);
}

function recorder(log: string, direction: TapFrame['direction']): Recorder {
  let parts: Buffer[] = [];
  const flush = (): void => {
    const line = Buffer.concat(parts);
    parts = [];
    if (line.length === 0) return;
    const text = line.toString('utf8').replace(/\n$/, '');
    const frame: TapFrame = { direction, at: Date.now(), bytes: line.length, text };
    appendFileSync(log, `${JSON.stringify(frame)}\n`);
  };
  return {
    write(chunk) {
      let start = 0;
      for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
        parts.push(chunk.subarray(start, end + 1));
        start = end + 1;
        flush();
      }
      if (start < chunk.length) parts.push(chunk.subarray(start));
    },
    end: flush,
  };
}
