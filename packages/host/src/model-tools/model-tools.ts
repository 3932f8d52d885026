// What a model gets of a host's tools, and what becomes of its calls: the tools as they are, or those that stand for too many.
// Adapters, the chat and gateways have one for each conversation. Who makes a call of a tool, and by which host, is theirs.

import { isObject, type JsonObject } from '@plugboard/base';
import type { HostTool } from '../catalog/index.ts';
import { type CallOutcome, issuesText } from '../host/index.ts';
import {
  CALL_TOOL,
  isSearchTool,
  planTools,
  type PlanOptions,
  type ServerPlan,
  ToolSearch,
} from '../tool-search/index.ts';
import { type Answer, outcomeAnswer, textAnswer } from './answer.ts';

/** A tool as a model gets it. */
export interface OfferedTool {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description: string;
  readonly inputSchema: JsonObject;
}

/** A call of a tool by the name that models know it by. */
export interface MadeCall {
  readonly name: string;
  readonly arguments: JsonObject;
}

/** The same offer for a provider that loads the definition of a tool when a search has found it. */
export interface NativeOffer {
  readonly direct: readonly OfferedTool[];
  readonly search: OfferedTool;
  /** In the order in which they came. One that is gone stays, since messages above may refer to it. */
  readonly deferred: readonly OfferedTool[];
}

type MakeCall = (call: MadeCall) => Promise<CallOutcome>;

export class ModelTools {
  readonly #search = new ToolSearch<HostTool>();
  #servers: readonly ServerPlan[] = [];
  #direct: readonly HostTool[] = [];
  /** Once tools have to be searched for it stays so, since what a provider keeps of a request depends on its tools. */
  #isSearched = false;
  readonly #deferred = new Map<string, HostTool>();

  /** What there is from now on. */
  set(tools: readonly HostTool[], options: PlanOptions<HostTool>): void {
    const budget = this.#isSearched ? 0 : options.budget;
    const { servers, direct, searched } = planTools(tools, { ...options, budget });
    this.#servers = servers;
    this.#direct = direct;
    this.#isSearched ||= searched.length > 0;
    if (this.#isSearched) this.#search.set(tools);
    for (const tool of searched) this.#deferred.set(tool.name, tool);
  }

  get isSearched(): boolean {
    return this.#isSearched;
  }

  /** What each server costs, and in which way a model gets its tools. */
  get servers(): readonly ServerPlan[] {
    return this.#servers;
  }

  /** All that stands in a request. */
  get offered(): readonly OfferedTool[] {
    return [...this.#direct, ...this.own];
  }

  /** Only where tools have to be searched for. */
  get native(): NativeOffer | undefined {
    if (!this.#isSearched) return undefined;
    const direct = new Set(this.#direct.map(({ name }) => name));
    return {
      direct: this.#direct,
      search: this.#search.nativeDefinition,
      deferred: [...this.#deferred.values()].filter(({ name }) => !direct.has(name)),
    };
  }

  /** Those that are of no server. The same for a whole conversation. */
  get own(): readonly OfferedTool[] {
    return this.#isSearched ? this.#search.definitions : [];
  }

  /** The call that a call comes to, where a tool calls another one; else the call itself. */
  resolve(call: MadeCall): MadeCall {
    if (call.name !== CALL_TOOL || !this.#isSearched) return call;
    const tool = this.#search.meant(call.arguments);
    const { arguments: given } = call.arguments;
    return tool === undefined ? call : { name: tool.name, arguments: isObject(given) ? given : {} };
  }

  /** Carries out what a model asked for. */
  async run(call: MadeCall, make: MakeCall): Promise<Answer> {
    if (!this.#isSearched || !isSearchTool(call.name)) return outcomeAnswer(await make(call));
    const answer = await this.#search.answer(call.name, call.arguments);
    if (answer.kind === 'text') {
      const { found = [], text, isError } = answer;
      const names = found.map(({ name }) => name).filter((name) => this.#deferred.has(name));
      return { ...textAnswer(text, isError), ...(names.length === 0 ? {} : { found: names }) };
    }
    const { tool } = answer;
    const outcome = await make({ name: tool.name, arguments: answer.arguments });
    return this.#helped(tool, outcome) ?? outcomeAnswer(outcome);
  }

  /** What to say to wrong arguments; nothing where they were right. */
  #helped(tool: HostTool, outcome: CallOutcome): Answer | undefined {
    if (outcome.kind !== 'invalid-arguments') {
      this.#search.accepted(tool);
      return undefined;
    }
    const parameters = outcome.issues.flatMap(({ path }) => path.split('/')[1] ?? []);
    return textAnswer(`${issuesText(outcome)}\n${this.#search.helpWith(tool, parameters)}`, true);
  }
}
