// Offers a host's tools to a model, and runs its calls: of single tools, of the three search tools, and of scripts.
// Adapters, the chat and gateways create one for each conversation, and make the calls.

import { isObject } from '@plugboard/base';
import type { HostTool } from '../catalog/index.ts';
import { type CallOutcome, type Host, issuesText } from '../host/index.ts';
import {
  CALL_TOOL,
  isSearchTool,
  type OfferedTool,
  planTools,
  type PlanOptions,
  RUN_CODE,
  RUN_CODE_DEFINITION,
  type ServerPlan,
  type ToolPlan,
  ToolSearch,
  toolTokens,
} from '../tool-search/index.ts';
import type { ConversationUses } from '../tool-usage/index.ts';
import { type Answer, outcomeAnswer, textAnswer } from './answer.ts';
import { type MadeCall, type MakeCall, runScript } from './run-script.ts';
import { readScript } from './scripts-of-models.ts';

/** The same offer for a provider that loads the definition of a tool after a search found it. */
export interface NativeOffer {
  readonly direct: readonly OfferedTool[];
  readonly search: OfferedTool;
  /** In the order of their arrival. A removed tool stays, since earlier messages may refer to it. */
  readonly deferred: readonly OfferedTool[];
}

/** The part of a host that is used. */
export type ScriptHost = Pick<Host, 'scripts' | 'fitText'>;

export interface RunOptions {
  readonly make: MakeCall;
  readonly signal?: AbortSignal | undefined;
  /** The owner of the scripts: scripts of one owner do not wait for those of others. */
  readonly owner?: string | undefined;
  /** Which tools a script may use: all, by default. */
  readonly admits?: ((tool: string) => boolean) | undefined;
}

export class ModelTools {
  readonly #host: ScriptHost;
  readonly #uses: ConversationUses | undefined;
  readonly #search = new ToolSearch<HostTool>();
  #servers: readonly ServerPlan[] = [];
  #tools: readonly HostTool[] = [];
  #direct: readonly HostTool[] = [];
  // Once true, these stay true, since a provider's cache depends on the tools of a request.
  #isSearched = false;
  #hasScripts = false;
  readonly #deferred = new Map<string, HostTool>();
  /** Names of deferred tools that a search has found: their definitions may be in the conversation. */
  readonly #found = new Set<string>();
  readonly #seen = new Set<string>();

  /** `uses` supplies which tools are used often, and records the uses. */
  constructor(host: ScriptHost, uses?: ConversationUses) {
    this.#host = host;
    this.#uses = uses;
  }

