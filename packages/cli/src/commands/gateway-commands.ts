// The commands that offer the servers to other MCP clients. The code of each is loaded when it is chosen.

import { type Command, Option } from 'commander';
import type { Context } from '../context.ts';
import {
  APPROVALS_HELP,
  CHECK_HELP,
  CONSOLE_HELP,
  INSTALL_HELP,
  SERVE_HELP,
} from '../print/help-text.ts';
import {
  collect,
  command,
  type CommandLinePorts,
  TRUST_HELP,
  withNamedServers,
  YES_HELP,
} from './command.ts';
import type { CheckFlags } from './check-calls.ts';
import type { ConsoleFlags } from './console.ts';
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
    .option('--background', 'keep it running in the background, for all clients')
    .option('--stop', 'end the one in the background')
    // How the one in the background is started.
    .addOption(new Option('--kept-by <keeper>').hideHelp())
    .option('--include <servers>', 'offer built-in servers too: codebase, workspace')
    .option('--console', 'show what happens on a page at /console; over HTTP')
    .option('--yes', 'say yes to every call that no rule denies, this once')
    .option('--trust-project', TRUST_HELP)
    .addHelpText('after', SERVE_HELP)
    .action(async (flags: ServeFlags) => {
      const { serve } = await import('./serve.ts');
      done(await serve(context, flags), 'served');
    });
  addConsoleCommand(program, context, { done });
  command(program, 'status', 'show the gateways that run: servers, clients, traffic').action(
    async () => {
      const { status } = await import('./status.ts');
      done(await status(context));
    },
  );
  command(program, 'approvals', 'answer at this terminal what gateways need a person for')
    .addHelpText('after', APPROVALS_HELP)
    .action(async () => {
      const { approvals } = await import('./approvals.ts');
      done(await approvals(context), 'served');
    });
  addCheckCommand(program, context, { done });
  addInstallCommands(program, context, { done });
}

function addConsoleCommand(
  program: Command,
  context: Context,
  { done }: Pick<CommandLinePorts, 'done'>,
): void {
  withNamedServers(
    command(program, 'console', 'see in a browser what happens between agents and servers'),
  )
    .option('--no-open', 'only print its address')
    .option('--port <port>', 'its port: 4344 or a free one, unless given')
    .option('--mode <mode>', 'how all tools are offered: direct (unless given), search or code')
    .option('--include <servers>', 'offer built-in servers too: codebase, workspace')
    .option('--trust-project', TRUST_HELP)
    .addHelpText('after', CONSOLE_HELP)
    .action(async (flags: ConsoleFlags) => {
      const { openConsole } = await import('./console.ts');
      done(await openConsole(context, flags), 'served');
    });
}

function addCheckCommand(
  program: Command,
  context: Context,
  { done }: Pick<CommandLinePorts, 'done'>,
): void {
  withNamedServers(
    command(program, 'check', 'run calls that were saved in the console, and compare'),
  )
    .argument('[files...]', `files of saved calls: plugboard-checks.json, unless given`)
    .option('--only <name>', 'the saved call of this name alone; repeatable', collect)
    .option('--yes', YES_HELP)
    .option('--trust-project', TRUST_HELP)
    .addHelpText('after', CHECK_HELP)
    .action(async (files: string[], flags: CheckFlags) => {
      const { checkCalls } = await import('./check-calls.ts');
      done(await checkCalls(context, files, flags));
    });
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
    .option(
      '--background',
      'the same of the gateway in the background, which is started if none runs',
    )
    .option('--no-token', 'with --http: without a token')
    .option('--profile <name>', 'what a profile of your settings chooses, in place of all');
  both('uninstall', 'take that out of their settings again');
}
