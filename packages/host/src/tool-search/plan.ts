// Plans how a model gets the tools of each server: directly, by a search, or by scripts. Servers that are always loaded are
// sent. The others are all sent if that is the cheapest way and within the budget; otherwise only those that are used so
// often that sending saves more than it costs, starting with the most used in proportion to their length. The same input
// yields the same plan. Pure.

import { groupBy } from '@plugboard/base';
import {
  cheapestMode,
  modeCosts,
  paysToSend,
  searchAnswerTokens,
  type SearchTokens,
  type ToolMode,
} from './mode-costs.ts';
import type { DescribedTool } from './signature.ts';
import { searchDefinitions } from './tool-search.ts';
import { type CountTokens, estimateToolTokens, toolTokens } from './tool-tokens.ts';

export interface PlanOptions<Tool> {
  /** For all definitions of tools together, in tokens. `Infinity` sends all, whatever the cost. */
  readonly budget: number;
  /** The mode for tools that are not always sent, whatever the cost, and even without any tools. */
  readonly mode?: Exclude<ToolMode, 'direct'>;
  /** Servers whose tools are always sent. */
  readonly always?: ReadonlySet<string>;
  /** The probability that a tool is used in a conversation, from 0 to 1. */
  readonly chanceOf?: (tool: Tool) => number;
  /** The cost of scripts in addition to the search tools, in tokens; without it, there are no scripts. */
  readonly codeTokens?: number;
  readonly count?: CountTokens;
}

export interface ServerPlan {
  readonly server: string;
  readonly mode: ToolMode;
  /** `over-budget`: sending them would be cheapest, but exceeds the budget. `wanted`: set by `mode` of the options. */
  readonly reason: 'always-loaded' | 'cheapest' | 'used-often' | 'over-budget' | 'wanted';
  readonly tools: number;
  /** The cost of sending all its definitions. */
  readonly tokens: number;
  /** The number of its tools that are sent, and their cost. */
  readonly sent: number;
  readonly sentTokens: number;
}

export interface ToolPlan<Tool> {
  /** The mode of tools that are not sent. */
  readonly mode: ToolMode;
  /** Sorted by name. */
  readonly servers: readonly ServerPlan[];
  /** In the order of the input. */
  readonly direct: readonly Tool[];
  readonly searched: readonly Tool[];
  /** The cost of the search tools; 0 if all tools are sent. */
  readonly surfaceTokens: number;
}

/** The size of the chat's system prompt, without the parts of the folder and the servers. */
const SYSTEM_TOKENS = 400;

interface Costed<Tool> {
  readonly tool: Tool;
  readonly tokens: number;
  readonly chance: number;
}

interface Choice<Tool> {
  readonly mode: ToolMode;
  readonly reason: ServerPlan['reason'];
  readonly sent: ReadonlySet<Costed<Tool>>;
  readonly surfaceTokens: number;
}

export function planTools<Tool extends DescribedTool>(
  tools: readonly Tool[],
  options: PlanOptions<Tool>,
): ToolPlan<Tool> {
  const { always = new Set(), chanceOf = () => 0, count = estimateToolTokens } = options;
  const costed = tools.map((tool) => ({
    tool,
    tokens: toolTokens(tool, count),
    chance: chanceOf(tool),
  }));
  const isAlways = ({ tool }: Costed<Tool>): boolean => always.has(tool.server);
  const others = costed.filter((each) => !isAlways(each));
  const choice = chooseAmong(others, sum(costed.filter(isAlways)), options);
  const isSent = (each: Costed<Tool>): boolean => isAlways(each) || choice.sent.has(each);
  return {
    mode: choice.mode,
    servers: byServer(costed).map(([server, own]) =>
      serverPlan(server, own, { ...choice, isAlways: always.has(server), isSent }),
    ),
    direct: costed.filter(isSent).map(({ tool }) => tool),
    searched: costed.filter((each) => !isSent(each)).map(({ tool }) => tool),
    surfaceTokens: choice.surfaceTokens,
  };
}

