// The commands, their options and their help. The code of a command is loaded when it runs.

import { Command, Help, Option } from 'commander';
import type { Context } from '../context.ts';
import { CALL_HELP, GENERATE_HELP, MAIN_HELP } from '../print/help-text.ts';
import type { ToolView } from '../print/tools.ts';
import { fitHelp } from '../print/fit-help.ts';
import { wrapTo } from '../print/width.ts';
import {
  command,
  type Done,
  JSON_HELP,
  TOOL_BUDGET_HELP,
  TRUST_HELP,
  unknownCommand,
  withAdHocServer,
  withDefault,
  withNamedServers,
  YES_HELP,
} from './command.ts';
import type { AdHocFlags } from './ad-hoc.ts';
import type { CallFlags } from './call.ts';
import type { ToolCostsRequest } from './context.ts';
import type { GenerateRequest } from './generate.ts';
import { addAgentCommands } from './agent-commands.ts';
import { addAuthCommands } from './auth-commands.ts';
import { addCodebaseCommands } from './codebase-commands.ts';
import { addCompletionCommands } from './completion-commands.ts';
import { addConfigCommands } from './config-commands.ts';
import { addEditCommands } from './edit-commands.ts';
import { addGatewayCommands } from './gateway-commands.ts';
import { addImportCommands } from './import-commands.ts';
import { addPermissionCommands } from './permission-commands.ts';
import { addPinsCommands } from './pins-commands.ts';
import { addPluginCommands } from './plugin-commands.ts';
import { addPrimitiveCommands } from './primitive-commands.ts';
import { addSecretCommands } from './secret-commands.ts';
import { addSnippetCommands } from './snippet-commands.ts';
import { addTrustCommands } from './trust-commands.ts';
import { UsageError } from '../usage-error.ts';

interface CommandLineOptions {
  readonly done: Done;
  readonly writeHelp: (text: string) => void;
}