  /**
   * Sets the available tools. Definitions that were sent stay unchanged as long as their server is available, even if the
   * tool was removed or is used often by now. New tools are searched for; if there is no search yet, they are sent.
   */
  set(tools: readonly HostTool[], options: PlanOptions<HostTool>): void {
    const plan = planTools(tools, {
      chanceOf: (tool) => this.#uses?.chanceOf(tool) ?? 0,
      ...options,
      ...(this.#isSearched ? { budget: 0 } : {}),
    });
    const isSearched = plan.searched.length > 0 || options.mode !== undefined;
    const isFirst = !this.#isSearched && isSearched;
    const wanted = this.#isSearched ? this.#newAlways(plan) : plan.direct;
    this.#direct = isFirst ? wanted : withSent(this.#direct, wanted, tools);
    const before = new Map(this.#servers.map((known) => [known.server, known]));
    this.#servers = this.#isSearched
      ? plan.servers.map((server) => ({ ...server, ...sentOf(before.get(server.server)) }))
      : plan.servers;
    if (isFirst) this.#hasScripts = plan.mode === 'code';
    this.#tools = tools;
    this.#isSearched ||= isSearched;
    for (const { server } of tools) this.#seen.add(server);
    if (this.#isSearched) this.#search.set(tools);
    for (const tool of plan.searched) this.#defer(tool);
  }

  #defer(tool: HostTool): void {
    const known = this.#deferred.get(tool.name);
    const isSent = known !== undefined && this.#found.has(tool.name);
    if (!isSent || isSignInChanged(known, tool)) this.#deferred.set(tool.name, tool);
  }

  /** The directly offered tools of servers that are new. */
  #newAlways({ direct }: ToolPlan<HostTool>): readonly HostTool[] {
    return direct.filter(({ server }) => !this.#seen.has(server));
  }

  get isSearched(): boolean {
    return this.#isSearched;
  }

  /** What each server costs, and how a model gets its tools. */
  get servers(): readonly ServerPlan[] {
    return this.#servers;
  }

  /** The cost of the tools that belong to no server. */
  get surfaceTokens(): number {
    return this.own.reduce((total, tool) => total + toolTokens(tool), 0);
  }

  /** All tools of a request. */
  get offered(): readonly OfferedTool[] {
    return [...this.#direct, ...this.own];
  }

  /** `undefined` if all tools are sent, or if scripts need their declarations. */
  get native(): NativeOffer | undefined {
    if (!this.#isSearched || this.#hasScripts) return undefined;
    const direct = new Set(this.#direct.map(({ name }) => name));
    return {
      direct: this.#direct,
      search: this.#search.nativeDefinition,
      deferred: [...this.#deferred.values()].filter(({ name }) => !direct.has(name)),
    };
  }

  /** The tools that belong to no server. The same for a whole conversation. */
  get own(): readonly OfferedTool[] {
    if (!this.#isSearched) return [];
    const { definitions } = this.#search;
    return this.#hasScripts ? [...definitions, RUN_CODE_DEFINITION] : definitions;
  }

  /** The actual call: for `call_tool`, the call that it makes. */
  resolve(call: MadeCall): MadeCall {
    if (call.name !== CALL_TOOL || !this.#isSearched) return call;
    const tool = this.#search.meant(call.arguments);
    const { arguments: given } = call.arguments;
    return tool === undefined ? call : { name: tool.name, arguments: isObject(given) ? given : {} };
  }

  /** Runs a call of the model. */
  async run(call: MadeCall, given: RunOptions): Promise<Answer> {
    const make: MakeCall = async (made, inScript) =>
      this.#recordUse(await given.make(made, inScript));
    const options = { ...given, make };
    if (this.#hasScripts && call.name === RUN_CODE) return this.#runScript(call, options);
    if (!this.#isSearched || !isSearchTool(call.name)) return outcomeAnswer(await make(call));
    const answer = await this.#search.answer(call.name, call.arguments);
    if (answer.kind === 'text') {
      const { found = [], text, isError } = answer;
      const names = found.map(({ name }) => name).filter((name) => this.#deferred.has(name));
      for (const name of names) this.#found.add(name);
      return { ...textAnswer(text, isError), ...(names.length === 0 ? {} : { found: names }) };
    }
    const { tool } = answer;
    const outcome = await make({ name: tool.name, arguments: answer.arguments });
    const help = this.#helpWith(tool, outcome);
    return help === undefined ? outcomeAnswer(outcome) : textAnswer(help, true);
  }

  #recordUse(outcome: CallOutcome): CallOutcome {
    if (outcome.kind === 'result' || outcome.kind === 'tool-error') {
      const { server, tool } = outcome;
      this.#uses?.used({ server, tool }, this.#seen);
    }
    return outcome;
  }

  async #runScript(
    { arguments: given }: MadeCall,
    { make, signal, owner, admits = () => true }: RunOptions,
  ): Promise<Answer> {
    const script = readScript(given);
    if (script === undefined) {
      return textAnswer(`${RUN_CODE} takes { "code": "…", "name"?: "…" }.`, true);
    }
    const { outcome, text } = await runScript(script, {
      host: this.#host,
      tools: this.#tools.filter(({ name }) => admits(name)),
      make,
      signal,
      owner,
      help: (tool, made) => this.#helpWith(tool, made),
    });
    const parts = await this.#host.fitText(text === '' ? NOTHING : text);
    return { isError: outcome.kind !== 'done', parts };
  }

  /** The answer to wrong arguments; `undefined` if they were right. */
  #helpWith(tool: HostTool, outcome: CallOutcome): string | undefined {
    if (outcome.kind !== 'invalid-arguments') {
      this.#search.accepted(tool);
      return undefined;
    }
    const parameters = outcome.issues.flatMap(({ path }) => path.split('/')[1] ?? []);
    return `${issuesText(outcome)}\n${this.#search.helpWith(tool, parameters)}`;
  }
}

function sentOf(known: ServerPlan | undefined): Partial<ServerPlan> {
  if (known === undefined) return {};
  const { mode, reason, sent, sentTokens } = known;
  return { mode, reason, sent, sentTokens };
}

/** The tools that were sent, unchanged, followed by new ones. */
function withSent(
  sent: readonly HostTool[],
  wanted: readonly HostTool[],
  tools: readonly HostTool[],
): readonly HostTool[] {
  const servers = new Set(tools.map(({ server }) => server));
  const current = new Map(tools.map((tool) => [tool.name, tool]));
  const names = new Set(sent.map(({ name }) => name));
  return [
    ...sent
      .filter(({ server }) => servers.has(server))
      .map((tool) => {
        const now = current.get(tool.name);
        return now !== undefined && isSignInChanged(tool, now) ? now : tool;
      }),
    ...wanted.filter(({ name }) => !names.has(name)),
  ];
}

/** Otherwise the old definition would still tell the model to have the user sign in. */
function isSignInChanged(before: HostTool, now: HostTool): boolean {
  return before.needsSignIn !== now.needsSignIn;
}

const NOTHING = 'The script ended, and returned nothing.';
