// The tokens that tools cost a model, and how the model gets the tools, as tables and a sentence.

import {
  type CountTokens,
  type HostTool,
  type ServerPlan,
  type ToolPlan,
  toolTokens,
} from '@plugboard/host/known-tools';
import { table } from './table.ts';
import { wrapTo } from './width.ts';

export interface ToolCosts {
  readonly servers: readonly ServerPlan[];
  readonly dearest: readonly {
    readonly server: string;
    readonly tool: string;
    readonly tokens: number;
  }[];
  readonly tokens: { readonly all: number; readonly sent: number };
  /** The tokenizer that counted the tokens. `null` or missing if they are estimated. */
  readonly tokenizer?: string | null;
}

const MOST_EXPENSIVE = 10;

export function toolCostsOf(
  tools: readonly HostTool[],
  { servers, surfaceTokens }: Pick<ToolPlan<HostTool>, 'servers' | 'surfaceTokens'>,
  count?: CountTokens,
): ToolCosts {
  const all = servers.reduce((total, { tokens }) => total + tokens, 0);
  const sent = servers.reduce((total, { sentTokens }) => total + sentTokens, surfaceTokens);
  const dearest = tools
    .map((tool) => ({
      server: tool.server,
      tool: tool.tool,
      tokens: toolTokens(tool, count),
    }))
    .toSorted((a, b) => b.tokens - a.tokens)
    .slice(0, MOST_EXPENSIVE);
  return { servers, dearest, tokens: { all, sent } };
}

const MODES: Readonly<Record<ServerPlan['mode'], string>> = {
  direct: 'sent',
  search: 'searched for',
  code: 'searched for, or by scripts',
};

export function toolCostsText(
  { servers, dearest, budget, tokens, tokenizer }: ToolCosts & { readonly budget: number },
  columns: number,
): string {
  const byServer = table<ServerPlan>(
    [
      { title: 'SERVER', cell: ({ server }) => server },
      { title: 'TOOLS', cell: ({ tools }) => String(tools) },
      { title: 'TOKENS', cell: (row) => number(row.tokens) },
      { title: 'SENT', cell: (row) => number(row.sentTokens) },
      { title: 'HOW, AND WHY', cell: planWords },
    ],
    servers,
    columns,
  );
  const byTool = table<ToolCosts['dearest'][number]>(
    [
      { title: 'TOKENS', cell: (row) => number(row.tokens) },
      { title: 'MOST EXPENSIVE TOOLS', cell: ({ server, tool }) => `${server}/${tool}` },
    ],
    dearest,
    columns,
  );
  const isAll = servers.every(({ mode }) => mode === 'direct');
  const counted = typeof tokenizer === 'string' ? `counted by ${tokenizer}` : 'estimated';
  const summary = wrapTo(
    `${verdict(tokens, { budget, isAll })} Tokens are ${counted}.`,
    columns,
  ).join('\n');
  return `${byServer}\n${byTool}\n${summary}\n`;
}

function planWords({ mode, reason, sent }: ServerPlan): string {
  const some = mode === 'direct' || sent === 0 ? '' : ` but for ${sent}, used often`;
  return `${MODES[mode]}${some}: ${reasonWords(mode, reason)}`;
}

function reasonWords(mode: ServerPlan['mode'], reason: ServerPlan['reason']): string {
  switch (reason) {
    case 'always-loaded':
      return 'always loaded';
    case 'used-often':
      return 'used often';
    case 'over-budget':
      return 'over the budget';
    case 'wanted':
      return 'as wanted';
    case 'cheapest':
      return mode === 'direct' ? 'all together cost less than a search' : 'costs less';
    default:
      return reason satisfies never;
  }
}

function verdict(
  { all, sent }: ToolCosts['tokens'],
  { budget, isAll }: { readonly budget: number; readonly isAll: boolean },
): string {
  const cost = `All definitions cost about ${number(all)} tokens`;
  const within = sent <= budget ? 'within' : 'over';
  const where = `${within} the budget of ${number(budget)}`;
  if (isAll) return `${cost}, and a request has them all, ${where}.`;
  const change = Math.round(100 * (sent / all - 1));
  const saved = `${Math.abs(change)} % ${change > 0 ? 'more' : 'less'}`;
  return `${cost}. A request has about ${number(sent)} instead, ${saved}, ${where}.`;
}

export function windowText({
  tokens,
  window,
}: {
  readonly tokens: number;
  readonly window: number;
}): string {
  const share = Math.round((100 * tokens) / window);
  return `The conversation takes about ${number(tokens)} of ${number(window)} tokens, ${share} %.`;
}

function number(value: number): string {
  return value.toLocaleString('en-US');
}
