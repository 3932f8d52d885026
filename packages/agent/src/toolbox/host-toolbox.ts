// The tools of a host's servers, for a conversation. Servers are listed in the background, independently: a slow or
// broken server delays nothing, and a server that comes later is in the next offer. Every call goes through the host.

import { type Clock, definedFields, delay, systemClock } from '@plugboard/base';
import {
  type CallOutcome,
  type CallSettings,
  type Host,
  type HostConversation,
  type HostTool,
  type SavedFile,
  toModelText,
} from '@plugboard/host';
import {
  type Answer,
  answerContent,
  budgetTokens,
  DEFAULT_TOOL_BUDGET,
  ModelTools,
  READ_RESULT,
  RUN_CODE,
  RUN_CODE_TOKENS,
  type ToolBudget,
  type ToolPlan,
  type ToolUsage,
} from '@plugboard/host/adapters';
import type {
  CallProgress,
  Message,
  ModelTool,
  RunSettings,
  Toolbox,
  ToolAnswer,
  ToolCall,
  ToolFacts,
  ToolOffer,
  UserMessage,
} from '../conversation/index.ts';
import { textAnswer } from '../conversation/index.ts';
import { KeptServerFacts, type ServerFacts } from './server-facts.ts';
import { type FirstWait, ServerLists } from './server-lists.ts';
import { serverNotes } from './server-notes.ts';

/** What is needed of a host. */
export type ToolHost = Pick<
  Host,
  'tools' | 'conversation' | 'servers' | 'on' | 'results' | 'scripts' | 'fitText'
>;

export interface HostToolboxOptions {
  readonly host: ToolHost;
  readonly clock?: Clock;
  /** Of the model, to tell when its tools are too many. */
  readonly contextTokens: number;
  /** What the definitions of tools may take at most. 15 % of the context, by default. */
  readonly toolBudget?: ToolBudget;
  /** Which tools were used often, and what is used now, for the plan of the next conversation. */
  readonly usage?: ToolUsage;
  /** Whether the model may write scripts, where that is cheaper than calls. No, by default. */
  readonly code?: boolean;
  /** Servers whose tools are always on offer. */
  readonly essential?: readonly string[];
  /** How long the first request waits for servers in this process. */
  readonly firstWaitMs?: number;
  /** How long it waits for all servers, so that the first request does not depend on which was faster. */
  readonly firstWaitFor?: FirstWait;
}

export interface PlannedTools extends Pick<ToolPlan<HostTool>, 'servers' | 'surfaceTokens'> {
  readonly tools: readonly HostTool[];
  /** What definitions may take, in tokens. */
  readonly budget: number;
}

export class HostToolbox implements Toolbox, Disposable {
  readonly #options: HostToolboxOptions;
  readonly #lists: ServerLists;
  #tools: ModelTools;
  #facts = new KeptServerFacts();
  #offer: ToolOffer | undefined;
  /** How many calls scripts have made. */
  #inScripts = 0;
  /** Follows what calls bring into the conversation, those of sub-agents too. */
  #conversation: HostConversation;

