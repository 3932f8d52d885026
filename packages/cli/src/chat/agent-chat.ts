// A chat on top of a host and a conversation. It only connects the parts: turns, approvals, questions, commands, mentions
// and server rows each have their own file.

import { messageOf } from '@plugboard/base';
import type { AgentEvent, Message, UserMessage, UserPart } from '@plugboard/agent';
import type { Host, HostEvent, HostTool } from '@plugboard/host';
import { BUILT_IN_SERVERS, closestName, type HostEnvironment } from '@plugboard/host/configuration';
import type {
  Chat,
  ChatAnswer,
  ChatEvent,
  Completions,
  Notice,
  Opening,
  PastedImage,
  ServerAction,
  ServerRow,
  SubmitResult,
} from './chat.ts';
import type { ChatDesk } from './chat-desk.ts';
import { completionsAt } from './completing.ts';
import { fillPrompt } from './fill-prompt.ts';
import { hostNotice } from './host-notice.ts';
import { makeMessage } from './make-message.ts';
import { AttachedResources } from './attached-resources.ts';
import { serverRow } from './server-rows.ts';
import { SLASH_COMMANDS, type SlashCommand, type TalkCommands } from './slash-commands.ts';
import { readSlashLine, type SlashLine } from './slash-line.ts';
import { Turns } from './turns.ts';

/** The host of an open chat, and the conversation on top of it. */
export interface OpenChat extends AsyncDisposable {
  readonly host: Host;
  /** Also true if the user chose a model after the start. */
  readonly hasModel: boolean;
  /** Runs a turn. Never throws; the last event is `turn-ended`. */
  send(message: UserMessage, signal: AbortSignal): AsyncIterable<AgentEvent>;
  readonly commands: TalkCommands;
  act(server: string, action: ServerAction): Promise<Notice>;
  /** The id of the stored conversation; `undefined` while there is nothing to store. */
  readonly session: string | undefined;
}

/** The lines that the user typed, oldest first. */
export interface History {
  readonly lines: readonly string[];
  /** Stores the line on disk too, if possible. */
  add(line: string): Promise<void>;
}

export interface ChatParts extends ChatDesk {
  readonly opening: Opening;
  readonly environment: HostEnvironment;
  /** The maximum width of a table. */
  readonly columns: () => number;
  readonly earlier: readonly Message[];
  readonly history: History;
  readonly clipboardPicture: Chat['clipboardPicture'];
  /** Called once. The first screen does not wait for it. */
  readonly open: () => Promise<OpenChat>;
}

interface MessageExtras {
  readonly images?: readonly PastedImage[];
  /** For a command that is a file: the calls that need no approval in its turn. */
  readonly allows?: readonly string[];
}

interface LiveChat {
  readonly chat: OpenChat;
  readonly resources: AttachedResources;
  readonly listening: Disposable;
}

export class AgentChat implements Chat {
  readonly opening: Opening;
  readonly earlier: readonly Message[];
  readonly #parts: ChatParts;
  readonly #turns: Turns;
  /** The output of the user's shell commands since the last message. */
  readonly #shellOutput: UserPart[] = [];
  /** One for each running command. */
  readonly #runningCommands = new Set<AbortController>();
  #liveChat: Promise<LiveChat> | undefined;
  #live: LiveChat | undefined;
  #tools: readonly HostTool[] = [];

