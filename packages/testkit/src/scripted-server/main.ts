// A scripted MCP server as a process: newline-delimited JSON-RPC on stdin and stdout. Its argument is the script as
// JSON. It uses no SDK, so it starts fast and can violate every rule.

import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { Dispatcher, encode, type Link } from './dispatcher.ts';
import { readMessage } from './json-rpc.ts';
import type { Crash, Script } from './script.ts';

const SLEEP_SECONDS = '600';

// The argument comes from `scriptedServer`, which accepts only a script.
const script = JSON.parse(process.argv[2] ?? '{}') as Script;

// Exits silently when the client is gone.
process.stdout.on('error', () => process.exit(0));
process.stderr.on('error', () => process.exit(0));

for (const signal of script.ignoreSignals ?? []) {
  process.on(signal, () => process.stderr.write(`ignored ${signal}\n`));
}
const grandchildren = Array.from({ length: script.grandchildren ?? 0 }, startGrandchild);
if (script.stderrFlood !== undefined) process.stderr.write(flood(script.stderrFlood));

if (script.exitAtStart !== undefined) crash(script.exitAtStart);
else if (script.startDelayMs === undefined) serve();
else setTimeout(serve, script.startDelayMs);

function serve(): void {
  const machine = {
    pid: process.pid,
    grandchildren,
    env: process.env,
    cwd: process.cwd(),
    crash,
  };
  const dispatcher = new Dispatcher(script, machine);
  const link: Link = {
    inFlight: new Map(),
    send(message, method) {
      const stray = script.chatty === true ? 'not a message, just talk\n' : '';
      process.stdout.write(`${stray}${encode(message, method, script)}\n`);
    },
  };
  if (script.chatty === true) process.stdout.write('Scripted server v1.0.0\n\n{almost json\n');
  const lines = createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY });
  lines.on('line', (line) => void dispatcher.receive(readMessage(line), link));
  lines.on('close', () => {
    // The client can no longer receive answers. The process ends when nothing is left to do.
    for (const controller of link.inFlight.values()) controller.abort();
    if (script.ignoreStdinEnd !== true) return;
    process.stderr.write('ignored the end of stdin\n');
    setInterval(() => {}, 60_000);
  });
}

function startGrandchild(): number {
  const output = script.grandchildrenStdio ?? 'ignore';
  const child = spawn('sleep', [SLEEP_SECONDS], { stdio: ['ignore', output, output] });
  child.unref();
  if (child.pid === undefined) throw new Error('cannot start a grandchild');
  process.stderr.write(`grandchild ${child.pid}\n`);
  return child.pid;
}

/** Ends once all output is written, so that the client receives it. */
function crash({ stderr = '', exit }: Crash): void {
  process.stdout.write('', () => {
    process.stderr.write(stderr, () => {
      if (exit === 'SIGKILL') process.kill(process.pid, 'SIGKILL');
      else process.exit(exit);
    });
  });
}

function flood(bytes: number): string {
  const line = `${'stderr '.repeat(11)}\n`;
  return line.repeat(Math.ceil(bytes / line.length)).slice(0, bytes);
}
