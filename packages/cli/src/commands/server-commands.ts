// The commands that show servers and use their tools: their options and help.

import { type Command, Option } from 'commander';
import { CALL_HELP, GENERATE_HELP } from '../print/help-text.ts';
import type { ToolView } from '../print/tools.ts';
import { UsageError } from '../usage-error.ts';
import type { AdHocFlags } from './ad-hoc.ts';
import type { CallFlags } from './call.ts';
import {
  command,
  type CommandTable,
  TOOL_BUDGET_HELP,
  TRUST_HELP,
  withAdHocServer,
  withDefault,
  withNamedServers,
  YES_HELP,
} from './command.ts';
import type { ToolCostsRequest } from './context.ts';
import type { GenerateRequest } from './generate.ts';

export const showCommands: CommandTable = {
  list: (self, context, done) =>
    withNamedServers(command(self, 'list the configured servers, without starting any'))
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
      }),
  get: (self, context, done) =>
    withNamedServers(command(self, 'show one server: what it runs and where it is configured'))
      .argument('<name>', 'the name of the server')
      .action(async (name: string) => {
        const { get } = await import('./get.ts');
        done(await get(context, name));
      }),
  explain: (self, context, done) =>
    withNamedServers(command(self, 'show where each field of a server comes from'))
      .argument('<name>', 'the name of the server')
      .action(async (name: string) => {
        const { explain } = await import('./explain.ts');
        done(await explain(context, name));
      }),
};

type CallWords = readonly [string, string | undefined, readonly string[], CallFlags, Command];

type ToolsWords = readonly [string | undefined, string | undefined, ToolsFlags, Command];

interface ToolsFlags extends AdHocFlags {
  readonly types?: true;
  readonly schema?: true;
  readonly refresh?: true;
}

export const serverCommands: CommandTable = {
  tools: (self, context, done) =>
    withAdHocServer(withNamedServers(command(self, 'list the tools of one server, or of all')))
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
      }),
  call: (self, context, done) =>
    withAdHocServer(withNamedServers(command(self, 'call a tool')))
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
      }),
  generate: (self, context, done) =>
    withNamedServers(command(self, 'write the tools of a server as functions with types'))
      .argument('<server>', 'the name of the server')
      .option('-o, --output <file>', 'the TypeScript file to write; without it, it is printed')
      .option('--check', 'with --output: write nothing, and fail if the file is out of date')
      .option('--trust-project', TRUST_HELP)
      .addHelpText('after', GENERATE_HELP)
      .action(async (server: string, flags: Omit<GenerateRequest, 'server'>) => {
        const { generate } = await import('./generate.ts');
        done(await generate(context, { ...flags, server }));
      }),
  context: (self, context, done) =>
    withNamedServers(command(self, 'show how many tokens tools cost, and which a model gets'))
      .option('--model <name>', 'the model, as provider/name')
      .option('--window <tokens>', 'the size of the context window (default: that of the model)')
      .option('--tool-budget <tokens>', TOOL_BUDGET_HELP)
      .option('--trust-project', TRUST_HELP)
      .action(async (flags: ToolCostsRequest) => {
        const { toolCosts } = await import('./context.ts');
        done(await toolCosts(context, flags));
      }),
  doctor: (self, context, done) =>
    withAdHocServer(
      withNamedServers(command(self, 'find out why a server does not work, step by step')),
    )
      .argument('[server]', 'the name of the server; without it, all servers')
      .option('--trust-project', TRUST_HELP)
      .action(async (named: string | undefined, flags: AdHocFlags) => {
        const { doctor } = await import('./doctor.ts');
        const { selectServer } = await import('./ad-hoc.ts');
        const selected = await selectServer(context, flags, named);
        done(await doctor(selected.context, selected.server));
      }),
  stop: (self, context, done) =>
    command(self, 'stop shared servers: one, or all')
      .argument('[server]', 'the name of the server; without it, all shared servers')
      .action(async (server: string | undefined) => {
        const { stop } = await import('./stop.ts');
        done(await stop(context, server));
      }),
  logs: records('logs', 'show what a server wrote to stderr and sent as log messages'),
  trace: records('trace', 'show the messages that went to and from a server'),
};

interface RecordFlags extends AdHocFlags {
  readonly lines: string;
}

function records(what: 'logs' | 'trace', description: string): CommandTable[string] {
  return (self, context, done) =>
    withAdHocServer(command(self, description))
      .argument('[server]', 'the name of the server; omit it with --url or --stdio')
      .addOption(
        withDefault('-n, --lines <number>', 'the number of lines, counted from the end', '50'),
      )
      .action(async (named: string | undefined, flags: RecordFlags) => {
        const { showRecords } = await import('./show-records.ts');
        const { requireServer } = await import('./ad-hoc.ts');
        const { context: chosen, server } = await requireServer(context, flags, named);
        done(await showRecords(chosen, { what, server, lines: flags.lines }));
      });
}

/** For a single tool, the default is its types. */
function shownView({ types, schema }: ToolsFlags, tool: string | undefined): ToolView {
  if (schema === true) return 'schema';
  return types === true || tool !== undefined ? 'types' : 'table';
}
