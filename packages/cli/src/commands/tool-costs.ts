// `plugboard context`: what the tools of each server cost a model, and what is sent in their place. From what earlier runs
// listed; nothing is started.

import { BUILT_IN_SERVERS } from '@plugboard/host/configuration';
import {
  type HostTool,
  knownTools,
  planTools,
  toolBudget,
  ToolSearch,
  toolTokens,
} from '@plugboard/host/known-tools';
import type { Context } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { writeDiagnostics } from '../print/diagnostics.ts';
import { printJson } from '../print/json.ts';
import { toolCostsText } from '../print/tool-costs.ts';
import { UsageError } from '../usage-error.ts';
import { readConfigured } from './configured.ts';

export interface ToolCostsRequest {
  /** Of the model's context, in tokens. */
  readonly window: string | undefined;
  /** For the definitions of all tools. */
  readonly budget: string | undefined;
}

/** As most models have it. */
const WINDOW = 200_000;
const DEAREST = 10;

export async function toolCosts(context: Context, request: ToolCostsRequest): Promise<ExitCode> {
  const window = count('--window', request.window) ?? WINDOW;
  const budget = count('--budget', request.budget) ?? toolBudget(window);
  const { configuration, environment } = await readConfigured(context);
  const { tools, unknown } = await knownTools(
    environment,
    configuration.servers,
    configuration.pins,
  );
  const stated = configuration.servers.filter(({ written }) => written.alwaysLoad);
  // As in a chat.
  const always = new Set([...BUILT_IN_SERVERS, ...stated.map(({ name }) => name)]);
  const plan = planTools(tools, { budget, always });
  const all = sum(tools.map(toolTokens));
  const costs = {
    servers: plan.servers,
    dearest: dearest(tools),
    budget,
    tokens: { all, sent: sum(plan.direct.map(toolTokens)) + searchTokens(plan.searched) },
    unknown,
  };
  const { diagnostics } = configuration;
  if (context.isJson) {
    printJson(context, { ...costs, diagnostics });
    return EXIT.ok;
  }
  const { out, err } = context.terminal;
  writeDiagnostics(err, diagnostics, environment);
  if (tools.length > 0) out.write(toolCostsText(costs, out.columns));
  else err.write('No tools are known yet. List them first: plugboard tools\n');
  if (tools.length > 0 && unknown.length > 0) {
    err.write(`Not listed yet: ${unknown.join(', ')}. List them with: plugboard tools\n`);
  }
  return EXIT.ok;
}

function count(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (Number.isSafeInteger(value) && value >= 0) return value;
  throw new UsageError(`${flag} takes a number of tokens`, `give it as in ${flag} 30000`);
}

function dearest(tools: readonly HostTool[]) {
  return tools
    .map((tool) => ({ server: tool.server, tool: tool.tool, tokens: toolTokens(tool) }))
    .toSorted((a, b) => b.tokens - a.tokens)
    .slice(0, DEAREST);
}

/** Of the three tools that stand for those that are searched for. */
function searchTokens(searched: readonly HostTool[]): number {
  if (searched.length === 0) return 0;
  const search = new ToolSearch<HostTool>();
  search.set(searched);
  return sum(search.definitions.map(toolTokens));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
