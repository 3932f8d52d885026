// Carries out a task in one way, like a conversation with a model: it makes every call through the toolbox of the chat,
// and counts the tokens of every request. The task defines what the model says.

import { HostToolbox, systemPrompt } from '@plugboard/agent';
import type { JsonObject } from '@plugboard/base';
import type { Host } from '@plugboard/host';
import type { Call, Task, Way } from './task.ts';

/** Estimated like definitions in the host, since every model has its own tokenizer. */
const CHARACTERS_PER_TOKEN = 4;
const CACHED_SHARE = 0.1;
const NOW = Date.UTC(2026, 10, 16);

export interface TaskCost {
  readonly requests: number;
  /** Tokens of all requests, each counted in full. */
  readonly inputTokens: number;
  /** The same, if the repeated prefix of a request counts a tenth. */
  readonly cachedTokens: number;
  /** Tokens that the model writes for calls. */
  readonly outputTokens: number;
  /** Tokens of the definitions in the first request. */
  readonly definitionTokens: number;
  /** Searches that were needed because the first one did not find all tools. */
  readonly furtherSearches: number;
}

interface Asked {
  readonly name: string;
  readonly given: JsonObject;
}

/** Resolves when all servers have listed their tools. */
const MOST_WAIT_MS = 60_000;

export async function carryOut(
  task: Task,
  way: Way,
  { host, folder }: { readonly host: Host; readonly folder: string },
): Promise<TaskCost> {
  using toolbox = new HostToolbox({
    host,
    ...OPTIONS[way],
    firstWaitMs: MOST_WAIT_MS,
    firstWaitFor: 'all',
  });
  await toolbox.firstTools(new AbortController().signal);
  const conversation = new Conversation(toolbox, folder, task.request);
  switch (way) {
    case 'direct':
      for (const step of task.steps) await conversation.ask(step.map(asDirect));
      conversation.mustShow(task.shows);
      break;
    case 'search':
      await conversation.search(task.queries, toolsOf(task.steps));
      for (const step of task.steps) await conversation.ask(step.map(bySearch));
      conversation.mustShow(task.shows);
      break;
    case 'code':
      await carryOutInCode(task, conversation);
      break;
    default:
      way satisfies never;
  }
  return conversation.end();
}

const OPTIONS = {
  direct: { contextTokens: Number.POSITIVE_INFINITY },
  search: { contextTokens: 0 },
  code: { contextTokens: 0, code: true },
} as const;

async function carryOutInCode(task: Task, conversation: Conversation): Promise<void> {
  const { code } = task;
  if (code === undefined) {
    await conversation.search(task.queries, toolsOf(task.steps));
    for (const step of task.steps) await conversation.ask(step.map(bySearch));
    conversation.mustShow(task.shows);
    return;
  }
  await conversation.search(task.queries, code.scripts.flatMap(toolsIn));
  if (code.describe !== undefined) {
    await conversation.ask([{ name: 'describe_tools', given: { names: [...code.describe] } }]);
  }
  for (const script of code.scripts) {
    await conversation.ask([{ name: 'run_code', given: { code: script } }]);
  }
  conversation.mustShow(code.shows);
}

class Conversation {
  readonly #toolbox: HostToolbox;
  readonly #folder: string;
  /** The tokens of each message. */
  #messageTokens: number;
  #definitions = '';
  readonly #firstTokens: number;
  #requests = 0;
  #inputTokens = 0;
  #cachedTokens = 0;
  #outputTokens = 0;
  #lastTokens = 0;
  #furtherSearches = 0;
  #answers: string[] = [];

  constructor(toolbox: HostToolbox, folder: string, request: string) {
    this.#toolbox = toolbox;
    this.#folder = folder;
    this.#messageTokens = tokensOf(this.#placed(request));
    this.#firstTokens = tokensOf(JSON.stringify(toolbox.offer().tools));
  }

