// `plugboard context`: shows the tokens that the tools of each server cost a model, and what is sent instead. Uses the lists of
// earlier runs, and starts no server.

import { createModel, type Model } from '@plugboard/agent';
import { BUILT_IN_SERVERS, strongest } from '@plugboard/host/configuration';
import {
  budgetTokens,
  type HostTool,
  knownTools,
  planTools,
  RUN_CODE_TOKENS,
  ToolUsage,
} from '@plugboard/host/known-tools';
import type { Context } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { writeDiagnostics } from '../print/diagnostics.ts';
import { printJson } from '../print/json.ts';
import { toolCostsOf, toolCostsText } from '../print/tool-costs.ts';
import { UsageError } from '../usage-error.ts';
import { modelChoice, problemFix, problemWords, type ModelSources } from './chosen-model.ts';
import { readConfigured } from './configured.ts';
import { tokenCount } from './token-count.ts';
import { CONTEXT_TOKENS, toolBudgetOf } from './tool-budget.ts';

export interface ToolCostsRequest {
  readonly model?: string;
  /** The context window in tokens. */
  readonly window?: string;
  readonly toolBudget?: string;
}

export async function toolCosts(context: Context, request: ToolCostsRequest): Promise<ExitCode> {
  const given = numberOf('--window', request.window);
  const { configuration, environment } = await readConfigured(context);
  const { chat, servers, pins, diagnostics } = configuration;
  const model = modelOf(request.model, { environment, chat });
  const window = given ?? model?.contextTokens ?? CONTEXT_TOKENS;
  const { tokenizer = null, count } = await tokenCount(model?.name);
  const budget = budgetTokens(toolBudgetOf(request.toolBudget, chat), window);
  const { tools, unknown } = await knownTools(environment, servers, pins);
  const stated = servers.filter(({ written }) => written.alwaysLoad);
  // Built-in servers are always loaded, as in a chat.
  const always = new Set([...BUILT_IN_SERVERS, ...stated.map(({ name }) => name)]);
  const uses = (await ToolUsage.open({ state: environment.paths.state })).conversation();
  const chanceOf = (tool: HostTool): number => uses.chanceOf(tool);
  const plan = planTools(tools, {
    ...{ budget, always, chanceOf },
    ...(strongest(chat, 'code') === true ? { codeTokens: RUN_CODE_TOKENS } : {}),
    ...(count === undefined ? {} : { count }),
  });
  const costs = { ...toolCostsOf(tools, plan, count), tokenizer };
  if (context.isJson) {
    printJson(context, { ...costs, window, budget, unknown, diagnostics });
    return EXIT.ok;
  }
  const { out, err } = context.terminal;
  writeDiagnostics(err, diagnostics, environment);
  if (tools.length > 0) out.write(toolCostsText({ ...costs, budget }, out.columns));
  else err.write('No tools are known yet. List them first: plugboard tools\n');
  if (tools.length > 0 && unknown.length > 0) {
    err.write(`Not listed yet: ${unknown.join(', ')}. List them with: plugboard tools\n`);
  }
  return EXIT.ok;
}

function modelOf(
  model: string | undefined,
  sources: ModelSources,
): Pick<Model, 'name' | 'contextTokens'> | undefined {
  const choice = modelChoice(model, sources);
  if (choice.kind === 'chosen') return createModel(choice.model);
  if (model === undefined || choice.problem.kind === 'no-key') return undefined;
  throw new UsageError(problemWords(choice.problem), problemFix(choice));
}

function numberOf(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (Number.isSafeInteger(value) && value >= 0) return value;
  throw new UsageError(`${flag} takes a number of tokens`, `give it as in ${flag} 30000`);
}
