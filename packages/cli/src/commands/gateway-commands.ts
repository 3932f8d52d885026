// The commands that offer the servers to other MCP clients. The code of each is loaded when it is chosen.

import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { SERVE_HELP } from '../print/help-text.ts';
import {
  collect,
  command,
  type CommandLinePorts,
  TRUST_HELP,
  withNamedServers,
} from './command.ts';
import type { ServeFlags } from './serve.ts';

export function addGatewayCommands(
  program: Command,
  context: Context,
  { done }: CommandLinePorts,
): void {
  withNamedServers(command(program, 'serve', 'offer all servers as one to any MCP client'))
    .option('--http [HOST:PORT]', 'over HTTP, for many clients; 127.0.0.1:4343 unless given')
    .option('--token-file <file>', 'with --http: the file of the token that clients send')
    .option('--no-token', 'with --http: want no token; only on this machine')
    .option(
      '--allow-host <name>',
      'with --http: a name that clients call it by; repeatable',
      collect,
    )
    .option('--include <servers>', 'offer built-in servers too: codebase, workspace')
    .option('--yes', 'say yes to every call that no rule denies, this once')
    .option('--trust-project', TRUST_HELP)
    .addHelpText('after', SERVE_HELP)
    .action(async (flags: ServeFlags) => {
      const { serve } = await import('./serve.ts');
      done(await serve(context, flags), 'served');
    });
}