/** Decides about tools that are not always sent; `taken`: the part of the budget for those that are. */
function chooseAmong<Tool extends DescribedTool>(
  tools: readonly Costed<Tool>[],
  taken: number,
  options: PlanOptions<Tool>,
): Choice<Tool> {
  const { budget, codeTokens, count = estimateToolTokens } = options;
  const direct = sum(tools);
  const search = searchDefinitions(tools.map(({ tool }) => tool)).reduce(
    (total, definition) => total + toolTokens(definition, count),
    0,
  );
  const code = codeTokens === undefined ? undefined : search + codeTokens;
  if (options.mode !== undefined) {
    const surfaceTokens = options.mode === 'code' ? (code ?? search) : search;
    return { mode: options.mode, reason: 'wanted', sent: new Set(), surfaceTokens };
  }
  const base = SYSTEM_TOKENS + taken;
  const costs = modeCosts({ tools: tools.length, base, direct, search, code });
  const isCheapest = cheapestMode(costs) === 'direct';
  const room = budget - taken;
  if (tools.length === 0 || budget === Number.POSITIVE_INFINITY || (isCheapest && direct <= room)) {
    return { mode: 'direct', reason: 'cheapest', sent: new Set(tools), surfaceTokens: 0 };
  }
  const mode = cheapestMode(costs, ['search', 'code']);
  const surfaceTokens = mode === 'code' ? (code ?? search) : search;
  const sent = oftenUsed(tools, room, {
    prefix: base + surfaceTokens,
    answer: searchAnswerTokens(tools.length),
  });
  const reason = isCheapest ? 'over-budget' : 'cheapest';
  return { mode, reason, sent, surfaceTokens: sent.size === tools.length ? 0 : surfaceTokens };
}

interface Unit<Tool> {
  readonly name: string;
  readonly tools: readonly Costed<Tool>[];
  readonly tokens: number;
  readonly chance: number;
}

/** Whole servers first, then single tools. */
function oftenUsed<Tool extends DescribedTool>(
  tools: readonly Costed<Tool>[],
  room: number,
  search: SearchTokens,
): ReadonlySet<Costed<Tool>> {
  const sent = new Set<Costed<Tool>>();
  let left = room;
  const take = (units: readonly Unit<Tool>[]): void => {
    for (const unit of units.toSorted(mostUsedFirst)) {
      if (unit.tokens > left || !paysToSend(unit, search)) continue;
      left -= unit.tokens;
      for (const tool of unit.tools) sent.add(tool);
    }
  };
  take(byServer(tools).map(([server, own]) => unitOf(server, own)));
  take(tools.filter((tool) => !sent.has(tool)).map((tool) => unitOf(tool.tool.name, [tool])));
  return sent;
}

function unitOf<Tool>(name: string, tools: readonly Costed<Tool>[]): Unit<Tool> {
  const chance = tools.reduce((total, tool) => total + tool.chance, 0);
  return { name, tools, tokens: sum(tools), chance: Math.min(1, chance) };
}

function mostUsedFirst(a: Unit<unknown>, b: Unit<unknown>): number {
  return b.chance / b.tokens - a.chance / a.tokens || (a.name < b.name ? -1 : 1);
}

interface ServerChoice<Tool> extends Pick<Choice<Tool>, 'mode' | 'reason'> {
  readonly isAlways: boolean;
  readonly isSent: (tool: Costed<Tool>) => boolean;
}

function serverPlan<Tool>(
  server: string,
  own: readonly Costed<Tool>[],
  { mode, reason, isAlways, isSent }: ServerChoice<Tool>,
): ServerPlan {
  const sent = own.filter(isSent);
  const counts = {
    tools: own.length,
    tokens: sum(own),
    sent: sent.length,
    sentTokens: sum(sent),
  };
  if (isAlways) return { server, mode: 'direct', reason: 'always-loaded', ...counts };
  const isWhole = mode !== 'direct' && sent.length === own.length;
  return isWhole
    ? { server, mode: 'direct', reason: 'used-often', ...counts }
    : { server, mode, reason, ...counts };
}

/** Sorted by name. */
function byServer<Tool extends DescribedTool>(
  tools: readonly Costed<Tool>[],
): readonly (readonly [string, readonly Costed<Tool>[]])[] {
  const servers = groupBy(tools, ({ tool }) => tool.server);
  return [...servers].toSorted(([a], [b]) => (a < b ? -1 : 1));
}

function sum(tools: readonly { readonly tokens: number }[]): number {
  return tools.reduce((total, { tokens }) => total + tokens, 0);
}
