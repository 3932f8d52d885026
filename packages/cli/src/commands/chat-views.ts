// The chat commands that show the state of the conversation: the model, the cost, the next request, the rules, and the
// changed files. They change only the model.

import { resolve } from 'node:path';
import { knownModels, type ModelFacts, PRICES_OF } from '@plugboard/agent';
import { type HostEnvironment, readTextFile } from '@plugboard/host/configuration';
import type { ChatEvent, PickerRow, SubmitResult, TalkCommands } from '../chat/index.ts';
import type { Context } from '../context.ts';
import { rulesTable } from '../print/decision.ts';
import { shortPath } from '../print/place.ts';
import { partsText, partsTable, type RequestPart } from '../print/request-parts.ts';
import { toolCostsOf, toolCostsText, windowText } from '../print/tool-costs.ts';
import { modelChoice, problemWords } from './chosen-model.ts';
import { type CommandConfiguration, readConfigured } from './configured.ts';
import type { OpenAgent } from './open-agent.ts';

type ViewCommands = Pick<
  TalkCommands,
  'context' | 'cost' | 'model' | 'status' | 'permissions' | 'changes'
>;

export interface ViewOptions {
  readonly agent: OpenAgent;
  readonly context: Context;
  readonly environment: HostEnvironment;
  readonly configured: CommandConfiguration;
  readonly emit: (event: ChatEvent) => void;
}

export function viewCommands(options: ViewOptions): ViewCommands {
  const { agent } = options;
  return {
    context: (which, columns) => showContext(which, columns, agent),
    cost: () => costText(agent),
    model: (name) =>
      Promise.resolve(name === undefined ? pickModel(options) : switchModel(name, options)),
    status: () => statusText(options),
    permissions: (columns) => permissionsText(columns, options),
    changes: () => showChanges(options),
  };
}

function showContext(which: string | undefined, columns: number, agent: OpenAgent): SubmitResult {
  const parts = agent.nextRequest();
  if (which === 'all') return { kind: 'shown', text: partsText(parts) };
  if (which !== undefined) {
    const part = parts[Number(which) - 1];
    return part === undefined
      ? {
          kind: 'problem',
          message: `the next request has ${parts.length} parts, and no part "${which}"`,
          fix: 'see them all: /context',
        }
      : { kind: 'shown', text: partsText([part]) };
  }
  return { kind: 'shown', text: contextText(parts, columns, agent) };
}

function contextText(parts: readonly RequestPart[], columns: number, agent: OpenAgent): string {
  const { plannedTools } = agent;
  const { tools, budget } = plannedTools;
  const costs =
    tools.length === 0
      ? 'There are no tools yet.\n'
      : toolCostsText({ ...toolCostsOf(tools, plannedTools), budget }, columns);
  const use = agent.conversation?.contextUse;
  const window = use === undefined ? '' : `${windowText(use)}\n`;
  const how = 'See one part: /context NUMBER. All of it: /context all.';
  return `${costs}\n${partsTable(parts, columns)}${window}${how}`;
}

/** The cost, with an explanation of each number. */
function costText({ totals, model = '' }: OpenAgent): string {
  const { usage, dollars, isPartlyUnknown, requests } = totals;
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = usage;
  const count = requests === 1 ? '1 request' : `${requests} requests`;
  const share = inputTokens === 0 ? 0 : Math.round((100 * cacheReadTokens) / inputTokens);
  const spent = `${isPartlyUnknown ? 'at least ' : ''}$${dollars.toFixed(4)}`;
  return [
    `${count}, ${isPartlyUnknown && dollars === 0 ? 'price not known' : spent}`,
    `${inputTokens} tokens read (${cacheReadTokens} from the provider's cache, ${share} %; ${cacheWriteTokens} put into it), ${outputTokens} written`,
    'Read: all that requests had in them, again with each request. Written: answers, thoughts and calls.',
    priceWords(model),
  ].join('\n');
}

function priceWords(model: string): string {
  const known = knownModels().find(({ name }) => model.startsWith(name));
  if (known?.price === undefined) {
    return `The price of ${model === '' ? 'this model' : model} is not known here: its requests are not in the dollars, and not in --budget.`;
  }
  return `${model}: $${known.price.input} read, $${known.price.output} written for a million tokens, as published on ${PRICES_OF}.`;
}

