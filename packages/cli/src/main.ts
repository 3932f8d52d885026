// The entry point. It prints the version before it loads anything else, and every command loads only the code that it
// needs.

import { readFileSync } from 'node:fs';
import { processTerminal } from './terminal.ts';

async function start(args: readonly string[]): Promise<void> {
  const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  const { version } = JSON.parse(manifest) as { version: string };
  if (args.length === 1 && (args[0] === '--version' || args[0] === '-V')) {
    process.stdout.write(`${version}\n`);
    return;
  }
  // Node ends a process with nothing left to do, and reports success.
  process.once('beforeExit', reportUnfinished);
  const { runProgram } = await import('./program.ts');
  process.exitCode = await runProgram(args, { version, terminal: processTerminal() });
  process.off('beforeExit', reportUnfinished);
}

function reportUnfinished(): void {
  process.exitCode = 1;
  process.stderr.write(
    'error: the command ended before it was done, which is a fault of Plugboard\n',
  );
}

// Not awaited, since the bundle is CommonJS, which has no top-level await. The promise never rejects.
void start(process.argv.slice(2));
