// A chat over a host and a conversation. It joins the parts and owns none of their work: turns, approvals, questions,
// commands, mentions and the rows of servers are each their own file.

import { type Emitter, messageOf, never } from '@plugboard/base';
import type { AgentEvent, Message, UserMessage, UserPart } from '@plugboard/agent';
import type { ElicitationAnswer, Host, HostEvent, HostTool } from '@plugboard/host';
import { BUILT_IN_SERVERS, closestName, type HostEnvironment } from '@plugboard/host/configuration';
import type { Approvals } from './approvals.ts';
import type {
  ApprovalAnswer,
  Chat,
  ChatEvent,
  Completions,
  NotesAnswer,
  Notice,
  Opening,
  PastedImage,
  ServerAction,
  ServerRow,
  SubmitResult,
} from './chat.ts';
import { completionsAt } from './completing.ts';
import { fillPrompt } from './fill-prompt.ts';
import { hostNotice } from './host-notice.ts';
import { makeMessage } from './make-message.ts';
import type { ModeSwitch } from './mode-switch.ts';
import type { NotesQuestions } from './notes-questions.ts';
import type { Questions } from './questions.ts';
import { AttachedResources } from './attached-resources.ts';
import { serverRow } from './server-rows.ts';
import { SLASH_COMMANDS, type SlashCommand, type TalkCommands } from './slash-commands.ts';
import { readSlashLine, type SlashLine } from './slash-line.ts';
import { Turns } from './turns.ts';

/** What a chat works with once it is open: the host, and the conversation over it. */
export interface OpenChat extends AsyncDisposable {
  readonly host: Host;
  /** It may have been chosen since. */
  readonly hasModel: boolean;
  /** A turn; it never throws and ends with `turn-ended`. */
  send(message: UserMessage, signal: AbortSignal): AsyncIterable<AgentEvent>;
  readonly commands: TalkCommands;
  act(server: string, action: ServerAction): Promise<Notice>;
  /** The id under which the conversation is kept; `undefined` while there is nothing to keep. */
  readonly session: string | undefined;
}

/** What was typed, oldest first. */
export interface History {
  readonly lines: readonly string[];
  /** Also on disk, where that is possible. */
  add(line: string): Promise<void>;
}

export interface ChatParts {
  readonly opening: Opening;
  readonly environment: HostEnvironment;
  /** How wide a table may be. */
  readonly columns: () => number;
  readonly events: Emitter<ChatEvent>;
  readonly modes: ModeSwitch;
  /** Rules that the command of this turn brings. */
  readonly granted: { rules: readonly string[] };
  readonly approvals: Approvals;
  readonly questions: Questions;
  readonly notes: NotesQuestions;
  readonly earlier: readonly Message[];
  readonly history: History;
  readonly clipboardPicture: Chat['clipboardPicture'];
  /** Once: the first screen waits for none of it. */
  readonly open: () => Promise<OpenChat>;
}

/** What may come with a message. */
interface MessageExtras {
  readonly images?: readonly PastedImage[];
  /** Of a command that is a file: what may run without a question in its turn. */
  readonly allows?: readonly string[];
}

interface LiveChat {
  readonly opened: OpenChat;
  readonly resources: AttachedResources;
  readonly listening: Disposable;
}

export class AgentChat implements Chat {
  readonly opening: Opening;
  readonly earlier: readonly Message[];
  readonly #parts: ChatParts;
  readonly #turns: Turns;
  /** What commands of the person's own printed since the last message. */
  readonly #printed: UserPart[] = [];
  /** Of the commands that run now. */
  readonly #commands = new Set<AbortController>();
  #becomingLive: Promise<LiveChat> | undefined;
  #live: LiveChat | undefined;
  #tools: readonly HostTool[] = [];

