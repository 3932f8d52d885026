// Which tools a model gets as they are, and which it has to search for: all as they are where they fit into a budget of
// tokens, and else only those of servers that are always to be loaded. Pure.

import type { DescribedTool } from './signature.ts';

const DIRECT_SHARE = 0.15;

/** So much of a model's context the definitions of tools may take before they are searched for. */
export function toolBudget(contextTokens: number, share = DIRECT_SHARE): number {
  return Math.round(contextTokens * share);
}

export interface PlanOptions {
  /** For the definitions of all tools together, in tokens. */
  readonly budget: number;
  /** Servers whose tools are always sent. */
  readonly always?: ReadonlySet<string>;
}

export interface ServerPlan {
  readonly server: string;
  readonly mode: 'direct' | 'search';
  readonly tools: number;
  /** What its definitions cost where they are sent. */
  readonly tokens: number;
}

export interface ToolPlan<Tool> {
  /** In the order of their names. */
  readonly servers: readonly ServerPlan[];
  readonly direct: readonly Tool[];
  readonly searched: readonly Tool[];
}

export function planTools<Tool extends DescribedTool>(
  tools: readonly Tool[],
  { budget, always = new Set() }: PlanOptions,
): ToolPlan<Tool> {
  const costs = new Map<string, { tools: number; tokens: number }>();
  let all = 0;
  for (const tool of tools) {
    const tokens = toolTokens(tool);
    const known = costs.get(tool.server) ?? { tools: 0, tokens: 0 };
    costs.set(tool.server, { tools: known.tools + 1, tokens: known.tokens + tokens });
    all += tokens;
  }
  const isDirect = (server: string): boolean => all <= budget || always.has(server);
  return {
    servers: [...costs]
      .map(([server, cost]) => ({
        server,
        mode: isDirect(server) ? ('direct' as const) : ('search' as const),
        ...cost,
      }))
      .toSorted((a, b) => (a.server < b.server ? -1 : 1)),
    direct: tools.filter(({ server }) => isDirect(server)),
    searched: tools.filter(({ server }) => !isDirect(server)),
  };
}

/** On 6,500 real definitions it was 4.1 to 4.4. */
const CHARACTERS_PER_TOKEN = 4;

/** What the definition of a tool costs in a request. Estimated, since every model has a tokenizer of its own. */
export function toolTokens({
  name,
  description,
  inputSchema,
}: Pick<DescribedTool, 'name' | 'description' | 'inputSchema'>): number {
  const text = JSON.stringify({ name, description, inputSchema });
  return Math.ceil(text.length / CHARACTERS_PER_TOKEN);
}
