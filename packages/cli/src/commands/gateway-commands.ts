// The commands that offer the servers to other MCP clients. The code of each is loaded when it is chosen.

import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { INSTALL_HELP, SERVE_HELP } from '../print/help-text.ts';
import {
  collect,
  command,
  type CommandLinePorts,
  TRUST_HELP,
  withNamedServers,
} from './command.ts';
import type { InstallFlags } from './install.ts';
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
    .option('--mode <mode>', 'how all tools are offered: direct (unless given), search or code')
    .option(
      '--profile <name>',
      'over stdio: what a profile of your settings chooses, in place of all',
    )
    .option('--include <servers>', 'offer built-in servers too: codebase, workspace')
    .option('--yes', 'say yes to every call that no rule denies, this once')
    .option('--trust-project', TRUST_HELP)
    .addHelpText('after', SERVE_HELP)
    .action(async (flags: ServeFlags) => {
      const { serve } = await import('./serve.ts');
      done(await serve(context, flags), 'served');
    });
  addInstallCommands(program, context, { done });
}

function addInstallCommands(
  program: Command,
  context: Context,
  { done }: Pick<CommandLinePorts, 'done'>,
): void {
  const both = (name: 'install' | 'uninstall', description: string): Command =>
    command(program, name, description)
      .argument('[client...]', 'such as cursor or vscode')
      .option('--all', 'every client that is on this machine')
      .option('--dry-run', 'show what would change, and write nothing')
      .option('--yes', 'write it without asking')
      .addHelpText('after', INSTALL_HELP)
      .action(async (clients: string[], flags: InstallFlags) => {
        const { install } = await import('./install.ts');
        done(await install(context, { what: name, clients, flags }));
      });
  both('install', 'offer all servers in other MCP clients, by their settings')
    .option('--http [HOST:PORT]', 'have them reach the gateway that serves there, with its token')
    .option('--no-token', 'with --http: without a token')
    .option('--profile <name>', 'what a profile of your settings chooses, in place of all');
  both('uninstall', 'take that out of their settings again');
}