  constructor(parts: ChatParts) {
    this.opening = parts.opening;
    this.earlier = parts.earlier;
    this.#parts = parts;
    this.#turns = new Turns({
      emit: (event) => parts.events.emit(event),
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
    const said = text.trim();
    if (said === '' && images.length === 0) return TAKEN;
    await this.#parts.history.add(said);
    const line = readSlashLine(said);
    if (line !== undefined) return this.#command(line);
    const [, sign, rest = ''] = /^([!#])(?!\1)\s*(\S.*)$/u.exec(said) ?? [];
    if (sign === '!') return this.#shell(rest);
    if (sign === '#') return (await this.#opened()).opened.commands.note(rest);
    return this.#message(said, { images });
  }

  #message(said: string, { images = [], allows }: MessageExtras): SubmitResult {
    // What a file says names no other files: the person did not type that.
    const isTyped = allows === undefined;
    const problem = this.#noModelProblem();
    if (problem !== undefined) return problem;
    this.#turns.add({
      text: said,
      message: async (signal) => {
        const { resources } = await this.#opened();
        const ports = {
          folder: this.#parts.environment.cwd,
          resources,
          notice: (notice: Notice) => this.#notice(notice),
          signal,
        };
        this.#parts.granted.rules = allows ?? [];
        const made = isTyped
          ? await makeMessage({ text: said, images }, ports)
          : plainMessage(said);
        return { ...made, parts: [...made.parts, ...this.#printed.splice(0)] };
      },
    });
    return TAKEN;
  }

  /** The output of the command is attached to the next message. */
  async #shell(command: string): Promise<SubmitResult> {
    const { opened } = await this.#opened();
    return this.#cancellable(async (signal) => {
      const { shellText } = await import('./direct.ts');
      const submitted = await shellText(opened.host, command, signal);
      if (submitted.kind === 'shown') {
        const { text } = submitted;
        this.#printed.push({ kind: 'attachment', label: `! ${command}`, text });
      }
      return submitted;
    });
  }

  /** Runs a command that `cancel` can stop. */
  async #cancellable(
    run: (signal: AbortSignal) => Promise<SubmitResult>,
  ): Promise<SubmitResult> {
    const stop = new AbortController();
    this.#commands.add(stop);
    try {
      return await run(stop.signal);
    } finally {
      this.#commands.delete(stop);
    }
  }

  choose(line: string): Promise<SubmitResult> {
    const read = readSlashLine(line);
    return read === undefined ? this.submit(line) : this.#command(read);
  }

  /** The id to come back by; `undefined` if nothing was said. */
  get session(): string | undefined {
    return this.#live?.opened.session;
  }

  clipboardPicture(): ReturnType<Chat['clipboardPicture']> {
    return this.#parts.clipboardPicture();
  }

  cancel(): void {
    this.#turns.cancel();
    for (const command of this.#commands) command.abort();
  }

  turnMode(): void {
    this.#parts.modes.turn();
  }

  answerApproval(id: string, answer: ApprovalAnswer): void {
    this.#parts.approvals.answer(id, answer);
  }

  answerNotes(id: string, answer: NotesAnswer): void {
    this.#parts.notes.answer(id, answer);
  }

  answerQuestion(id: string, answer: ElicitationAnswer): void {
    this.#parts.questions.answer(id, answer);
  }

  async complete(text: string, cursor: number, signal: AbortSignal): Promise<Completions> {
    const ports = {
      host: async () => (await this.#opened()).opened.host,
      commands: [...SLASH_COMMANDS, ...(await this.#ownCommands())],
      folder: this.#parts.environment.cwd,
    };
    return completionsAt(ports, text.slice(0, cursor), signal);
  }

  servers(): readonly ServerRow[] {
    if (this.#live === undefined) return [];
    const facts = { tools: this.#tools, from: this.#parts.environment };
    return this.#live.opened.host.servers.map((status) => serverRow(status, facts));
  }

  async act(server: string, action: ServerAction): Promise<Notice> {
    const { opened } = await this.#opened();
    return opened.act(server, action);
  }

  /** Readies what is built in, behind the first screen. Servers of others wait for the first message. */
  async warmUp(): Promise<void> {
    const { opened } = await this.#opened();
    await opened.host.tools({ servers: [...BUILT_IN_SERVERS] });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#turns.cancel();
    await this.#turns.settled();
    const live = await this.#becomingLive;
    if (live === undefined) return;
    live.listening[Symbol.dispose]();
    live.resources[Symbol.dispose]();
    await live.opened[Symbol.asyncDispose]();
  }

  /** What to answer to a message if there is no model. */
  #noModelProblem(): SubmitResult | undefined {
    const { model } = this.opening;
    if (model.kind === 'chosen' || this.#live?.opened.hasModel === true) return undefined;
    const ways = model.ways.map(({ provider, set }) => `  ${provider}: ${set}`);
    return {
      kind: 'problem',
      message: [model.problem ?? 'there is no model to answer', ...ways].join('\n'),
      fix: 'set one of these and start again; /tools, /call, /search and /mcp work without',
    };
  }

  async #command(line: SlashLine): Promise<SubmitResult> {
    const isNamed = ({ name }: SlashCommand): boolean => name === line.name;
    const known = SLASH_COMMANDS.find(isNamed);
    const command =
      known ?? (line.name.includes(':') ? undefined : await this.#ownCommand(isNamed));
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
    isNamed: (command: SlashCommand) => boolean,
  ): Promise<SlashCommand | undefined> {
    const { opened } = await this.#opened();
    return (await opened.commands.own()).find(isNamed);
  }

  /** For a menu, which waits for nothing. */
  async #ownCommands(): Promise<readonly SlashCommand[]> {
    return this.#live === undefined ? [] : this.#live.opened.commands.own();
  }

  async #run(command: SlashCommand, line: SlashLine): Promise<SubmitResult> {
    const opened = async (): Promise<OpenChat> => (await this.#opened()).opened;
    const result = await this.#cancellable((signal) =>
      command.run(line, {
        host: async () => (await opened()).host,
        talk: async () => (await opened()).commands,
        columns: this.#parts.columns(),
        signal,
        tell: (text) => this.#parts.events.emit({ kind: 'command-progress', text }),
      }),
    );
    return result.kind === 'message'
      ? this.#message(result.text, { allows: result.allows ?? [] })
      : result;
  }

  async #prompt(line: SlashLine): Promise<SubmitResult> {
    const problem = this.#noModelProblem();
    if (problem !== undefined) return problem;
    const { opened } = await this.#opened();
    const { environment } = this.#parts;
    const filled = await fillPrompt(line, { host: opened.host, environment, signal: never });
    if (!filled.ok) return filled.error;
    const { value } = filled;
    this.#turns.add({ text: `/${line.name}`, message: () => Promise.resolve(value) });
    return TAKEN;
  }

  async *#send(...[message, signal]: Parameters<OpenChat['send']>): ReturnType<OpenChat['send']> {
    const { opened } = await this.#opened();
    yield* opened.send(message, signal);
  }

  #opened(): Promise<LiveChat> {
    this.#becomingLive ??= this.#open();
    return this.#becomingLive;
  }

  async #open(): Promise<LiveChat> {
    const opened = await this.#parts.open();
    const { host } = opened;
    const resources = new AttachedResources(host, {
      from: this.#parts.environment,
      onChange: ({ server, uri }) =>
        this.#notice({ level: 'info', text: `${server}:${uri} has changed` }),
    });
    const listening = host.on((event) => void this.#hear(event));
    this.#live = { opened, resources, listening };
    this.#tellServers();
    return this.#live;
  }

  async #hear(event: HostEvent): Promise<void> {
    if (event.kind === 'tools' && this.#live !== undefined) {
      const { tools } = await this.#live.opened.host.tools({ servers: [event.server] });
      this.#tools = [...this.#tools.filter(({ server }) => server !== event.server), ...tools];
    }
    if (event.kind === 'tools' || event.kind === 'state' || event.kind === 'configuration') {
      this.#tellServers();
    }
    const notice = hostNotice(event, this.#parts.environment);
    if (notice !== undefined) this.#notice(notice);
  }

  #tellServers(): void {
    this.#parts.events.emit({ kind: 'servers', servers: this.servers() });
  }

  #notice(notice: Notice): void {
    this.#parts.events.emit({ kind: 'notice', notice });
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
