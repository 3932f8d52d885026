// The slash commands of the chat. Most work without a model. Each takes words and returns something to show.

import type { Host } from '@plugboard/host';
import type { SubmitResult } from './chat.ts';
import type { SlashLine } from './slash-line.ts';

export interface CommandContext {
  readonly host: () => Promise<Host>;
  readonly signal: AbortSignal;
  /** Shows what the command is doing. */
  readonly tell: (text: string) => void;
  /** The maximum width of a table. */
  readonly columns: number;
  /** The commands about the conversation. */
  readonly talk: () => Promise<TalkCommands>;
}

export interface TalkCommands {
  /** Starts a new conversation. The current one stays on disk. */
  clear(): Promise<SubmitResult>;
  /** Resumes a conversation; without an id, lists them. */
  resume(id: string | undefined, where: 'here' | 'everywhere'): Promise<SubmitResult>;
  /** Goes back to before a turn; without a number, lists the turns. */
  rewind(turn: string | undefined, what: string | undefined): Promise<SubmitResult>;
  fork(): Promise<SubmitResult>;
  exportTo(path: string | undefined): Promise<SubmitResult>;
  copy(): Promise<SubmitResult>;
  compact(): Promise<SubmitResult>;
  /** The parts of the next request and how full the context is; or one part, or all of it. */
  context(which: string | undefined, columns: number): SubmitResult;
  cost(): string;
  /** Switches to another model; without a name, lists them. */
  model(name: string | undefined): Promise<SubmitResult>;
  status(): string;
  /** The permission rules. */
  permissions(columns: number): Promise<string>;
  /** The details of one server. */
  server(name: string, what: string | undefined, answer: string | undefined): Promise<SubmitResult>;
  /** The commands that are files. */
  own(): Promise<readonly SlashCommand[]>;
  /** The agents that the model can delegate to; or one of them. */
  agents(name: string | undefined): Promise<SubmitResult>;
  /** The files of instructions, and which of them the model gets; or opens one in an editor. */
  memory(which: string | undefined): Promise<SubmitResult>;
  /** Adds a line to the instructions of the folder. */
  note(line: string): Promise<SubmitResult>;
  /** Lists the background commands, shows the output of one, or stops one. */
  jobs(id: string | undefined, what: string | undefined): Promise<SubmitResult>;
  /** The changes of files by tools since the conversation began. */
  changes(): Promise<SubmitResult>;
}

export interface SlashCommand {
  readonly name: string;
  readonly usage: string;
  readonly about: string;
  /** It replaces the conversation, so it cannot run during a turn. */
  readonly isBetweenTurns?: true;
  run(line: SlashLine, ports: CommandContext): Promise<CommandResult>;
}

type CommandResult =
  | SubmitResult
  /** Sent to the model as a message of the user. */
  | {
      readonly kind: 'message';
      readonly text: string;
      /** Rules for calls that need no approval in this turn. */
      readonly allows?: readonly string[];
    };

/** Includes the conversations of all folders. */
const EVERYWHERE = '--all';

const shown = (text: string): SubmitResult => ({ kind: 'shown', text });

/** The message that `/init` sends to the model. */
const DRAFT = `Look at this project and write AGENTS.md in its folder, for agents that work here later: the commands that build, test and lint it, how the code is divided, and the conventions that are not obvious from one file. Read the README, the manifests and the configuration first. Write only what you have seen, at most 60 lines. If there is an AGENTS.md already, improve it.`;

