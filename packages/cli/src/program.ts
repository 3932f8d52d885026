// The commands and their options. Each command's code is loaded when it is chosen.

import { Command, CommanderError } from 'commander';
import { messageOf } from '@plugboard/base';
import type { AddOptions } from './commands/add.ts';
import type { Context } from './context.ts';
import { EXIT, type ExitCode } from './exit-codes.ts';
import { printError } from './print/error.ts';
import type { Terminal } from './terminal.ts';
import { UsageError } from './usage-error.ts';

export interface ProgramOptions {
  readonly version: string;
  readonly terminal: Terminal;
}

/** Runs one command line and says how it went. Never throws. */
export async function runProgram(
  args: readonly string[],
  { version, terminal }: ProgramOptions,
): Promise<ExitCode> {
  const isJson = wantsJson(args);
  const context: Context = { version, terminal, isJson };
  let exitCode: ExitCode = EXIT.ok;
  const program = buildProgram(context, (code) => {
    exitCode = code;
  });
  try {
    await program.parseAsync([...args], { from: 'user' });
  } catch (thrown) {
    return exitCodeOfThrown(thrown, context);
  }
  return exitCode;
}

/** Known before the arguments are parsed, since wrong arguments must be answered in JSON too. */
function wantsJson(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  return args.slice(0, end === -1 ? args.length : end).includes('--json');
}

function exitCodeOfThrown(thrown: unknown, context: Context): ExitCode {
  if (thrown instanceof CommanderError) {
    if (thrown.exitCode === 0) return EXIT.ok;
    if (context.isJson) {
      const message = thrown.message.replace(/^error: /, '');
      printError(context, { kind: 'usage', message, fix: 'run: plugboard --help' });
    }
    return EXIT.usage;
  }
  if (thrown instanceof UsageError) {
    printError(context, { kind: 'usage', message: thrown.message, fix: thrown.fix });
    return EXIT.usage;
  }
  printError(context, {
    kind: 'internal',
    message: `something went wrong inside plugboard: ${messageOf(thrown)}`,
    fix: 'this is a bug: please report it with the command you ran',
  });
  return EXIT.usage;
}

function buildProgram(context: Context, done: (code: ExitCode) => void): Command {
  const { terminal, version } = context;
  const program = new Command('plugboard')
    .description('Plug every MCP server into your terminal and your agents.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show this help')
    .helpCommand('help [command]', 'show help for a command')
    .showSuggestionAfterError(true)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.out(text),
      writeErr: (text) => {
        if (!context.isJson) terminal.err(text);
      },
    })
    .addHelpText('after', EXAMPLES)
    .option('--json', JSON_HELP)
    .action(async () => {
      const { welcome } = await import('./commands/welcome.ts');
      done(await welcome(context));
    });
  addConfigurationCommands(program, context, done);
  addServerCommands(program, context, done);
  return program;
}

function addConfigurationCommands(
  program: Command,
  context: Context,
  done: (code: ExitCode) => void,
): void {
  program
    .command('list')
    .description('list the configured servers, without starting any')
    .option('--json', JSON_HELP)
    .action(async () => {
      const { list } = await import('./commands/list.ts');
      done(await list(context));
    });
  program
    .command('get')
    .description('show one server: where it is configured and what would run')
    .argument('<name>', 'the name of the server')
    .option('--json', JSON_HELP)
    .action(async (name: string) => {
      const { get } = await import('./commands/get.ts');
      done(await get(context, name));
    });
  program
    .command('add')
    .description('add a server to a configuration file')
    .argument('<name>', 'a name for it: letters, digits, - and _')
    .argument('<target...>', 'a URL, or -- followed by the command and its arguments')
    .option('-s, --scope <scope>', 'local, project or user', 'local')
    .option('-t, --transport <type>', 'stdio, http, sse or ws (found out by itself)')
    .option('-e, --env <KEY=VALUE>', 'an environment variable; repeatable', collect, [])
    .option('-H, --header <NAME: VALUE>', 'an HTTP header; repeatable', collect, [])
    .option('--force', 'replace a server of that name')
    .option('--json', JSON_HELP)
    .addHelpText('after', ADD_EXAMPLES)
    .action(async (name: string, target: string[], options: AddOptions) => {
      const { add } = await import('./commands/add.ts');
      done(await add(context, { name, target, options }));
    });
  program
    .command('remove')
    .description('remove a server from its configuration file')
    .argument('<name>', 'the name of the server')
    .option('-s, --scope <scope>', 'local, project or user (found out by itself)')
    .option('--json', JSON_HELP)
    .action(async (name: string, options: { scope?: string }) => {
      const { remove } = await import('./commands/remove.ts');
      done(await remove(context, name, options.scope));
    });
}

function addServerCommands(
  program: Command,
  context: Context,
  done: (code: ExitCode) => void,
): void {
  program
    .command('tools')
    .description('list the tools of one server, or of all')
    .argument('[server]', 'the name of the server')
    .option('--schema', 'show what arguments each tool takes, as JSON Schema')
    .option('--json', JSON_HELP)
    .action(async (server: string | undefined, options: { schema?: true }) => {
      const { tools } = await import('./commands/tools.ts');
      done(await tools(context, { server, showsSchema: options.schema === true }));
    });
  program
    .command('call')
    .description('call a tool')
    .argument('<server>', 'the name of the server')
    .argument('<tool>', 'the name of the tool')
    .argument('[arguments...]', 'key=text, key:=json, key=@file or key:=@file.json')
    .option('--json', JSON_HELP)
    .addHelpText('after', CALL_EXAMPLES)
    .action(async (server: string, tool: string, given: string[]) => {
      const { callTool } = await import('./commands/call.ts');
      done(await callTool(context, { server, tool, given }));
    });
}

function collect(value: string, previous: readonly string[]): string[] {
  return [...previous, value];
}

const JSON_HELP = 'print one JSON document to stdout and nothing else';

const EXAMPLES = `
Examples:
  $ plugboard add files -- npx -y @modelcontextprotocol/server-filesystem .
  $ plugboard add docs https://example.com/mcp
  $ plugboard tools files
  $ plugboard call files read_file path=README.md

Exit codes: 0 ok, 1 usage, 2 tool or server, 3 network, 4 authorization, 5 denied.`;

const ADD_EXAMPLES = `
Examples:
  $ plugboard add files -- npx -y @modelcontextprotocol/server-filesystem .
  $ plugboard add docs https://example.com/mcp --header 'Authorization: Bearer \${DOCS_TOKEN}'
  $ plugboard add db --scope user --env 'DSN=\${DATABASE_URL}' -- npx -y @bytebase/dbhub

Write secrets as \${VARIABLE}: the variable is read when the server starts.`;

const CALL_EXAMPLES = `
Arguments:
  key=text        text; turned into a number or a boolean where the tool asks for one
  key:=json       any JSON value:  limit:=10  tags:='["a","b"]'
  key=@file       the text of a file
  key:=@file      the JSON in a file

Examples:
  $ plugboard call everything echo message=hello
  $ plugboard call everything get-sum a=2 b=3 --json`;
