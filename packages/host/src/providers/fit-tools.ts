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

/** What is needed of a host. */
export type ToolSource = Pick<Host, 'tools' | 'call'>;

export interface FitTool {
  readonly tool: HostTool;
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

export async function fitTools(
  host: ToolSource,
  provider: Provider,
  options?: ToolsOptions,
): Promise<FitTools> {
  const { tools, problems } = await host.tools(options);
  const fit = tools.map((tool) => ({ tool, ...schemaFor(provider, tool.inputSchema) }));
  const schemas = new Map(tools.map(({ name, inputSchema }) => [name, inputSchema]));
  const restores = new Map(fit.map(({ tool, restore }) => [tool.name, restore]));
  return {
    fit,
    problems,
    run: async (name, given, signal) => {
      const read = readArguments(given);
      if (read === undefined) return wrongArguments(name, schemas.get(name));
      const restore = restores.get(name);
      const settings = signal === undefined ? {} : { signal };
      return outcomeAnswer(await host.call(name, restore?.(read) ?? read, settings));
    },
  };
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

function wrongArguments(tool: string, schema: JsonObject | undefined): Answer {
  const what = `Tool ${tool} was not called: its arguments must be one JSON object.`;
  const text = schema === undefined ? what : `${what}\n${takesWords(schema)}`;
  return { isError: true, parts: [{ kind: 'text', text }] };
}

export function outcomeAnswer(outcome: CallOutcome): Answer {
  if (outcome.kind === 'result') return { isError: false, parts: outcome.parts };
  if (outcome.kind === 'tool-error') return { isError: true, parts: outcome.parts };
  return { isError: true, parts: [{ kind: 'text', text: toModelText(outcome) }] };
}
