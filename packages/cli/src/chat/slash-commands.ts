// What a person can do with a slash, with or without a model: look at servers and tools, call, search and read. Each
// command takes words and gives something to show.

import type { Host } from '@plugboard/host';
import type { SubmitResult } from './chat.ts';
import type { SlashLine } from './slash-line.ts';

/** What commands are carried out with. */
export interface CommandPorts {
  readonly host: () => Promise<Host>;
  readonly signal: AbortSignal;
  /** How wide a table may be. */
  readonly columns: number;
  /** The conversation, as far as commands touch it. */
  readonly talk: () => Promise<TalkCommands>;
}

export interface TalkCommands {
  clear(): Promise<void>;
  compact(): Promise<SubmitResult>;
  /** What tools cost the conversation, and how full its context is. */
  context(columns: number): string;
  cost(): string;
  sessions(): Promise<string>;
  /** Another model from now on; without a name, which it is. */
  model(name: string | undefined): Promise<SubmitResult>;
}

export interface SlashCommand {
  readonly name: string;
  readonly usage: string;
  readonly about: string;
  run(line: SlashLine, ports: CommandPorts): Promise<SubmitResult>;
}

const shown = (text: string): SubmitResult => ({ kind: 'shown', text });

export const SLASH_COMMANDS: readonly SlashCommand[] = [
  {
    name: 'help',
    usage: '',
    about: 'what can be typed here',
    run: () => Promise.resolve({ kind: 'panel', panel: 'help' }),
  },
  {
    name: 'mcp',
    usage: '',
    about: 'the servers: how they are, reconnect, sign in, switch on and off',
    run: () => Promise.resolve({ kind: 'panel', panel: 'mcp' }),
  },
  {
    name: 'tools',
    usage: '[server]',
    about: 'the tools of one server, or of all',
    run: async ({ words: [server] }, { host, ...look }) => {
      const { toolsText } = await import('./direct.ts');
      return toolsText(await host(), server, look);
    },
  },
  {
    name: 'call',
    usage: 'server tool key=value …',
    about: 'call a tool yourself',
    run: async ({ words: [server, tool, ...given] }, { host, signal }) => {
      if (server === undefined || tool === undefined)
        return needs('a server and a tool', '/call server tool key=value …');
      const { callText } = await import('./direct.ts');
      return callText(await host(), { server, tool, given }, signal);
    },
  },
  {
    name: 'search',
    usage: 'words',
    about: 'search the code of this folder by meaning',
    run: async ({ rest }, { host, signal }) => {
      if (rest === '') return needs('words', '/search where tokens are refreshed');
      const { searchText } = await import('./direct.ts');
      return searchText(await host(), rest, signal);
    },
  },
  {
    name: 'resources',
    usage: '[server]',
    about: 'what servers have to read',
    run: async ({ words: [server] }, { host, ...look }) => {
      const { resourcesText } = await import('./direct.ts');
      return resourcesText(await host(), server, look);
    },
  },
  {
    name: 'read',
    usage: 'server:uri',
    about: 'read a resource',
    run: async ({ rest }, { host, signal }) => {
      const { readText } = await import('./direct.ts');
      return readText(await host(), rest, signal);
    },
  },
  {
    name: 'model',
    usage: '[provider/name]',
    about: 'which model answers, or another one from now on',
    run: async ({ words: [name] }, { talk }) => (await talk()).model(name),
  },
  {
    name: 'compact',
    usage: '',
    about: 'sum up what was said, to make room',
    run: async (_line, { talk }) => (await talk()).compact(),
  },
  {
    name: 'context',
    usage: '',
    about: 'what tools cost, how the model gets them, and how full its context is',
    run: async (_line, { talk, columns }) => shown((await talk()).context(columns)),
  },
  {
    name: 'cost',
    usage: '',
    about: 'what the conversation took so far',
    run: async (_line, { talk }) => shown((await talk()).cost()),
  },
  {
    name: 'sessions',
    usage: '',
    about: 'earlier conversations in this folder',
    run: async (_line, { talk }) => shown(await (await talk()).sessions()),
  },
  {
    name: 'clear',
    usage: '',
    about: 'begin a new conversation',
    run: async (_line, { talk }) => {
      await (await talk()).clear();
      return { kind: 'taken' };
    },
  },
  {
    name: 'quit',
    usage: '',
    about: 'leave; the conversation can be taken up again',
    run: () => Promise.resolve({ kind: 'quit' }),
  },
];

function needs(what: string, example: string): SubmitResult {
  return { kind: 'problem', message: `this needs ${what}`, fix: `write it like ${example}` };
}
