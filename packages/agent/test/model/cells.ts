// The same test over every provider: each cell is a choice that leads to a scripted model in that provider's format.

import { type Clock, systemClock } from '@plugboard/base';
import type { ManualClock, ScriptedModel, WireName } from '@plugboard/testkit';
import {
  chooseModel,
  type ChosenModel,
  createModel,
  type Model,
  type ModelEvent,
  type ModelRequest,
  type ModelTool,
  type Patience,
} from '../../src/index.ts';

export interface Cell {
  readonly name: string;
  readonly wire: WireName;
  readonly env: (url: string) => Record<string, string>;
}

export const KEY = 'sk-test-key-0123456789';

export const CELLS: readonly Cell[] = [
  {
    name: 'anthropic/claude-sonnet-5-5',
    wire: 'anthropic',
    env: (url) => ({ ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: url }),
  },
  {
    name: 'openai/gpt-6.1-sol',
    wire: 'responses',
    env: (url) => ({ OPENAI_API_KEY: KEY, OPENAI_BASE_URL: url }),
  },
  {
    name: 'google/gemini-3.8-flash',
    wire: 'google',
    env: (url) => ({ GEMINI_API_KEY: KEY, GOOGLE_GEMINI_BASE_URL: url }),
  },
  {
    name: 'compatible/qwen3',
    wire: 'chat',
    env: (url) => ({ OPENAI_API_KEY: KEY, OPENAI_BASE_URL: url }),
  },
];

function choiceOf(cell: Cell, url: string, { toolSearch }: ModelMake): ChosenModel {
  const [provider = ''] = cell.name.split('/');
  const settings = toolSearch && { providers: { [provider]: { toolSearch } } };
  const choice = chooseModel({
    flag: cell.name,
    env: cell.env(url),
    ...(settings && { settings }),
  });
  if (choice.kind === 'none') throw new Error(`no model: ${choice.problem.kind}`);
  return choice.model;
}

export interface ModelMake {
  readonly clock?: Clock;
  readonly patience?: Partial<Patience>;
  readonly toolSearch?: ChosenModel['toolSearch'];
}

export function modelAt(
  cell: Cell,
  server: Pick<ScriptedModel, 'url'>,
  make: ModelMake = {},
): Model {
  return createModel(choiceOf(cell, server.url, make), {
    clock: make.clock ?? systemClock,
    random: () => 0.5,
    ...(make.patience && { patience: make.patience }),
  });
}

export const SEARCH: ModelTool = {
  name: 'search',
  description: 'Searches',
  inputSchema: {
    type: 'object',
    properties: { query: { type: 'string' } },
    required: ['query'],
  },
};

export function asking(text: string, tools: readonly ModelTool[] = []): ModelRequest {
  return {
    system: 'Be brief.',
    messages: [{ kind: 'user', parts: [{ kind: 'text', text }] }],
    tools,
  };
}

export async function allOf(
  model: Model,
  request: ModelRequest,
  signal: AbortSignal = new AbortController().signal,
): Promise<ModelEvent[]> {
  const events: ModelEvent[] = [];
  for await (const event of model.stream(request, signal)) events.push(event);
  return events;
}

export function lastOf<Kind extends ModelEvent['kind']>(
  events: readonly ModelEvent[],
  kind: Kind,
): Extract<ModelEvent, { kind: Kind }> {
  const last = events.at(-1);
  if (last?.kind !== kind) throw new Error(`ended with ${JSON.stringify(last)}`);
  return last as Extract<ModelEvent, { kind: Kind }>;
}

/** Advances the clock whenever the code waits, until the work is done. */
export async function passingTime<T>(clock: ManualClock, work: Promise<T>): Promise<T> {
  const progress = { isOver: false };
  const done = work.finally(() => {
    progress.isOver = true;
  });
  while (!progress.isOver) {
    await new Promise((resolve) => setImmediate(resolve));
    if (clock.pending > 0) await clock.advance(100);
  }
  return await done;
}
