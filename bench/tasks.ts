// The cost of each way to give a model tools: thirty tasks on published servers, with all definitions, by a search, and
// by scripts; and the choice of the planner. The calls of the model are data; everything else is real.

import type { HostTool } from '@plugboard/host';
import {
  budgetTokens,
  DEFAULT_TOOL_BUDGET,
  planTools,
  RUN_CODE_TOKENS,
} from '@plugboard/host/adapters';
import { installNewerNode } from '../packages/testkit/src/newer-node.ts';
import { figure, type Figure, type Section, type TableSection } from './measure/report.ts';
import { sandbox } from './measure/sandbox.ts';
import { carryOut, type TaskCost } from './tasks/conversation.ts';
import { makePlace } from './tasks/place.ts';
import { hostFor } from './tasks/servers.ts';
import { TASKS } from './tasks/set/index.ts';
import { type SetUp, type Task, type Way, WAYS } from './tasks/task.ts';

/** The context window of common models. */
const CONTEXT_TOKENS = 200_000;
const LEAST_RIGHT = 27;

export interface TaskCosts {
  readonly task: Task;
  readonly costs: Readonly<Record<Way, TaskCost>>;
  /** The choice of the planner, without and with scripts. */
  readonly picked: Readonly<Record<'search' | 'code', Way>>;
}

export async function benchmarkTasks(distractors: string | undefined): Promise<readonly Section[]> {
  // Of the servers, dbhub needs SQLite.
  installNewerNode();
  const measured = await measureTasks(TASKS, distractors);
  return [
    table('tasks: input tokens of all requests', measured, ({ inputTokens }) => inputTokens),
    table(
      'tasks: the same with a cached beginning at a tenth',
      measured,
      ({ cachedTokens }) => cachedTokens,
    ),
    table('tasks: tokens that the model writes', measured, ({ outputTokens }) => outputTokens),
    table('tasks: requests', measured, ({ requests }) => requests),
    { kind: 'figures', title: 'tasks: what the planner picks', rows: planned(measured) },
  ];
}

/** In the order in which they are given. */
export async function measureTasks(
  tasks: readonly Task[],
  distractors: string | undefined,
): Promise<readonly TaskCosts[]> {
  const found = new Map<Task, TaskCosts>();
  for (const setUp of new Set(tasks.map((task) => task.setUp))) {
    const own = tasks.filter((task) => task.setUp === setUp);
    const byWay: Record<Way, readonly TaskCost[]> = { direct: [], search: [], code: [] };
    let tools: readonly HostTool[] = [];
    for (const way of WAYS) {
      console.error(`bench: ${own.length} tasks with ${setUp}, ${way} ...`);
      ({ costs: byWay[way], tools } = await measureWay(own, way, { setUp, distractors }));
    }
    const picked = { search: pick(tools, undefined), code: pick(tools, RUN_CODE_TOKENS) };
    for (const [at, task] of own.entries()) {
      const costs = { direct: byWay.direct[at]!, search: byWay.search[at]!, code: byWay.code[at]! };
      found.set(task, { task, costs, picked });
    }
  }
  return tasks.map((task) => found.get(task)!);
}

/** Each way has its own folder and servers, so that all start equally. */
async function measureWay(
  tasks: readonly Task[],
  way: Way,
  { setUp, distractors }: { readonly setUp: SetUp; readonly distractors: string | undefined },
): Promise<{ readonly costs: readonly TaskCost[]; readonly tools: readonly HostTool[] }> {
  using box = sandbox({});
  const place = makePlace(box.folder);
  await using host = await hostFor(setUp, { place, distractors });
  const { tools, problems } = await host.tools();
  if (problems.length > 0)
    throw new Error(`not all servers have listed: ${JSON.stringify(problems)}`);
  const costs: TaskCost[] = [];
  for (const task of tasks) {
    try {
      costs.push(await carryOut(task, way, { host, folder: place.folder }));
    } catch (thrown) {
      throw new Error(`${task.name}, ${way}`, { cause: thrown });
    }
  }
  return { costs, tools };
}

function pick(tools: readonly HostTool[], codeTokens: number | undefined): Way {
  const budget = budgetTokens(DEFAULT_TOOL_BUDGET, CONTEXT_TOKENS);
  const { searched, servers } = planTools(tools, {
    budget,
    ...(codeTokens === undefined ? {} : { codeTokens }),
  });
  if (searched.length === 0) return 'direct';
  return servers.some(({ mode }) => mode === 'code') ? 'code' : 'search';
}

function table(
  title: string,
  measured: readonly TaskCosts[],
  of: (cost: TaskCost) => number,
): TableSection {
  const rows = measured.map(({ task, costs, picked }) => [
    task.name,
    task.kind,
    task.setUp,
    ...WAYS.map((way) => of(costs[way])),
    cheapest(costs, WAYS, of),
    picked.code,
  ]);
  const totals = WAYS.map((way) => measured.reduce((sum, { costs }) => sum + of(costs[way]), 0));
  return {
    kind: 'table',
    title,
    headings: ['task', 'kind', 'servers', ...WAYS, 'least', 'planned'],
    rows: [...rows, ['all', '', '', ...totals, '', '']],
  };
}

function cheapest(
  costs: TaskCosts['costs'],
  among: readonly Way[],
  of: (cost: TaskCost) => number = ({ inputTokens }) => inputTokens,
): Way {
  return among.reduce((best, way) => (of(costs[way]) < of(costs[best]) ? way : best));
}

function planned(measured: readonly TaskCosts[]): readonly Figure[] {
  const further = measured.filter(
    ({ costs }) => costs.search.furtherSearches + costs.code.furtherSearches > 0,
  );
  return [
    ...judged(measured, 'search'),
    ...judged(measured, 'code'),
    count('tasks that needed a second search', further.length, ''),
  ];
}

/** Whether the planner sends tools exactly if that is cheaper. The cheapest way overall also depends on the task. */
function judged(measured: readonly TaskCosts[], other: 'search' | 'code'): readonly Figure[] {
  const name = other === 'search' ? 'without scripts' : 'with scripts';
  const among = other === 'search' ? (['direct', 'search'] as const) : WAYS;
  const tokens = ({ costs }: TaskCosts, way: Way): number => costs[way].inputTokens;
  const all = (wayOf: (each: TaskCosts) => Way): number =>
    measured.reduce((sum, each) => sum + tokens(each, wayOf(each)), 0);
  const right = measured.filter((each) => {
    const isDirectCheaper = tokens(each, 'direct') <= tokens(each, other);
    return (each.picked[other] === 'direct') === isDirectCheaper;
  });
  const best = measured.filter(({ costs, picked }) => picked[other] === cheapest(costs, among));
  const taken = all(({ picked }) => picked[other]);
  const least = all(({ costs }) => cheapest(costs, among));
  const of = `of ${measured.length}`;
  return [
    figure({
      name: `${name}: sends tools where that is cheaper, and else not`,
      value: right.length,
      unit: '',
      target: { kind: 'at-least', value: LEAST_RIGHT },
      note: of,
    }),
    count(`${name}: picks the cheapest way of all`, best.length, of),
    count(`${name}: tokens beside the cheapest ways`, taken / least, `${taken} and ${least}`),
  ];
}

function count(name: string, value: number, note: string): Figure {
  return figure({ name, value, unit: '', target: { kind: 'none' }, note });
}
