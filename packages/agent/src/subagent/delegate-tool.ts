// The tool `delegate`: starts a sub-agent for a task. The sub-agent has the tools of a toolbox over the same connections,
// or some of them, and cannot delegate itself. Its calls are approved under its own name. An agent that the user has
// defined follows its instructions, with its own tools and model.

import {
  type Clock,
  matchesWildcard,
  Semaphore,
  systemClock,
  type JsonObject,
} from '@plugboard/base';
import type { SavedFile } from '@plugboard/host';
import { DESCRIBE_TOOLS, READ_RESULT, SEARCH_TOOLS } from '@plugboard/host/adapters';
import type {
  AgentEvent,
  Model,
  ModelTool,
  RunSettings,
  Toolbox,
  ToolAnswer,
  ToolCall,
  ToolOffer,
  TurnEnd,
} from '../conversation/index.ts';
import { assistantText, resultsOf, textAnswer } from '../conversation/index.ts';
import { runTurn, type Spending, type TurnLimits } from '../loop/index.ts';
import type { OwnTool } from '../own-tools/index.ts';
import { delegatePrompt } from '../prompt/index.ts';
import { describeAgents, findAgent, type NamedAgent } from './named-agent.ts';
import { narrowed } from './narrowed-toolbox.ts';

export interface DelegateToolOptions {
  /** The tools of sub-agents; without this one, so that they cannot delegate. */
  readonly toolbox: Toolbox;
  /** Called for each task, since the model may change. */
  readonly model: () => Model;
  readonly clock?: Clock;
  readonly system: (offer: ToolOffer) => string;
  /** The spending of the conversation, which includes its sub-agents. */
  readonly spending: Spending;
  readonly limits?: Partial<TurnLimits>;
  /** The maximum number at once; others wait. */
  readonly parallel?: number;
  /** The agents that the user has defined. */
  readonly agents?: () => readonly NamedAgent[];
}

const DEFINITION = {
  name: 'delegate',
  description:
    'Has another agent work on a task by itself, and gives back its final message. Good for a search or a change that takes many steps and whose details you do not need. It knows nothing of this conversation: say in the task all that it needs, and what it is to report. Several can work at once.',
  inputSchema: {
    type: 'object',
    properties: {
      task: { type: 'string', description: 'What is to be done, complete in itself' },
      name: { type: 'string', description: 'A short name, such as "tests"' },
      tools: {
        type: 'array',
        items: { type: 'string' },
        description:
          'The only tools that it may use, by their names or by patterns such as "mcp__github__*"; all, unless given',
      },
    },
    required: ['task'],
  },
} satisfies ModelTool;

function definitionWith(agents: readonly NamedAgent[]): ModelTool {
  const description = describeAgents(agents);
  if (description === undefined) return DEFINITION;
  const { inputSchema } = DEFINITION;
  const properties = { ...inputSchema.properties, agent: { type: 'string', description } };
  return { ...DEFINITION, inputSchema: { ...inputSchema, properties } };
}

/** Sub-agents have fewer steps than the main agent. */
const STEPS = 50;

/** Names that would look like the user or the main agent in an approval. */
const RESERVED = /^(?:you|user|agent)$/iu;

interface DelegatedTask {
  readonly task: string;
  readonly name: string | undefined;
  readonly agent: string | undefined;
  readonly tools: readonly string[] | undefined;
}

/** A task, and the sub-agent that works on it. */
interface Assignment {
  readonly call: ToolCall;
  readonly request: DelegatedTask;
  readonly name: string;
  readonly agent: NamedAgent | undefined;
  readonly role: string | undefined;
}

export function delegateTool(options: DelegateToolOptions): OwnTool {
  const places = new Semaphore(options.parallel ?? 4);
  const names = new Set<string>();
  const agents = (): readonly NamedAgent[] => options.agents?.() ?? [];
  return {
    title: 'Delegate',
    // Sub-agents may run in parallel; each of their calls is decided separately.
    isReadOnly: true,
    get definition() {
      return definitionWith(agents());
    },
    async run(call, settings) {
      const request = readTask(call.arguments);
      if (request === undefined) {
        return textAnswer(
          call,
          'delegate takes { "task": "…", "agent"?: "…", "name"?: "…", "tools"?: ["…"] }.',
          'error',
        );
      }
      const agent = request.agent === undefined ? undefined : findAgent(agents(), request.agent);
      if (request.agent !== undefined && agent === undefined) {
        return textAnswer(call, noSuchAgent(request.agent, agents()), 'error');
      }
      const role = await agent?.instructions(settings.signal);
      if (role?.ok === false) return textAnswer(call, role.error, 'error');
      const name = freeName(request, (one) => names.has(one) || one === settings.asker);
      names.add(name);
      try {
        return await places.run(settings.signal, () =>
          work({ call, request, name, agent, role: role?.value }, options, settings),
        );
      } finally {
        names.delete(name);
      }
    },
  };
}