  constructor(parts: ChatParts) {
    this.opening = parts.opening;
    this.earlier = parts.earlier;
    this.#parts = parts;
    this.#turns = new Turns({
      emit: parts.emit,
      send: (message, signal) => this.#send(message, signal),
      failed: (thrown) => this.#notice({ level: 'error', text: messageOf(thrown) }),
    });
  }

  get history(): readonly string[] {
    return this.#parts.history.lines;
  }

  on(listener: (event: ChatEvent) => void): Disposable {
    return this.#parts.events.on(listener);
  }

  async submit(text: string, images: readonly PastedImage[] = []): Promise<SubmitResult> {
    const line = text.trim();
    if (line === '' && images.length === 0) return TAKEN;
    await this.#parts.history.add(line);
    const slashLine = readSlashLine(line);
    if (slashLine !== undefined) return this.#command(slashLine);
    const [, sign, rest = ''] = /^([!#])(?!\1)\s*(\S.*)$/u.exec(line) ?? [];
    if (sign === '!') return this.#shell(rest);
    if (sign === '#') return (await this.#whenOpen()).chat.commands.note(rest);
    return this.#message(line, { images });
  }

  #message(text: string, { images = [], allows }: MessageExtras): SubmitResult {
    // Mentions count only in text that the user typed, not in the text of a file.
    const isTyped = allows === undefined;
    const problem = this.#noModelProblem();
    if (problem !== undefined) return problem;
    this.#turns.add({
      text,
      message: async (signal) => {
        const { resources } = await this.#whenOpen();
        const sources = {
          folder: this.#parts.environment.cwd,
          resources,
          notice: (notice: Notice) => this.#notice(notice),
          signal,
        };
        this.#parts.granted.rules = allows ?? [];
        const made = isTyped ? await makeMessage({ text, images }, sources) : plainMessage(text);
        return { ...made, parts: [...made.parts, ...this.#shellOutput.splice(0)] };
      },
    });
    return TAKEN;
  }

  /** The output of the command is attached to the next message. */
  async #shell(command: string): Promise<SubmitResult> {
    const { chat } = await this.#whenOpen();
    return this.#cancellable(async (signal) => {
      const { shellText } = await import('./direct.ts');
      const submitted = await shellText(chat.host, command, signal);
      if (submitted.kind === 'shown') {
        const { text } = submitted;
        this.#shellOutput.push({ kind: 'attachment', label: `! ${command}`, text });
      }
      return submitted;
    });
  }

  /** Runs a command that `cancel` can stop. */
  async #cancellable<T>(run: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const stop = new AbortController();
    this.#runningCommands.add(stop);
    try {
      return await run(stop.signal);
    } finally {
      this.#runningCommands.delete(stop);
    }
  }

  choose(line: string): Promise<SubmitResult> {
    const read = readSlashLine(line);
    return read === undefined ? this.submit(line) : this.#command(read);
  }

  /** The id to resume the conversation by; `undefined` if it is empty. */
  get session(): string | undefined {
    return this.#live?.chat.session;
  }

  clipboardPicture(): ReturnType<Chat['clipboardPicture']> {
    return this.#parts.clipboardPicture();
  }

  cancel(): void {
    this.#turns.cancel();
    for (const command of this.#runningCommands) command.abort();
  }

  turnMode(): void {
    this.#parts.modes.turn();
  }

  answer({ kind, id, answer }: ChatAnswer): void {
    const { approvals, notes, questions } = this.#parts;
    switch (kind) {
      case 'approval':
        approvals.answer(id, answer);
        break;
      case 'notes':
        notes.answer(id, answer);
        break;
      case 'question':
        questions.answer(id, answer);
        break;
      default:
        kind satisfies never;
    }
  }

  async complete(text: string, cursor: number, signal: AbortSignal): Promise<Completions> {
    const sources = {
      host: async () => (await this.#whenOpen()).chat.host,
      commands: [...SLASH_COMMANDS, ...(await this.#ownCommands())],
      folder: this.#parts.environment.cwd,
    };
    return completionsAt(sources, text.slice(0, cursor), signal);
  }

  servers(): readonly ServerRow[] {
    if (this.#live === undefined) return [];
    const facts = { tools: this.#tools, from: this.#parts.environment };
    return this.#live.chat.host.servers.map((status) => serverRow(status, facts));
  }

  async act(server: string, action: ServerAction): Promise<Notice> {
    const { chat } = await this.#whenOpen();
    return chat.act(server, action);
  }

  /** Connects the built-in servers behind the first screen. All others connect with the first message. */
  async warmUp(): Promise<void> {
    const { chat } = await this.#whenOpen();
    await chat.host.tools({ servers: [...BUILT_IN_SERVERS] });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#turns.cancel();
    await this.#turns.settled();
    const live = await this.#liveChat;
    if (live === undefined) return;
    live.listening[Symbol.dispose]();
    live.resources[Symbol.dispose]();
    await live.chat[Symbol.asyncDispose]();
  }

  /** What to answer to a message if there is no model. */
  #noModelProblem(): SubmitResult | undefined {
    const { model } = this.opening;
    if (model.kind === 'chosen' || this.#live?.chat.hasModel === true) return undefined;
    const ways = model.ways.map(({ provider, set }) => `  ${provider}: ${set}`);
    return {
      kind: 'problem',
      message: [model.problem ?? 'there is no model to answer', ...ways].join('\n'),
      fix: 'set one of these and start again; /tools, /call, /search and /mcp work without',
    };
  }

  async #command(line: SlashLine): Promise<SubmitResult> {
    const hasName = ({ name }: SlashCommand): boolean => name === line.name;
    const known = SLASH_COMMANDS.find(hasName);
    const command =
      known ?? (line.name.includes(':') ? undefined : await this.#ownCommand(hasName));
    if (command !== undefined) {
      if (command.isBetweenTurns === true && this.#turns.isRunning) return TURN_RUNS;
      return this.#run(command, line);
    }
    if (line.name.includes(':')) return this.#prompt(line);
    const nearest = closestName(
      line.name,
      SLASH_COMMANDS.map(({ name }) => name),
    );
    return {
      kind: 'problem',
      message: `there is no command /${line.name}`,
      fix: nearest === undefined ? 'see what you can type: /help' : `did you mean /${nearest}?`,
    };
  }

  async #ownCommand(
    hasName: (command: SlashCommand) => boolean,
  ): Promise<SlashCommand | undefined> {
    const { chat } = await this.#whenOpen();
    return (await chat.commands.own()).find(hasName);
  }

  /** For a menu, which must not wait until the chat is open. */
  async #ownCommands(): Promise<readonly SlashCommand[]> {
    return this.#live === undefined ? [] : this.#live.chat.commands.own();
  }

  async #run(command: SlashCommand, line: SlashLine): Promise<SubmitResult> {
    const whenOpen = async (): Promise<OpenChat> => (await this.#whenOpen()).chat;
    const result = await this.#cancellable((signal) =>
      command.run(line, {
        host: async () => (await whenOpen()).host,
        talk: async () => (await whenOpen()).commands,
        columns: this.#parts.columns(),
        signal,
        tell: (text) => this.#parts.emit({ kind: 'command-progress', text }),
      }),
    );
    return result.kind === 'message'
      ? this.#message(result.text, { allows: result.allows ?? [] })
      : result;
  }

  async #prompt(line: SlashLine): Promise<SubmitResult> {
    const problem = this.#noModelProblem();
    if (problem !== undefined) return problem;
    const { chat } = await this.#whenOpen();
    const { environment } = this.#parts;
    return this.#cancellable(async (signal) => {
      const filled = await fillPrompt(line, { host: chat.host, environment, signal });
      if (!filled.ok) return filled.error;
      const { value } = filled;
      this.#turns.add({ text: `/${line.name}`, message: () => Promise.resolve(value) });
      return TAKEN;
    });
  }

  async *#send(...[message, signal]: Parameters<OpenChat['send']>): ReturnType<OpenChat['send']> {
    const { chat } = await this.#whenOpen();
    yield* chat.send(message, signal);
  }

  #whenOpen(): Promise<LiveChat> {
    this.#liveChat ??= this.#open();
    return this.#liveChat;
  }

  async #open(): Promise<LiveChat> {
    const chat = await this.#parts.open();
    const { host } = chat;
    const resources = new AttachedResources(host, {
      from: this.#parts.environment,
      onChange: ({ server, uri }) =>
        this.#notice({ level: 'info', text: `${server}:${uri} has changed` }),
    });
    const listening = host.on((event) => void this.#onHostEvent(event));
    this.#live = { chat, resources, listening };
    this.#emitServers();
    return this.#live;
  }

  async #onHostEvent(event: HostEvent): Promise<void> {
    if (event.kind === 'tools' && this.#live !== undefined) {
      const { tools } = await this.#live.chat.host.tools({ servers: [event.server] });
      this.#tools = [...this.#tools.filter(({ server }) => server !== event.server), ...tools];
    }
    if (event.kind === 'tools' || event.kind === 'state' || event.kind === 'configuration') {
      this.#emitServers();
    }
    const notice = hostNotice(event, this.#parts.environment);
    if (notice !== undefined) this.#notice(notice);
  }

  #emitServers(): void {
    this.#parts.emit({ kind: 'servers', servers: this.servers() });
  }

  #notice(notice: Notice): void {
    this.#parts.emit({ kind: 'notice', notice });
  }
}

function plainMessage(text: string): UserMessage {
  return { kind: 'user', parts: [{ kind: 'text', text }] };
}

const TAKEN: SubmitResult = { kind: 'taken' };
const TURN_RUNS: SubmitResult = {
  kind: 'problem',
  message: 'a turn is running',
  fix: 'stop it with Esc, or wait for its end, and try again',
};