  /** Makes these calls of the model in parallel, and adds their results. */
  async ask(calls: readonly Asked[]): Promise<void> {
    this.#request();
    this.#answers = [];
    for (const [at, { name, given }] of calls.entries()) {
      const text = this.#placed(JSON.stringify(given));
      const call = {
        kind: 'call' as const,
        id: `${this.#requests}-${at}`,
        tool: name,
        arguments: JSON.parse(text) as JsonObject,
      };
      const answer = await this.#toolbox.run(call, {
        signal: new AbortController().signal,
        asker: 'agent',
        onProgress: () => {},
      });
      const answered = answer.parts
        .map((part) => (part.kind === 'text' ? part.text : ''))
        .join('\n');
      if (answer.isError) throw new Error(`${name} ${text}: ${answered}`);
      this.#answers.push(answered);
      const written = tokensOf(name) + tokensOf(text);
      this.#outputTokens += written;
      this.#messageTokens += written + tokensOf(answered);
    }
  }

  /** Searches until all tools are found: the second time by their names. */
  async search(queries: readonly string[], tools: readonly string[]): Promise<void> {
    await this.ask([{ name: 'search_tools', given: { queries: [...queries] } }]);
    const missing = tools.filter((tool) => !this.#hasFound(tool));
    if (missing.length === 0) return;
    this.#furtherSearches += 1;
    await this.ask([
      {
        name: 'search_tools',
        given: { queries: missing.map((tool) => tool.replaceAll(/[._-]/g, ' ')) },
      },
    ]);
    const lost = missing.filter((tool) => !this.#hasFound(tool));
    if (lost.length > 0) throw new Error(`no search finds ${lost.join(', ')}`);
  }

  #hasFound(tool: string): boolean {
    return this.#answers.some((answer) => answer.includes(`${tool}(`));
  }

  mustShow(expected: string): void {
    if (this.#answers.some((answer) => answer.includes(this.#placed(expected)))) return;
    throw new Error(
      `${JSON.stringify(expected)} is in no answer: ${this.#answers.join('\n').slice(0, 2000)}`,
    );
  }

  /** The model answers the user. */
  end(): TaskCost {
    this.#request();
    return {
      requests: this.#requests,
      inputTokens: this.#inputTokens,
      cachedTokens: Math.round(this.#cachedTokens),
      outputTokens: this.#outputTokens,
      definitionTokens: this.#firstTokens,
      furtherSearches: this.#furtherSearches,
    };
  }

  #request(): void {
    const { tools, servers } = this.#toolbox.offer();
    const definitions = JSON.stringify(tools);
    const system = systemPrompt({ folder: this.#folder, platform: 'linux', now: NOW, servers });
    const tokens = tokensOf(definitions) + tokensOf(system) + this.#messageTokens;
    // Definitions come first, so other definitions invalidate the whole cache.
    const kept = definitions === this.#definitions ? this.#lastTokens : 0;
    this.#definitions = definitions;
    this.#requests += 1;
    this.#inputTokens += tokens;
    this.#cachedTokens += tokens - kept * (1 - CACHED_SHARE);
    this.#lastTokens = tokens;
  }

  #placed(text: string): string {
    return text.replaceAll('FOLDER', this.#folder);
  }
}

function tokensOf(text: string): number {
  return Math.ceil(text.length / CHARACTERS_PER_TOKEN);
}

function asDirect([tool, given]: Call): Asked {
  return { name: `mcp__${tool.replace('.', '__')}`, given };
}

function bySearch([tool, given]: Call): Asked {
  return { name: 'call_tool', given: { name: tool, arguments: given } };
}

function toolsOf(steps: Task['steps']): readonly string[] {
  return [...new Set(steps.flat().map(([tool]) => tool))];
}

const USE = /\btools\.(\w+)(?:\.(\w+)|\["([^"]+)"\])/g;

function toolsIn(script: string): readonly string[] {
  return [
    ...new Set(
      [...script.matchAll(USE)].map(([, server, plain, quoted]) => `${server}.${plain ?? quoted}`),
    ),
  ];
}