  constructor(options: HostToolboxOptions) {
    this.#options = options;
    this.#lists = new ServerLists(options.host, () => {
      this.#offer = undefined;
    });
    this.#conversation = options.host.conversation();
    this.#tools = this.#newTools();
  }

  #newTools(): ModelTools {
    const { host, usage } = this.#options;
    return new ModelTools(host, usage?.conversation());
  }

  /** Begins to list all servers, and returns at once. */
  start(): void {
    this.#lists.start();
  }

  /** Waits a moment for tools that are near, and for no server that is slow. */
  async firstTools(signal: AbortSignal): Promise<void> {
    this.start();
    const { clock = systemClock, firstWaitMs = 250, firstWaitFor = 'near' } = this.#options;
    const over = new AbortController();
    const waiting = AbortSignal.any([signal, this.#lists.signal, over.signal]);
    const time = delay(firstWaitMs, clock, waiting);
    try {
      await Promise.race([time, this.#lists.near(firstWaitFor, waiting)]);
    } catch {
      // Cancelled or closed: the caller continues with the tools that are there.
    } finally {
      over.abort();
      await time.catch(() => {});
    }
  }

  offer(): ToolOffer {
    this.start();
    this.#offer ??= this.#makeOffer();
    return this.#offer;
  }

  /**
   * For a system prompt that stays the same as long as it can: how the servers are, and what they say about themselves, as
   * far as the user has accepted it. Text from the servers.
   */
  promptFacts(): ServerFacts {
    const { host, clock = systemClock } = this.#options;
    const { tools, servers } = this.offer();
    return this.#facts.take({
      now: clock.now(),
      servers,
      instructions: host.servers.flatMap(({ name, state }) =>
        state.kind === 'ready' && state.instructions !== undefined
          ? [{ server: name, text: state.instructions }]
          : [],
      ),
      tools: tools.map(({ name }) => name),
    });
  }

  /** How the model gets the tools of each server in this conversation, and what that costs. */
  get planned(): PlannedTools {
    this.offer();
    const { servers, surfaceTokens } = this.#tools;
    return { tools: this.#lists.tools, servers, surfaceTokens, budget: this.#budget };
  }

  get #budget(): number {
    const { contextTokens, toolBudget = DEFAULT_TOOL_BUDGET } = this.#options;
    return budgetTokens(toolBudget, contextTokens);
  }

  begin(messages: readonly Message[]): void {
    this.#conversation = this.#options.host.conversation();
    this.#tools = this.#newTools();
    this.#facts = new KeptServerFacts();
    this.#offer = undefined;
    for (const message of messages) this.#read(message);
  }

  hear(message: UserMessage): void {
    this.#read(message);
  }

  async run(call: ToolCall, settings: RunSettings): Promise<ToolAnswer> {
    const { tool, arguments: given } = call;
    const { host } = this.#options;
    if (tool === READ_RESULT.name && host.results.all.length > 0) {
      const { isError, text } = await host.results.answer(given, { signal: settings.signal });
      // It may be the part of a result that its own call did not bring.
      this.#conversation.read({ server: 'results', what: tool, text });
      return textAnswer(call, text, isError ? 'error' : undefined);
    }
    // What is called is what is on offer now.
    this.offer();
    const answer = await this.#tools.run(
      { name: tool, arguments: given },
      {
        make: (made, inScript) => {
          const inner = { ...call, tool: made.name, arguments: made.arguments };
          return inScript === undefined
            ? this.#call(inner, settings)
            : this.#callInScript(inner, settings, inScript);
        },
        signal: settings.signal,
        admits: settings.admits,
      },
    );
    const answered = toolAnswer(call, answer);
    // What was cut is read by a tool that is on offer from now on.
    if (answered.results !== undefined) this.#offer = undefined;
    return answered;
  }

  #call(
    { id, tool, arguments: given }: ToolCall,
    settings: RunSettings,
    inScript: CallSettings = {},
  ): Promise<CallOutcome> {
    return this.#conversation.call(tool, given, {
      signal: settings.signal,
      asker: settings.asker,
      callId: id,
      onProgress: ({ progress, total, message }) =>
        settings.onProgress({
          done: progress,
          ...definedFields({ total, message }),
        }),
      ...inScript,
    });
  }

  /** Shown as its own call, by the script. */
  async #callInScript(
    call: ToolCall,
    settings: RunSettings,
    inScript: CallSettings,
  ): Promise<CallOutcome> {
    const { clock = systemClock } = this.#options;
    const { onEvent = () => {} } = settings;
    const agent = askerOf(inScript, settings);
    this.#inScripts += 1;
    const id = `${call.id}/${this.#inScripts}`;
    const { tool, arguments: given } = call;
    const { server = '', title = tool } = this.offer().describe(tool) ?? {};
    const begin = clock.elapsed();
    onEvent({ agent, kind: 'call-started', id, tool, server, title, arguments: given });
    const onProgress = (progress: CallProgress): void =>
      onEvent({ agent, kind: 'call-progress', id, progress });
    const inner = { ...call, id };
    const outcome = await this.#call(
      inner,
      { ...settings, onProgress },
      { ...inScript, asker: agent },
    );
    const shown = toModelText(outcome).slice(0, MOST_SHOWN);
    const answer = textAnswer(inner, shown, outcome.kind === 'result' ? undefined : 'error');
    onEvent({ agent, kind: 'call-ended', id, answer, ms: clock.elapsed() - begin });
    return outcome;
  }

  [Symbol.dispose](): void {
    this.#lists[Symbol.dispose]();
  }

  /** What was answered in an earlier run may be anything: it counts as private and as foreign. */
  #read(message: Message): void {
    const conversation = this.#conversation;
    if (message.kind === 'tool') {
      for (const { tool, parts } of message.answers) {
        const text = parts.map((part) => (part.kind === 'text' ? part.text : '')).join('\n');
        conversation.read({ server: 'earlier', what: tool, text });
      }
    } else if (message.kind === 'user') {
      for (const part of message.parts) {
        if (part.kind === 'text') conversation.typed(part.text);
        if (part.kind === 'attachment') {
          conversation.read({ server: 'you', what: part.label, text: part.text });
        }
      }
    }
  }

  #makeOffer(): ToolOffer {
    const { host, code = false } = this.#options;
    const tools = this.#lists.tools;
    const byName = new Map(tools.map((tool) => [tool.name, tool]));
    this.#tools.set(tools, {
      budget: this.#budget,
      always: this.#always(),
      ...(code ? { codeTokens: RUN_CODE_TOKENS } : {}),
    });
    const { offered, isSearched, native } = this.#tools;
    // With it from the start, a request begins as the one before.
    const canRead = isSearched || host.results.all.length > 0;
    return {
      tools: (canRead ? [...offered, READ_RESULT] : offered).map(toModelTool),
      ...(native && {
        loadable: {
          direct: [...native.direct, READ_RESULT].map(toModelTool),
          search: toModelTool(native.search),
          deferred: native.deferred,
        },
      }),
      servers: serverNotes(host.servers, (server) => this.#lists.knownOf(server)),
      describe: (name) => this.#factsOf(name, byName),
      resolve: (call) => {
        const { name, arguments: given } = this.#tools.resolve({ ...call, name: call.tool });
        return { ...call, tool: name, arguments: given };
      },
    };
  }

  /** Built-in servers, and those whose entry says so. */
  #always(): ReadonlySet<string> {
    const { host, essential = [] } = this.#options;
    const stated = host.servers.filter(({ isAlwaysLoaded }) => isAlwaysLoaded);
    return new Set([...essential, ...stated.map(({ name }) => name)]);
  }

  #factsOf(name: string, byName: ReadonlyMap<string, HostTool>): ToolFacts | undefined {
    const own = [READ_RESULT, ...this.#tools.own].find((each) => each.name === name);
    if (own !== undefined) {
      // Scripts run one by one: what they do is decided call by call, and some of it may change something.
      const isReadOnly = name !== RUN_CODE;
      return { server: 'plugboard', title: own.title ?? own.name, isReadOnly };
    }
    const tool = byName.get(name);
    if (tool === undefined) return undefined;
    return { server: tool.server, title: tool.title ?? tool.tool, isReadOnly: tool.isReadOnly };
  }
}

function toModelTool({ name, description, inputSchema }: ModelTool): ModelTool {
  return { name, description, inputSchema };
}

/** Of an answer that only a script reads. */
const MOST_SHOWN = 20_000;
const MAIN_AGENT = 'agent';

function askerOf({ asker: script = '' }: CallSettings, { asker }: RunSettings): string {
  return asker === MAIN_AGENT ? script : `${asker}, ${script}`;
}

function toolAnswer({ id, tool }: ToolCall, answer: Answer): ToolAnswer {
  const { isError, content } = answerContent(answer, { resultTool: READ_RESULT.name });
  const parts = content.map((part) =>
    part.kind === 'text'
      ? ({ kind: 'text', text: part.text } as const)
      : ({ kind: 'image', mediaType: part.mimeType, data: part.data } as const),
  );
  const results: readonly SavedFile[] = answer.parts.flatMap((part) =>
    'file' in part ? (part.file ?? []) : [],
  );
  const { found } = answer;
  return {
    ...{ id, tool, isError, parts },
    ...(results.length === 0 ? {} : { results }),
    ...(found && { found }),
  };
}
