// Converts the tools of a host for one provider, and runs the calls of a model like any other call, with checked
// arguments and an approval. The format of definitions and answers is up to the file of each provider.

import { definedFields, isObject, type JsonObject, parseJson } from '@plugboard/base';
import type { HostTool } from '../catalog/index.ts';
import { type CallOutcome, type Host, takesWords, type ToolsOptions } from '../host/index.ts';
import { type Answer, ModelTools, type NativeOffer, textAnswer } from '../model-tools/index.ts';
import { READ_RESULT } from '../output/index.ts';
import { type Provider, schemaFor } from '../schema/index.ts';
import { type OfferedTool, type PlanOptions, RUN_CODE_TOKENS } from '../tool-search/index.ts';
import type { ToolUsage } from '../tool-usage/index.ts';
import { withResultTool } from './answer-content.ts';

/** The part of a host that is used. */
export type ToolSource = Pick<
  Host,
  'tools' | 'call' | 'servers' | 'scripts' | 'fitText' | 'results'
>;

export interface FitOptions extends ToolsOptions {
  /**
   * `plan`: if the definitions of all tools exceed `budget`, three tools to search for them. `all`, by default.
   */
  readonly tools?: 'all' | 'plan';
  /** In tokens. 10,000, by default. */
  readonly budget?: number;
  /** Supplies the usage of earlier conversations for the plan, and records the usage of this one. */
  readonly usage?: ToolUsage;
  /** Whether a plan may let the model write scripts, with `run_code`, if that is cheaper. No, by default. */
  readonly code?: boolean;
  /** `tool`: the model also gets `read_result`, which reads the rest of cut results. `none`, by default. */
  readonly cutResults?: 'tool' | 'none';
}

/** For providers that can load the definition of a tool after a search found it. */
export interface NativeFitOptions extends FitOptions {
  /** A planned search is one tool, `search_tools`, in place of three. The tools it finds are loaded and called by name. */
  readonly search: 'native';
}

interface FitRequest extends FitOptions {
  readonly search?: 'native';
  /** The maximum number of tools that the provider can load. Left out if it cannot load tools. */
  readonly mostLoadable?: number;
}

export interface FitTool {
  readonly tool: OfferedTool;
  readonly schema: JsonObject;
}

export interface FitTools {
  readonly fit: readonly FitTool[];
  /** The search and the tools that it can load, in addition to `fit`. */
  readonly native?: {
    readonly search: FitTool;
    readonly deferred: readonly FitTool[];
  };
  readonly problems: readonly CallOutcome[];
  /** Runs a call of the model. `given`: an object, or its text. */
  readonly run: (name: string, given: unknown, signal?: AbortSignal) => Promise<Answer>;
}

/** With more tools than fit into this, models choose worse. */
const DEFAULT_BUDGET = 10_000;

export async function fitTools(
  host: ToolSource,
  provider: Provider,
  options: FitRequest = {},
): Promise<FitTools> {
  const { tools, problems } = await host.tools(options);
  const modelTools = new ModelTools(host, options.usage?.conversation());
  modelTools.set(tools, planOptions(host, options));
  const fitted = (tool: OfferedTool) => ({ tool, ...schemaFor(provider, tool.inputSchema) });
  const offer = nativeOffer(modelTools, options);
  const results = options.cutResults === 'tool' ? host.results : undefined;
  const own = results === undefined ? [] : [READ_RESULT];
  const fit = [...(offer?.direct ?? modelTools.offered), ...own].map(fitted);
  const native = offer && {
    search: fitted(offer.search),
    deferred: offer.deferred.map(fitted),
  };
  const all = native === undefined ? fit : [...fit, native.search, ...native.deferred];
  const byName = new Map(all.map((each) => [each.tool.name, each]));
  return {
    fit,
    ...(native && { native }),
    problems,
    run: async (name, given, signal) => {
      const read = readArguments(given);
      const known = byName.get(name);
      if (read === undefined) return notAnObject(name, known?.tool.inputSchema);
      const call = { name, arguments: known?.restore(read) ?? read };
      const settings = definedFields({ signal });
      if (results !== undefined && name === READ_RESULT.name) {
        const { text, isError } = await results.answer(call.arguments, settings);
        return textAnswer(text, isError);
      }
      const answer = await modelTools.run(call, {
        make: (made, inScript) =>
          host.call(made.name, made.arguments, { ...settings, ...inScript }),
        signal,
      });
      return results === undefined ? answer : withResultTool(answer, READ_RESULT.name);
    },
  };
}

function nativeOffer(
  { native }: ModelTools,
  { search, mostLoadable = 0 }: FitRequest,
): NativeOffer | undefined {
  if (search !== 'native' || native === undefined) return undefined;
  const count = native.direct.length + 1 + native.deferred.length;
  return count > mostLoadable ? undefined : native;
}

function planOptions(
  { servers }: ToolSource,
  { tools = 'all', budget = DEFAULT_BUDGET, code = false }: FitOptions,
): PlanOptions<HostTool> {
  const always = servers.filter(({ isAlwaysLoaded }) => isAlwaysLoaded).map(({ name }) => name);
  return {
    budget: tools === 'all' ? Number.POSITIVE_INFINITY : budget,
    always: new Set(always),
    ...(code ? { codeTokens: RUN_CODE_TOKENS } : {}),
  };
}

/** More than any model writes. */
const LIMITS = { maxDepth: 100, maxLength: 16 * 1024 * 1024 };

/** Some models pass nothing if there are no arguments. */
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