export function commandLine(context: Context, { done, writeHelp }: CommandLineOptions): Command {
  const { out } = context.terminal;
  const program = new Command('plugboard')
    .description('Plug every MCP server into your terminal and your agents.')
    .usage('[command]')
    .version(context.version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show this help')
    // Replaced below, since Commander's command does not report an unknown name.
    .helpCommand(false)
    .showSuggestionAfterError(true)
    .configureHelp({ subcommandTerm, minWidthToWrap: MIN_EXPLANATION_COLUMNS, formatItem })
    .configureOutput({
      writeOut: (text) => writeHelp(fitHelp(text, out.columns)),
      // Errors are also thrown, and `program.ts` prints them.
      writeErr: () => {},
      getOutHelpWidth: () => Math.min(out.columns, HELP_COLUMNS),
    })
    .exitOverride()
    // Options after a command may belong to another program.
    .enablePositionalOptions()
    .option('--json', JSON_HELP)
    .addHelpText('after', MAIN_HELP)
    // Unknown commands are reported in the action, as in a group of commands.
    .allowExcessArguments(true)
    .action(async (_options: object, { args: [unknown] }: Command) => {
      if (unknown !== undefined) throw await unknownCommand(unknown, program);
      const { welcome } = await import('./welcome.ts');
      done(await welcome(context));
    });
  // In the order of the help: first the configuration, then its use.
  addShowCommands(program, context, done);
  addEditCommands(program, context, done);
  addImportCommands(program, context, done);
  addTrustCommands(program, context, done);
  addAuthCommands(program, context, done);
  addPermissionCommands(program, context, done);
  addPinsCommands(program, context, done);
  addSecretCommands(program, context, done);
  addSnippetCommands(program, context, done);
  addPluginCommands(program, context, done);
  addConfigCommands(program, context, done);
  addServerCommands(program, context, done);
  addPrimitiveCommands(program, context, done);
  addGatewayCommands(program, context, done);
  addCodebaseCommands(program, context, done);
  addAgentCommands(program, context, done);
  addCompletionCommands(program, context, done);
  addHelpCommand(program);
  return program;
}

/** Lines longer than this are hard to read, however wide the screen is. */
const HELP_COLUMNS = 100;

function addShowCommands(program: Command, context: Context, done: Done): void {
  withNamedServers(command(program, 'list', 'list the configured servers, without starting any'))
    .alias('ls')
    .option('--check', 'connect to each server and show its state')
    .option('--strict', 'with --check: fail if any server fails')
    .option('--trust-project', TRUST_HELP)
    .action(async (options: { check?: true; strict?: true }) => {
      if (options.check === true) {
        const { listCheck } = await import('./list-check.ts');
        done(await listCheck(context, options.strict === true ? 'any' : 'required-or-all'));
      } else if (options.strict === true) {
        throw new UsageError(
          '--strict works only with --check',
          'add --check: plugboard list --check --strict',
        );
      } else {
        const { list } = await import('./list.ts');
        done(await list(context));
      }
    });
  withNamedServers(
    command(program, 'get', 'show one server: what it runs and where it is configured'),
  )
    .argument('<name>', 'the name of the server')
    .action(async (name: string) => {
      const { get } = await import('./get.ts');
      done(await get(context, name));
    });
  withNamedServers(command(program, 'explain', 'show where each field of a server comes from'))
    .argument('<name>', 'the name of the server')
    .action(async (name: string) => {
      const { explain } = await import('./explain.ts');
      done(await explain(context, name));
    });
}

function addServerCommands(program: Command, context: Context, done: Done): void {
  addToolsCommand(program, context, done);
  addCallCommand(program, context, done);
  addGenerateCommand(program, context, done);
  withNamedServers(
    command(program, 'context', 'show how many tokens tools cost, and which a model gets'),
  )
    .option('--model <name>', 'the model, as provider/name')
    .option('--window <tokens>', 'the size of the context window (default: that of the model)')
    .option('--tool-budget <tokens>', TOOL_BUDGET_HELP)
    .option('--trust-project', TRUST_HELP)
    .action(async (flags: ToolCostsRequest) => {
      const { toolCosts } = await import('./context.ts');
      done(await toolCosts(context, flags));
    });
  withAdHocServer(
    withNamedServers(
      command(program, 'doctor', 'find out why a server does not work, step by step'),
    ),
  )
    .argument('[server]', 'the name of the server; without it, all servers')
    .option('--trust-project', TRUST_HELP)
    .action(async (named: string | undefined, flags: AdHocFlags) => {
      const { doctor } = await import('./doctor.ts');
      const { selectServer } = await import('./ad-hoc.ts');
      const selected = await selectServer(context, flags, named);
      done(await doctor(selected.context, selected.server));
    });
  command(program, 'stop', 'stop shared servers: one, or all')
    .argument('[server]', 'the name of the server; without it, all shared servers')
    .action(async (server: string | undefined) => {
      const { stop } = await import('./stop.ts');
      done(await stop(context, server));
    });
  for (const [name, description] of RECORDS) {
    withAdHocServer(command(program, name, description))
      .argument('[server]', 'the name of the server; omit it with --url or --stdio')
      .addOption(
        withDefault('-n, --lines <number>', 'the number of lines, counted from the end', '50'),
      )
      .action(async (named: string | undefined, flags: AdHocFlags & { lines: string }) => {
        const { showRecords } = await import('./show-records.ts');
        const { requireServer } = await import('./ad-hoc.ts');
        const selected = await requireServer(context, flags, named);
        const { lines } = flags;
        done(await showRecords(selected.context, { what: name, server: selected.server, lines }));
      });
  }
}

type CallWords = readonly [string, string | undefined, readonly string[], CallFlags, Command];

type ToolsWords = readonly [string | undefined, string | undefined, ToolsFlags, Command];

interface ToolsFlags extends AdHocFlags {
  readonly types?: true;
  readonly schema?: true;
  readonly refresh?: true;
}

function addToolsCommand(program: Command, context: Context, done: Done): void {
  withAdHocServer(
    withNamedServers(command(program, 'tools', 'list the tools of one server, or of all')),
  )
    .argument('[server]', 'the name of the server, or SERVER/TOOL; omit it with --url or --stdio')
    .argument('[tool]', 'the name of a tool, to see what it takes')
    .addOption(
      new Option('--types', 'show what each tool takes, as TypeScript').conflicts('schema'),
    )
    .option('--schema', 'show what each tool takes, as JSON Schema')
    .option('--refresh', 'ask the servers again, instead of showing what they listed before')
    .option('--trust-project', TRUST_HELP)
    .action(async (...[, , options, { args }]: ToolsWords) => {
      const { tools } = await import('./tools.ts');
      const { adHocServer } = await import('./ad-hoc.ts');
      const adHoc = await adHocServer(context, options);
      const { toolWords } = await import('../given/tool-words.ts');
      const [server, tool, ...rest] =
        adHoc === undefined ? toolWords(args) : [adHoc.server, ...args];
      if (rest.length > 0) {
        throw new UsageError(
          `"${rest[0]}" is one word too many: tools takes a server and a tool`,
          'see the usage: plugboard tools --help',
        );
      }
      const isFresh = options.refresh === true || adHoc !== undefined;
      const shows = shownView(options, tool);
      done(await tools(adHoc?.context ?? context, { server, tool, shows, isFresh }));
    });
}

/** For a single tool, the default is its types. */
function shownView({ types, schema }: ToolsFlags, tool: string | undefined): ToolView {
  if (schema === true) return 'schema';
  return types === true || tool !== undefined ? 'types' : 'table';
}

function addCallCommand(program: Command, context: Context, done: Done): void {
  withAdHocServer(withNamedServers(command(program, 'call', 'call a tool')))
    .argument('<server>', 'the name of the server, or SERVER/TOOL; omit it with --url or --stdio')
    .argument('[tool]', 'the name of the tool')
    .argument(
      '[arguments...]',
      'key=text, key:=json, key=@file, or one JSON object; - reads it from stdin',
    )
    .option('--args <json>', 'all arguments as one JSON object; - reads it from stdin')
    .option('--timeout <time>', 'how long the tool may take: milliseconds, 30s or 2m')
    .option('--save <folder>', 'save images, audio and files of the result in this folder')
    .option('--yes', YES_HELP)
    .option('--trust-project', TRUST_HELP)
    .addHelpText('after', CALL_HELP)
    // With --url or --stdio, the first word is not the server.
    .action(async (...[, , , flags, { args }]: CallWords) => {
      const { callTool } = await import('./call.ts');
      done(await callTool(context, args, flags));
    });
}

function addGenerateCommand(program: Command, context: Context, done: Done): void {
  withNamedServers(
    command(program, 'generate', 'write the tools of a server as functions with types'),
  )
    .argument('<server>', 'the name of the server')
    .option('-o, --output <file>', 'the TypeScript file to write; without it, it is printed')
    .option('--check', 'with --output: write nothing, and fail if the file is out of date')
    .option('--trust-project', TRUST_HELP)
    .addHelpText('after', GENERATE_HELP)
    .action(async (server: string, flags: Omit<GenerateRequest, 'server'>) => {
      const { generate } = await import('./generate.ts');
      done(await generate(context, { ...flags, server }));
    });
}

const RECORDS = [
  ['logs', 'show what a server wrote to stderr and sent as log messages'],
  ['trace', 'show the messages that went to and from a server'],
] as const;

function addHelpCommand(program: Command): void {
  command(program, 'help', 'show help for a command')
    .argument('[command]', 'the name of the command')
    .action(async (name: string | undefined) => {
      const wanted = program.commands.find((candidate) => isCalled(candidate, name));
      if (name !== undefined && wanted === undefined) throw await unknownCommand(name, program);
      (wanted ?? program).help();
    });
}

function isCalled(candidate: Command, name: string | undefined): boolean {
  return name !== undefined && [candidate.name(), ...candidate.aliases()].includes(name);
}

/** The minimum width of an explanation beside its term. */
const MIN_EXPLANATION_COLUMNS = 24;

/** On a narrow screen, the explanation of a term goes below it. */
function formatItem(...item: Parameters<Help['formatItem']>): string {
  const [term, termWidth, explanation, help] = item;
  const columns = help.helpWidth ?? HELP_COLUMNS;
  if (explanation === '' || columns - termWidth - 4 >= MIN_EXPLANATION_COLUMNS) {
    return Help.prototype.formatItem.apply(help, item);
  }
  return [
    ...wrapTo(term, Math.max(1, columns - 2)).map((line) => `  ${line}`),
    ...wrapTo(explanation, Math.max(1, columns - 6)).map((line) => `      ${line}`),
  ].join('\n');
}

/** `call <server> <tool> [arguments...]`, without the `[options]` that every command has. */
function subcommandTerm(subcommand: Command): string {
  const words = subcommand.registeredArguments.map((argument) => {
    const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
    return argument.required ? `<${name}>` : `[${name}]`;
  });
  return [[subcommand.name(), ...subcommand.aliases()].join('|'), ...words].join(' ');
}
