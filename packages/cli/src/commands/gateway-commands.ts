// The commands for the gateway: their options and help.

import { type Command, Option } from 'commander';
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
  type CommandTable,
  jsonOption,
  TRUST_HELP,
  withNamedServers,
  YES_TO_ALL_HELP,
} from './command.ts';
import type { CheckFlags } from './check-calls.ts';
import type { ConsoleFlags } from './console.ts';
import type { InstallFlags } from './install.ts';
import type { ServeFlags } from './serve.ts';

export const gatewayCommands: CommandTable = {
  serve: (self, context, done) =>
    withNamedServers(command(self, 'offer all your servers as one, to any MCP client'))
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
      }),
  console: (self, context, done) =>
    withNamedServers(command(self, 'watch the traffic between agents and servers in a browser'))
      .option('--no-open', 'only print the address')
      .option('--port <port>', 'the port (default: 4344, or a free one)')
      .option('--mode <mode>', 'how tools are offered: direct (default), search or code')
      .option('--include <servers>', 'also offer these built-in servers: codebase, workspace')
      .option('--trust-project', TRUST_HELP)
      .addHelpText('after', CONSOLE_HELP)
      .action(async (flags: ConsoleFlags) => {
        const { openConsole } = await import('./console.ts');
        done(await openConsole(context, flags), 'served');
      }),
  status: (self, context, done) =>
    command(self, 'show the running gateways: servers, clients, traffic').action(async () => {
      const { status } = await import('./status.ts');
      done(await status(context));
    }),
  approvals: (self, context, done) => {
    const answering = command(self, 'answer approvals and questions of gateways, in this terminal')
      .addHelpText('after', APPROVALS_HELP)
      .action(async () => {
        const { approvals } = await import('./approvals.ts');
        done(await approvals(context), 'served');
      });
    const json = jsonOption(answering);
    if (json !== undefined)
      json.description = 'print questions as JSON lines, and read answers from stdin';
  },
  check: (self, context, done) =>
    withNamedServers(command(self, 'run the calls that you saved in the console'))
      .argument('[files...]', `files with saved calls (default: plugboard-checks.json)`)
      .option('--only <name>', 'only the saved call of this name; repeatable', collect)
      .option('--yes', YES_TO_ALL_HELP)
      .option('--trust-project', TRUST_HELP)
      .addHelpText('after', CHECK_HELP)
      .action(async (files: string[], flags: CheckFlags) => {
        const { checkCalls } = await import('./check-calls.ts');
        done(await checkCalls(context, files, flags));
      }),
  install: (self, context, done) =>
    withClients(self, 'add the gateway to other MCP clients')
      .addHelpText('after', INSTALL_HELP)
      .option('--http [HOST:PORT]', 'connect to the gateway at this address, with its token')
      .option('--background', 'connect to the gateway in the background; starts it if necessary')
      .option('--no-token', 'with --http: without a token')
      .option('--profile <name>', 'offer this profile of your settings instead of all servers')
      .action(async (clients: string[], flags: InstallFlags) => {
        const { install } = await import('./install.ts');
        done(await install(context, { what: 'install', clients, flags }));
      }),
  uninstall: (self, context, done) =>
    withClients(self, 'remove the gateway from other MCP clients')
      .addHelpText('after', UNINSTALL_HELP)
      .action(async (clients: string[], flags: InstallFlags) => {
        const { install } = await import('./install.ts');
        done(await install(context, { what: 'uninstall', clients, flags }));
      }),
};

function withClients(self: Command, description: string): Command {
  return command(self, description)
    .argument('[client...]', 'the client, such as cursor or vscode')
    .option('--all', 'every client on this machine')
    .option('--dry-run', 'show what would change, and write nothing')
    .option('--yes', 'write without asking');
}