function noSuchAgent(wanted: string, agents: readonly NamedAgent[]): string {
  const names = agents.flatMap(({ name, isListed }) => (isListed ? [name] : []));
  const there = names.length === 0 ? 'Leave "agent" out.' : `There are: ${names.join(', ')}.`;
  return `There is no agent ${JSON.stringify(wanted)}. ${there}`;
}

async function work(
  { call, request, name, agent, role }: Assignment,
  { toolbox, model, clock = systemClock, system, spending, limits }: DelegateToolOptions,
  { signal, onEvent }: RunSettings,
): Promise<ToolAnswer> {
  const turn = {
    agent: name,
    model: agent?.model?.() ?? model(),
    toolbox: isLimited(request, agent)
      ? narrowed(toolbox, (tool) => isAdmitted(tool, request, agent))
      : toolbox,
    clock,
    messages: [],
    message: { kind: 'user', parts: [{ kind: 'text', text: request.task }] },
    system: (offer: ToolOffer) => delegatePrompt(system(offer), { name, role }),
    spending,
    limits: { steps: STEPS, ...limits },
    signal,
  } as const;
  let last = '';
  const results: SavedFile[] = [];
  let end: TurnEnd = { kind: 'cancelled' };
  for await (const event of runTurn(turn)) {
    onEvent?.(event);
    last = lastTextOf(event, name) ?? last;
    if (event.kind === 'message' && event.agent === name) {
      results.push(...resultsOf([event.message]));
    }
    if (event.kind === 'turn-ended' && event.agent === name) ({ end } = event);
  }
  // The answer may name them, and the sub-agent's messages are not stored.
  return { ...taskAnswer(call, end, last), ...(results.length === 0 ? {} : { results }) };
}

/** The user reads the name when approving a call, so it is one line, and unique. */
function freeName({ name, agent }: DelegatedTask, isUsed: (name: string) => boolean): string {
  const plain = (name ?? agent ?? '')
    .replaceAll(/[^\p{L}\p{N} _.-]/gu, '')
    .trim()
    .slice(0, 32);
  const wanted = plain === '' ? 'helper' : plain;
  let free = wanted;
  for (let count = 2; isUsed(free) || RESERVED.test(free); count += 1) free = `${wanted} ${count}`;
  return free;
}

/** Always allowed: tools that find other tools, and the tool that reads cut results. */
const FREE: ReadonlySet<string> = new Set([SEARCH_TOOLS, DESCRIBE_TOOLS, READ_RESULT.name]);

function isAmong(patterns: readonly string[], tool: string): boolean {
  return patterns.some((pattern) => matchesWildcard(pattern, tool));
}

function isLimited({ tools }: DelegatedTask, agent: NamedAgent | undefined): boolean {
  return [tools, agent?.tools, agent?.withoutTools].some((names) => names !== undefined);
}

/** Whether both the task and its agent allow the tool. */
function isAdmitted(
  tool: string,
  { tools }: DelegatedTask,
  agent: NamedAgent | undefined,
): boolean {
  if (isAmong(agent?.withoutTools ?? [], tool)) return false;
  if (FREE.has(tool)) return true;
  return [tools, agent?.tools].every((names) => names === undefined || isAmong(names, tool));
}

function readTask(given: JsonObject): DelegatedTask | undefined {
  const { task, tools } = given;
  if (typeof task !== 'string' || task.trim() === '') return undefined;
  const [name, agent] = [given['name'] ?? undefined, given['agent'] ?? undefined];
  if (name !== undefined && typeof name !== 'string') return undefined;
  if (agent !== undefined && typeof agent !== 'string') return undefined;
  const said = { task, name, agent: agent?.trim() === '' ? undefined : agent };
  // Some models pass an empty list to leave it out. Ignoring any other value could allow more tools than intended.
  const isNone =
    tools === undefined || tools === null || (Array.isArray(tools) && tools.length === 0);
  if (isNone) return { ...said, tools: undefined };
  if (!Array.isArray(tools)) return undefined;
  const names = (tools as readonly unknown[]).filter((tool) => typeof tool === 'string');
  return names.length < tools.length ? undefined : { ...said, tools: names };
}

function lastTextOf(event: AgentEvent, agent: string): string | undefined {
  if (event.agent !== agent || event.kind !== 'message') return undefined;
  const { message } = event;
  if (message.kind !== 'assistant') return undefined;
  const text = assistantText(message);
  return text === '' ? undefined : text;
}

function taskAnswer(call: ToolCall, end: TurnEnd, last: string): ToolAnswer {
  const text = last === '' ? '(It said nothing.)' : last;
  if (end.kind === 'done') return textAnswer(call, text);
  return textAnswer(call, `It did not finish: ${endWords(end)}. Its last words:\n${text}`, 'error');
}

function endWords(end: Exclude<TurnEnd, { readonly kind: 'done' }>): string {
  switch (end.kind) {
    case 'cancelled':
      return 'the user stopped it';
    case 'failed':
      return end.failure.message;
    case 'too-many-steps':
      return `it took more than ${end.steps} steps`;
    case 'over-budget':
      return 'the budget is spent';
    default:
      return end satisfies never;
  }
}
