// A chat over a host and a conversation. It joins the parts and owns none of their work: turns, approvals, questions,
// commands, mentions and the rows of servers are each their own file.

import { type Emitter, messageOf, never } from '@plugboard/base';
import type { AgentEvent, Message, UserMessage } from '@plugboard/agent';
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
import type { NotesQuestions } from './notes-questions.ts';
import type { Questions } from './questions.ts';
import { AttachedResources } from './attached-resources.ts';
import { serverRow } from './server-rows.ts';
import { SLASH_COMMANDS, type TalkCommands } from './slash-commands.ts';
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
  readonly approvals: Approvals;
  readonly questions: Questions;
  readonly notes: NotesQuestions;
  readonly earlier: readonly Message[];
  readonly history: History;
  /** Once: the first screen waits for none of it. */
  readonly open: () => Promise<OpenChat>;
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
    const { model } = this.opening;
    if (model.kind === 'none' && !this.#hasModel) return noModelWords(model);
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
        return makeMessage({ text: said, images }, ports);
      },
    });
    return TAKEN;
  }

  cancel(): void {
    this.#turns.cancel();
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
      commands: SLASH_COMMANDS,
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

  get #hasModel(): boolean {
    return this.#live?.opened.hasModel ?? false;
  }

  async #command(line: SlashLine): Promise<SubmitResult> {
    const command = SLASH_COMMANDS.find(({ name }) => name === line.name);
    if (command !== undefined) {
      const opened = async (): Promise<OpenChat> => (await this.#opened()).opened;
      return command.run(line, {
        host: async () => (await opened()).host,
        talk: async () => (await opened()).commands,
        columns: this.#parts.columns(),
        signal: never,
      });
    }
    if (line.name.includes(':')) return this.#prompt(line);
    const nearest = closestName(
      line.name,
      SLASH_COMMANDS.map(({ name }) => name),
    );
    return {
      kind: 'problem',
      message: `there is no command /${line.name}`,
      fix: nearest === undefined ? 'see what can be typed: /help' : `did you mean /${nearest}?`,
    };
  }

  async #prompt(line: SlashLine): Promise<SubmitResult> {
    const { model } = this.opening;
    if (model.kind === 'none' && !this.#hasModel) return noModelWords(model);
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

const TAKEN: SubmitResult = { kind: 'taken' };

/** What to say to a message when there is no model to answer it. */
function noModelWords(model: Extract<Opening['model'], { readonly kind: 'none' }>): SubmitResult {
  const ways = model.ways.map(({ provider, set }) => `  ${provider}: ${set}`);
  return {
    kind: 'problem',
    message: [model.problem ?? 'there is no model to answer', ...ways].join('\n'),
    fix: 'set one of these and start again; /tools, /call, /search and /mcp work without',
  };
}
