// The tools of a host as one provider takes them, and the way back: what a model asked for runs as a call
// like any other, with its arguments checked and the approver asked. The form that a provider wants a
// definition and an answer in is left to its own file.

import { isObject, type JsonObject, parseJson } from '@plugboard/base';
import { type CallOutcome, type Host, takesWords, type ToolsOptions } from '../host/index.ts';
import { type Answer, ModelTools, type OfferedTool, textAnswer } from '../model-tools/index.ts';
import { type Provider, schemaFor } from '../schema/index.ts';

/** What is needed of a host. */
export type ToolSource = Pick<Host, 'tools' | 'call'> & Partial<Pick<Host, 'servers'>>;

export interface FitOptions extends ToolsOptions {
  /** `plan`: where the definitions of all tools are over `budget`, three tools to search for them. `all`, unless given. */
  readonly tools?: 'all' | 'plan';
  /** In tokens. 10,000, unless given. */
  readonly budget?: number;
}

export interface FitTool {
  readonly tool: OfferedTool;
  readonly schema: JsonObject;
}

export interface FitTools {
  readonly fit: readonly FitTool[];
  readonly problems: readonly CallOutcome[];
  /** Runs what a model asked for. `given` is an object, or the text of one. */
  readonly run: (name: string, given: unknown, signal?: AbortSignal) => Promise<Answer>;
}

/** Models choose worse among more tools than this holds. */
const DEFAULT_BUDGET = 10_000;

export async function fitTools(
  host: ToolSource,
  provider: Provider,
  options: FitOptions = {},
): Promise<FitTools> {
  const { tools, problems } = await host.tools(options);
  const modelTools = new ModelTools();
  modelTools.set(tools, { budget: budgetOf(options), always: alwaysLoaded(host) });
  const fit = modelTools.offered.map((tool) => ({
    tool,
    ...schemaFor(provider, tool.inputSchema),
  }));
  const byName = new Map(fit.map((each) => [each.tool.name, each]));
  return {
    fit,
    problems,
    run: async (name, given, signal) => {
      const read = readArguments(given);
      const offered = byName.get(name);
      if (read === undefined) return notAnObject(name, offered?.tool.inputSchema);
      const call = { name, arguments: offered?.restore(read) ?? read };
      return modelTools.run(call, (made) =>
        host.call(made.name, made.arguments, signal === undefined ? {} : { signal }),
      );
    },
  };
}

function budgetOf({ tools = 'all', budget = DEFAULT_BUDGET }: FitOptions): number {
  return tools === 'all' ? Number.POSITIVE_INFINITY : budget;
}

function alwaysLoaded({ servers = [] }: ToolSource): ReadonlySet<string> {
  return new Set(servers.filter(({ isAlwaysLoaded }) => isAlwaysLoaded).map(({ name }) => name));
}

/** More than any model writes. */
const LIMITS = { maxDepth: 100, maxLength: 16 * 1024 * 1024 };

/** Nothing at all is how some models give no arguments. */
function readArguments(given: unknown): JsonObject | undefined {
  if (given === undefined || given === '') return {};
  if (typeof given !== 'string') return isObject(given) ? (given as JsonObject) : undefined;
  const parsed = parseJson(given, LIMITS);
  return parsed.ok && isObject(parsed.value) ? parsed.value : undefined;
}

function notAnObject(tool: string, schema: JsonObject | undefined): Answer {
  const what = `Tool ${tool} was not called: its arguments must be one JSON object.`;
  const text = schema === undefined ? what : `${what}\n${takesWords(schema)}`;
  return textAnswer(text, true);
}
