// Where the command starts. The version is answered before anything else is loaded, and every
// command loads only what it needs.

import { readFileSync } from 'node:fs';
import { processTerminal } from './terminal.ts';

const { version } = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
) as { version: string };

const args = process.argv.slice(2);
if (args.length === 1 && (args[0] === '--version' || args[0] === '-V')) {
  process.stdout.write(`${version}\n`);
} else {
  const { runProgram } = await import('./program.ts');
  process.exitCode = await runProgram(args, { version, terminal: processTerminal() });
}
