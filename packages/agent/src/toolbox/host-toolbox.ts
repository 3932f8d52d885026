// The toolbox with the tools of a host's servers. Servers are listed in the background, independently: a slow or broken
// server delays nothing, and tools that arrive later are in the next offer. Every call goes through the host.

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

/** The part of a host that is used. */
export type ToolHost = Pick<
  Host,
  'tools' | 'conversation' | 'servers' | 'on' | 'results' | 'scripts' | 'fitText'
>;

export interface HostToolboxOptions {
  readonly host: ToolHost;
  readonly clock?: Clock;
  /** The context window of the model, which limits the number of tools. */
  readonly contextTokens: number;
  /** The maximum for the definitions of tools. 15 % of the context, by default. */
  readonly toolBudget?: ToolBudget;
  /** Supplies the usage of earlier conversations for the plan, and records the usage of this one. */
  readonly usage?: ToolUsage;
  /** Whether the model may write scripts, if that is cheaper than calls. No, by default. */
  readonly code?: boolean;
  /** Servers whose tools are always offered. */
  readonly essential?: readonly string[];
  /** How long the first request waits for servers. */
  readonly firstWaitMs?: number;
  /** Which servers it waits for: `all` makes the first request independent of their speed. `near`, by default. */
  readonly firstWaitFor?: FirstWait;
}

export interface PlannedTools extends Pick<ToolPlan<HostTool>, 'servers' | 'surfaceTokens'> {
  readonly tools: readonly HostTool[];
  /** The maximum for definitions, in tokens. */
  readonly budget: number;
}

export class HostToolbox implements Toolbox, Disposable {
  readonly #options: HostToolboxOptions;
  readonly #lists: ServerLists;
  #tools: ModelTools;
  #facts = new KeptServerFacts();
  #offer: ToolOffer | undefined;
  /** The number of calls made by scripts. */
  #inScripts = 0;
  /** Tracks the data that calls bring into the conversation, including those of sub-agents. */
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

  /** Starts to list all servers, and returns at once. */
  start(): void {
    this.#lists.start();
  }

  /** Waits for the tools of the first request, for a limited time. */
  async firstTools(signal: AbortSignal): Promise<void> {
    this.start();
    const { clock = systemClock, firstWaitMs = 250, firstWaitFor = 'near' } = this.#options;
    const over = new AbortController();
    const waiting = AbortSignal.any([signal, this.#lists.signal, over.signal]);
    const time = delay(firstWaitMs, clock, waiting);
    try {
      await Promise.race([time, this.#lists.waitForTools(firstWaitFor, waiting)]);
    } catch {
      // Cancelled or closed: the caller continues with the available tools.
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
   * Facts about the servers for the system prompt, which change as rarely as possible: their states, and those of their
   * instructions that the user has accepted. Text from servers.
   */
  promptFacts(): ServerFacts {
    const { host, clock = systemClock } = this.#options;
    const { tools, servers } = this.offer();
    return this.#facts.update({
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

  /** How the model gets the tools of each server in this conversation, and their cost. */
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
    for (const message of messages) this.#track(message);
  }

  hear(message: UserMessage): void {
    this.#track(message);
  }

  async run(call: ToolCall, settings: RunSettings): Promise<ToolAnswer> {
    const { tool, arguments: given } = call;
    const { host } = this.#options;
    if (tool === READ_RESULT.name && host.results.all.length > 0) {
      const { isError, text } = await host.results.answer(given, { signal: settings.signal });
      // It may be a part of a result that the original call did not return.
      this.#conversation.read({ server: 'results', what: tool, text });
      return textAnswer(call, text, isError ? 'error' : undefined);
    }
    // The call refers to the current offer.
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
    // The tool that reads cut results is offered from now on.
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

  /** Reported as a separate call, made by the script. */
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

  /** Answers of an earlier run may contain anything, so they count as private and as foreign. */
  #track(message: Message): void {
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
    // Offered from the start of a search, so that requests keep the same beginning.
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
      servers: serverNotes(host.servers, (server) => this.#lists.listStateOf(server)),
      describe: (name) => this.#factsOf(name, byName),
      resolve: (call) => {
        const { name, arguments: given } = this.#tools.resolve({ ...call, name: call.tool });
        return { ...call, tool: name, arguments: given };
      },
    };
  }

  /** Built-in servers, and those whose entry sets it. */
  #always(): ReadonlySet<string> {
    const { host, essential = [] } = this.#options;
    const stated = host.servers.filter(({ isAlwaysLoaded }) => isAlwaysLoaded);
    return new Set([...essential, ...stated.map(({ name }) => name)]);
  }

  #factsOf(name: string, byName: ReadonlyMap<string, HostTool>): ToolFacts | undefined {
    const own = [READ_RESULT, ...this.#tools.own].find((each) => each.name === name);
    if (own !== undefined) {
      // Scripts run one by one, since their calls may change something.
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

/** The limit for showing an answer that only a script reads. */
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
