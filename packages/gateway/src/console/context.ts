// Routes about the tokens that tools cost a model: what the planner of the chat would send, and what the tool search
// finds for a query and why.

import {
  budgetTokens,
  DEFAULT_TOOL_BUDGET,
  openToolIndex,
  planTools,
  readToolBudget,
  RUN_CODE_TOKENS,
  type ToolIndex,
  toolTokens,
  ToolUsage,
} from '@plugboard/host/adapters';
import { strongest } from '@plugboard/host/configuration';
import { type HostTool, toHostTool } from '@plugboard/host/relay';
import type { ContextView, FoundTool } from '../console-api.ts';
import type { Console } from './console.ts';
import type { Route } from './route.ts';

/** The window of most models. */
const WINDOW = 200_000;
const MOST_FOUND = 15;
const LONGEST_QUERY = 4000;

export function contextRoutes(shown: Console): readonly Route[] {
  let index: Promise<ToolIndex<HostTool>> | undefined;
  return [
    {
      method: 'GET',
      path: '/context',
      answer: async ({ query }) => {
        const wanted = Number(query.get('window') ?? WINDOW);
        const window = Number.isSafeInteger(wanted) && wanted > 0 ? wanted : WINDOW;
        return { kind: 'json', body: await contextOf(shown, window) };
      },
    },
    {
      method: 'GET',
      path: '/search',
      answer: async ({ query }) => {
        index ??= openToolIndex<HostTool>();
        const tools = await index;
        tools.set(shown.tools.map(toHostTool));
        const found = tools.explain((query.get('query') ?? '').slice(0, LONGEST_QUERY), MOST_FOUND);
        const body = found.map(({ tool: { server, tool, description }, ...why }): FoundTool => ({
          ...{ server, tool, description },
          ...why,
        }));
        return { kind: 'json', body };
      },
    },
  ];
}

async function contextOf(shown: Console, window: number): Promise<ContextView> {
  const { environment, read } = shown.settings;
  const tools = shown.tools.map(toHostTool);
  const { servers } = shown.host;
  const always = servers.filter(({ isAlwaysLoaded }) => isAlwaysLoaded).map(({ name }) => name);
  const chat = (await read?.())?.chat ?? [];
  const set = readToolBudget(strongest(chat, 'toolBudget'));
  const budget = budgetTokens(set ?? DEFAULT_TOOL_BUDGET, window);
  const uses = (await ToolUsage.open({ state: environment.paths.state })).conversation();
  const chanceOf = (tool: HostTool): number => uses.chanceOf(tool);
  const plan = planTools(tools, {
    budget,
    always: new Set(always),
    chanceOf,
    codeTokens: RUN_CODE_TOKENS,
  });
  const sent = new Set(plan.direct);
  return {
    window,
    // The budget may be unbounded.
    budget: Math.min(budget, window),
    mode: plan.mode,
    surfaceTokens: plan.surfaceTokens,
    servers: plan.servers,
    tools: tools
      .map((tool) => ({
        ...{ server: tool.server, tool: tool.tool, tokens: toolTokens(tool) },
        isSent: sent.has(tool),
        chance: chanceOf(tool),
      }))
      .toSorted((a, b) => b.tokens - a.tokens),
  };
}
