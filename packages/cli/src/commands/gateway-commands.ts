// The commands for the gateway: their options and help.

import { type Command, Option } from 'commander';
import type { Context } from '../context.ts';
import {
  APPROVALS_HELP,
  CHECK_HELP,
  CONSOLE_HELP,
  INSTALL_HELP,
  SERVE_HELP,
  UNINSTALL_HELP,
} from '../print/help-text.ts';
import {
  collect,
  command,
  type Done,
  jsonOption,
  TRUST_HELP,
  withNamedServers,
  YES_TO_ALL_HELP,
} from './command.ts';
import type { CheckFlags } from './check-calls.ts';
import type { ConsoleFlags } from './console.ts';
import type { InstallFlags } from './install.ts';
import type { ServeFlags } from './serve.ts';

export function addGatewayCommands(program: Command, context: Context, done: Done): void {
  withNamedServers(command(program, 'serve', 'offer all your servers as one, to any MCP client'))
    .option('--http [HOST:PORT]', 'over HTTP, for many clients (default: 127.0.0.1:4343)')
    .option('--token-file <file>', 'with --http: the file with the token that clients send')
    .option('--no-token', 'with --http: require no token; only on this machine')
    .option(
      '--allow-host <name>',
      'with --http: another host name that clients may use; repeatable',
      collect,
    )
    .option('--mode <mode>', 'how tools are offered: direct (default), search or code')
    .option('--profile <name>', 'over stdio: offer this profile of your settings')
    .option('--background', 'run in the background, for all clients')
    .option('--stop', 'stop the gateway in the background')
    // Passed to the gateway in the background.
    .addOption(new Option('--kept-by <keeper>').hideHelp())
    .option('--include <servers>', 'also offer these built-in servers: codebase, workspace')
    .option('--console', 'over HTTP: show the traffic on a web page at /console')
    .option('--yes', 'allow every call that no rule denies, for this run')
    .option('--trust-project', TRUST_HELP)
    .addHelpText('after', SERVE_HELP)
    .action(async (flags: ServeFlags) => {
      const { serve } = await import('./serve.ts');
      done(await serve(context, flags), 'served');
    });
  addConsoleCommand(program, context, done);
  command(program, 'status', 'show the running gateways: servers, clients, traffic').action(
    async () => {
      const { status } = await import('./status.ts');
      done(await status(context));
    },
  );
  const answering = command(
    program,
    'approvals',
    'answer approvals and questions of gateways, in this terminal',
  )
    .addHelpText('after', APPROVALS_HELP)
    .action(async () => {
      const { approvals } = await import('./approvals.ts');
      done(await approvals(context), 'served');
    });
  const json = jsonOption(answering);
  if (json !== undefined)
    json.description = 'print questions as JSON lines, and read answers from stdin';
  addCheckCommand(program, context, done);
  addInstallCommands(program, context, done);
}

function addConsoleCommand(program: Command, context: Context, done: Done): void {
  withNamedServers(
    command(program, 'console', 'watch the traffic between agents and servers in a browser'),
  )
    .option('--no-open', 'only print the address')
    .option('--port <port>', 'the port (default: 4344, or a free one)')
    .option('--mode <mode>', 'how tools are offered: direct (default), search or code')
    .option('--include <servers>', 'also offer these built-in servers: codebase, workspace')
    .option('--trust-project', TRUST_HELP)
    .addHelpText('after', CONSOLE_HELP)
    .action(async (flags: ConsoleFlags) => {
      const { openConsole } = await import('./console.ts');
      done(await openConsole(context, flags), 'served');
    });
}

function addCheckCommand(program: Command, context: Context, done: Done): void {
  withNamedServers(command(program, 'check', 'run the calls that you saved in the console'))
    .argument('[files...]', `files with saved calls (default: plugboard-checks.json)`)
    .option('--only <name>', 'only the saved call of this name; repeatable', collect)
    .option('--yes', YES_TO_ALL_HELP)
    .option('--trust-project', TRUST_HELP)
    .addHelpText('after', CHECK_HELP)
    .action(async (files: string[], flags: CheckFlags) => {
      const { checkCalls } = await import('./check-calls.ts');
      done(await checkCalls(context, files, flags));
    });
}

function addInstallCommands(program: Command, context: Context, done: Done): void {
  const both = (name: 'install' | 'uninstall', description: string): Command =>
    command(program, name, description)
      .argument('[client...]', 'the client, such as cursor or vscode')
      .option('--all', 'every client on this machine')
      .option('--dry-run', 'show what would change, and write nothing')
      .option('--yes', 'write without asking')
      .action(async (clients: string[], flags: InstallFlags) => {
        const { install } = await import('./install.ts');
        done(await install(context, { what: name, clients, flags }));
      });
  both('install', 'add the gateway to other MCP clients')
    .addHelpText('after', INSTALL_HELP)
    .option('--http [HOST:PORT]', 'connect to the gateway at this address, with its token')
    .option('--background', 'connect to the gateway in the background; starts it if necessary')
    .option('--no-token', 'with --http: without a token')
    .option('--profile <name>', 'offer this profile of your settings instead of all servers');
  both('uninstall', 'remove the gateway from other MCP clients').addHelpText(
    'after',
    UNINSTALL_HELP,
  );
}
