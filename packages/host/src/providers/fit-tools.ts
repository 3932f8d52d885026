// The tools of a host as one provider takes them, and the way back: what a model asked for runs as a call
// like any other, with its arguments checked and the approver asked. The form that a provider wants a
// definition and an answer in is left to its own file.

import { isObject, type JsonObject, parseJson } from '@plugboard/base';
import type { HostTool } from '../catalog/index.ts';
import {
  type CallOutcome,
  type Host,
  takesWords,
  toModelText,
  type ToolsOptions,
} from '../host/index.ts';
import type { Part } from '../output/index.ts';
import { type Provider, schemaFor } from '../schema/index.ts';
import { isSearchTool, planTools, ToolSearch, type ToolPlan } from '../tool-search/index.ts';
import { runToolSearch } from './run-tool-search.ts';

/** What is needed of a host. */
export type ToolSource = Pick<Host, 'tools' | 'call'> & Partial<Pick<Host, 'servers'>>;

export interface FitOptions extends ToolsOptions {
  /** `plan`: where the definitions of all tools are over `budget`, three tools to search for them. `all`, unless given. */
  readonly tools?: 'all' | 'plan';
  /** In tokens. 10,000, unless given. */
  readonly budget?: number;
}

export interface FitTool {
  readonly tool: Pick<HostTool, 'name' | 'title' | 'description'>;
  readonly schema: JsonObject;
}

export interface FitTools {
  readonly fit: readonly FitTool[];
  readonly problems: readonly CallOutcome[];
  /** Runs what a model asked for. `given` is an object, or the text of one. */
  readonly run: (name: string, given: unknown, signal?: AbortSignal) => Promise<Answer>;
}

/** What a call came to, for the model. */
export interface Answer {
  readonly isError: boolean;
  readonly parts: readonly Part[];
}

/** Models choose worse among more tools than this holds. */
const DEFAULT_BUDGET = 10_000;

export async function fitTools(
  host: ToolSource,
  provider: Provider,
  options: FitOptions = {},
): Promise<FitTools> {
  const { tools: all, problems } = await host.tools(options);
  const { direct, searched } = plannedTools(host, all, options);
  const search = new ToolSearch<HostTool>();
  search.set(searched);
  const offered = searched.length === 0 ? direct : [...direct, ...search.definitions];
  const fit = offered.map((tool) => ({ tool, ...schemaFor(provider, tool.inputSchema) }));
  const schemas = new Map(offered.map(({ name, inputSchema }) => [name, inputSchema]));
  const restores = new Map(fit.map(({ tool, restore }) => [tool.name, restore]));
  return {
    fit,
    problems,
    run: async (name, given, signal) => {
      const read = readArguments(given);
      if (read === undefined) return notAnObject(name, schemas.get(name));
      const call = (tool: string, input: JsonObject): Promise<CallOutcome> =>
        host.call(tool, input, signal === undefined ? {} : { signal });
      const restored = restores.get(name)?.(read) ?? read;
      if (searched.length === 0 || !isSearchTool(name)) {
        return outcomeAnswer(await call(name, restored));
      }
      const answer = await runToolSearch(search, { name, arguments: restored }, call);
      return answer.kind === 'called'
        ? outcomeAnswer(answer.outcome)
        : textAnswer(answer.text, answer.isError);
    },
  };
}

function plannedTools(
  { servers = [] }: ToolSource,
  tools: readonly HostTool[],
  { tools: which = 'all', budget = DEFAULT_BUDGET }: FitOptions,
): Pick<ToolPlan<HostTool>, 'direct' | 'searched'> {
  if (which === 'all') return { direct: tools, searched: [] };
  const always = servers.filter(({ isAlwaysLoaded }) => isAlwaysLoaded).map(({ name }) => name);
  return planTools(tools, { budget, always: new Set(always) });
}

function textAnswer(text: string, isError: boolean): Answer {
  return { isError, parts: [{ kind: 'text', text }] };
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

export function outcomeAnswer(outcome: CallOutcome): Answer {
  if (outcome.kind === 'result') return { isError: false, parts: outcome.parts };
  if (outcome.kind === 'tool-error') return { isError: true, parts: outcome.parts };
  return { isError: true, parts: [{ kind: 'text', text: toModelText(outcome) }] };
}
