// What tools cost a model, as tables and a sentence.

import type { ServerPlan } from '@plugboard/host/known-tools';
import { table } from './table.ts';
import { wrapTo } from './width.ts';

export interface ToolCosts {
  readonly servers: readonly ServerPlan[];
  readonly dearest: readonly {
    readonly server: string;
    readonly tool: string;
    readonly tokens: number;
  }[];
  readonly budget: number;
  readonly tokens: { readonly all: number; readonly sent: number };
}

const PLANS: Readonly<Record<ServerPlan['mode'], string>> = {
  direct: 'sent',
  search: 'searched for',
};

export function toolCostsText(
  { servers, dearest, budget, tokens }: ToolCosts,
  columns: number,
): string {
  const byServer = table<ServerPlan>(
    [
      { title: 'SERVER', cell: ({ server }) => server },
      { title: 'TOOLS', cell: ({ tools }) => String(tools) },
      { title: 'TOKENS', cell: (row) => number(row.tokens) },
      { title: 'HOW', cell: ({ mode }) => PLANS[mode] },
    ],
    servers,
    columns,
  );
  const byTool = table<ToolCosts['dearest'][number]>(
    [
      { title: 'TOKENS', cell: (row) => number(row.tokens) },
      { title: 'DEAREST TOOLS', cell: ({ server, tool }) => `${server}/${tool}` },
    ],
    dearest,
    columns,
  );
  const said = wrapTo(verdict(tokens, budget), columns).join('\n');
  return `${byServer}\n${byTool}\n${said}\n`;
}

function verdict({ all, sent }: ToolCosts['tokens'], budget: number): string {
  const cost = `All definitions cost about ${number(all)} tokens`;
  if (all <= budget) return `${cost}, within the budget of ${number(budget)}: all are sent.`;
  const saved = Math.round(100 * (1 - sent / all));
  return `${cost}, over the budget of ${number(budget)}. A request has about ${number(sent)} instead, ${saved} % less.`;
}

function number(value: number): string {
  return value.toLocaleString('en-US');
}