function pickModel(options: ViewOptions): SubmitResult {
  const { agent } = options;
  const known = knownModels().filter(({ name }) => isUsable(name, options));
  const named = namedInSettings(options).filter(
    (name) => isUsable(name, options) && !known.some((one) => one.name === name),
  );
  const current = agent.model;
  const isListed =
    named.some((name) => name === current) || known.some(({ name }) => name === current);
  const others = current === undefined || isListed ? [] : [current];
  const rows: readonly PickerRow[] = [
    ...[...others, ...named].map((name) => modelRow(name, undefined, current)),
    ...known.map((facts) => modelRow(facts.name, facts, current)),
  ];
  return {
    kind: 'pick',
    picker: {
      title: current === undefined ? 'No model answers yet' : `${current} answers`,
      rows,
      empty: 'No key is set. Set one and start again, or name a model: /model ollama/NAME',
      note: 'Models whose key is set. Any other: /model provider/name',
    },
  };
}

function isUsable(name: string, { environment, configured }: ViewOptions): boolean {
  const { chat } = configured.configuration;
  return modelChoice(name, { environment, chat }).kind === 'chosen';
}

function namedInSettings({ configured }: ViewOptions): readonly string[] {
  const { chat } = configured.configuration;
  const providers = chat.flatMap((setting) => Object.entries(setting.providers ?? {}));
  const models = providers.flatMap(([name, { model }]) =>
    model === undefined ? [] : [`${name}/${model}`],
  );
  return [...new Set([...chat.flatMap(({ model }) => model ?? []), ...models])];
}

function modelRow(
  name: string,
  facts: ModelFacts | undefined,
  current: string | undefined,
): PickerRow {
  const { price, contextTokens } = facts ?? {};
  const cost = price === undefined ? 'price not known' : `$${price.input} in, $${price.output} out`;
  const room = contextTokens === undefined ? [] : [`${Math.round(contextTokens / 1000)}k`];
  return {
    label: name,
    detail: [...room, cost].join(' · '),
    line: `/model ${name}`,
    ...(name === current ? { isCurrent: true } : {}),
  };
}

function switchModel(
  name: string,
  { agent, environment, configured, emit }: ViewOptions,
): SubmitResult {
  const choice = modelChoice(name, { environment, chat: configured.configuration.chat });
  if (choice.kind === 'none') {
    const message = problemWords(choice.problem);
    return { kind: 'problem', message, fix: '/model provider/name' };
  }
  agent.use(choice.model);
  emit({ kind: 'model', name: choice.model.name });
  return { kind: 'shown', text: `${choice.model.name} answers from now on` };
}

function statusText({ agent, context, environment }: ViewOptions): string {
  const { transcript, model, conversation, host, totals } = agent;
  const use = conversation?.contextUse;
  const ready = host.servers.filter(({ state }) => state.kind === 'ready').length;
  const facts: readonly (readonly [string, string])[] = [
    ['version', context.version],
    ['folder', shortPath(environment.cwd, environment)],
    ['model', model ?? 'none: /model provider/name'],
    ['session', transcript.id],
    ['turns', String(transcript.turns.length)],
    ['servers', `${ready} of ${host.servers.length} ready: /mcp`],
    ...(use === undefined
      ? []
      : [['context', `about ${use.tokens} of ${use.window} tokens: /context`] as const]),
    ['jobs', `${agent.workspace.jobs.running} running: /jobs`],
    ['requests', `${totals.requests}: /cost`],
  ];
  return facts.map(([name, value]) => `${name.padEnd(10)}${value}`).join('\n');
}

async function permissionsText(columns: number, { context }: ViewOptions): Promise<string> {
  const { callRules } = await import('@plugboard/host/decisions');
  const { configuration, environment } = await readConfigured(context);
  const { rules } = await callRules(configuration, { environment, trust: context.trust });
  const change =
    'Change them: plugboard permissions SERVER/TOOL --allow, --ask, --deny or --remove';
  return rules.length === 0
    ? `There are no rules. Calls that no rule covers need your approval.\n${change}`
    : `${rulesTable(rules, { columns, from: environment })}${change}`;
}

const MAX_BYTES = 1024 * 1024;

/** The differences that this conversation has made to files. */
async function showChanges({ agent, environment }: ViewOptions): Promise<SubmitResult> {
  const files = await agent.transcript.filesBefore(1);
  const changes = await Promise.all(
    files.map(async ({ path, before }) => {
      const now = await readTextFile(resolve(environment.cwd, path), { maxBytes: MAX_BYTES });
      const text = before === undefined ? '' : Buffer.from(before).toString('utf8');
      return { path, before: text, after: now.ok ? now.value : '' };
    }),
  );
  const different = changes.filter(({ before, after }) => before !== after);
  return different.length === 0
    ? {
        kind: 'shown',
        text: 'No file is different from before this conversation, as far as write_file and edit_file changed it.',
      }
    : { kind: 'changes', changes: different };
}