export const SLASH_COMMANDS: readonly SlashCommand[] = [
  {
    name: 'init',
    usage: '',
    about: 'have the model draft AGENTS.md for this folder',
    run: () => Promise.resolve({ kind: 'message', text: DRAFT }),
  },
  {
    name: 'memory',
    usage: '[file]',
    about: 'the instructions for the model: edit one; # and a line adds one',
    isBetweenTurns: true,
    run: async ({ rest }, { talk }) => (await talk()).memory(rest === '' ? undefined : rest),
  },
  {
    name: 'help',
    usage: '',
    about: 'what you can type here',
    run: () => Promise.resolve({ kind: 'panel', panel: 'help' }),
  },
  {
    name: 'mcp',
    usage: '[server]',
    about: 'the servers: state, reconnect, sign in, trust, tools, log, doctor',
    run: async ({ words: [server, what, answer] }, { talk }) =>
      server === undefined
        ? { kind: 'panel', panel: 'mcp' }
        : (await talk()).server(server, what, answer),
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
    run: async ({ rest }, { host, signal, tell }) => {
      if (rest === '') return needs('words', '/search where tokens are refreshed');
      const { searchText } = await import('./direct.ts');
      return searchText(await host(), rest, { signal, tell });
    },
  },
  {
    name: 'resources',
    usage: '[server]',
    about: 'the resources of the servers',
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
    about: 'the model: choose one, or name it',
    run: async ({ words: [name] }, { talk }) => (await talk()).model(name),
  },
  {
    name: 'agents',
    usage: '[name]',
    about: 'the agents that the model can delegate to: see one, approve one of the project',
    run: async ({ words: [name] }, { talk }) => (await talk()).agents(name),
  },
  {
    name: 'compact',
    usage: '',
    about: 'summarise the conversation, to free context',
    run: async (_line, { talk }) => (await talk()).compact(),
  },
  {
    name: 'context',
    usage: '[part]',
    about: 'the whole next request: where each part comes from, and its tokens',
    run: async ({ words: [which] }, { talk, columns }) => (await talk()).context(which, columns),
  },
  {
    name: 'status',
    usage: '',
    about: 'the model, the session, the servers and how full the context is',
    run: async (_line, { talk }) => shown((await talk()).status()),
  },
  {
    name: 'permissions',
    usage: '',
    about: 'the rules about calls',
    run: async (_line, { talk, columns }) => shown(await (await talk()).permissions(columns)),
  },
  {
    name: 'diff',
    usage: '',
    about: 'what this conversation changed in files',
    run: async (_line, { talk }) => (await talk()).changes(),
  },
  {
    name: 'jobs',
    usage: '[number] [all | stop]',
    about: 'commands in the background: read what they print, stop them',
    run: async ({ words: [id, what] }, { talk }) => (await talk()).jobs(id, what),
  },
  {
    name: 'cost',
    usage: '',
    about: 'what the conversation has cost so far',
    run: async (_line, { talk }) => shown((await talk()).cost()),
  },
  ...['resume', 'sessions'].map((name): SlashCommand => ({
    name,
    usage: '[id]',
    about: 'go on with an earlier conversation: choose one, or name it',
    isBetweenTurns: true,
    run: async ({ words }, { talk }) => {
      const where = words.includes(EVERYWHERE) ? 'everywhere' : 'here';
      return (await talk()).resume(
        words.find((word) => word !== EVERYWHERE),
        where,
      );
    },
  })),
  {
    name: 'rewind',
    usage: '',
    about: 'go back to an earlier message, with the files as they were',
    isBetweenTurns: true,
    run: async ({ words: [turn, what] }, { talk }) => (await talk()).rewind(turn, what),
  },
  {
    name: 'fork',
    usage: '',
    about: 'go on in a copy; this conversation stays as it is',
    isBetweenTurns: true,
    run: async (_line, { talk }) => (await talk()).fork(),
  },
  {
    name: 'clear',
    usage: '',
    about: 'begin a new conversation; this one stays, see /resume',
    isBetweenTurns: true,
    run: async (_line, { talk }) => (await talk()).clear(),
  },
  {
    name: 'export',
    usage: '[file]',
    about: 'write the conversation to a file: Markdown, or JSON for a name that ends in .json',
    run: async ({ rest }, { talk }) => (await talk()).exportTo(rest === '' ? undefined : rest),
  },
  {
    name: 'copy',
    usage: '',
    about: 'copy the last answer to the clipboard',
    run: async (_line, { talk }) => (await talk()).copy(),
  },
  {
    name: 'vim',
    usage: '',
    about: 'turn vi keys in the prompt on and off',
    run: () => Promise.resolve({ kind: 'other-keys' }),
  },
  {
    name: 'quit',
    usage: '',
    about: 'leave; you can resume the conversation later',
    run: () => Promise.resolve({ kind: 'quit' }),
  },
];

function needs(what: string, example: string): SubmitResult {
  return { kind: 'problem', message: `this needs ${what}`, fix: `write it like ${example}` };
}
