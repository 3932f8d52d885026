// Which calls are shown: by server, tool, client, outcome, duration and text. Pure.

import type { CallState, CallView } from '@plugboard/gateway/console-api';
import type { LoggedCall } from '../store/call-log.ts';

export type Outcome = 'any' | 'failed' | CallState;

export interface CallFilter {
  /** Each of these four matches anything if it is empty. */
  readonly server: string;
  readonly tool: string;
  readonly client: string;
  readonly text: string;
  readonly outcome: Outcome;
  /** As typed; see `durationRange`. */
  readonly duration: string;
}

export const NO_FILTER: CallFilter = {
  server: '',
  tool: '',
  client: '',
  text: '',
  outcome: 'any',
  duration: '',
};

/** Stands for the server if the gateway answered the call itself. */
export const GATEWAY = '(gateway)';

export interface DurationRange {
  readonly least: number;
  readonly most: number;
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000 };
const LENGTH = String.raw`(\d{1,7}(?:\.\d{1,3})?)\s*(ms|s|m)?`;
const RANGE = new RegExp(String.raw`^(?:([<>])?\s*${LENGTH}|${LENGTH}\s*-\s*${LENGTH})$`, 'u');

/** `>100ms`, `<2s`, `100ms-2s`; without a sign, the minimum. `undefined` for anything else. */
export function durationRange(typed: string): DurationRange | undefined {
  const text = typed.trim();
  if (text === '') return { least: 0, most: Infinity };
  const [, sign, one, unit, from, fromUnit, to, toUnit] = RANGE.exec(text) ?? [];
  if (one !== undefined) {
    const ms = msOf(one, unit);
    return sign === '<' ? { least: 0, most: ms } : { least: ms, most: Infinity };
  }
  if (from === undefined || to === undefined) return undefined;
  return { least: msOf(from, fromUnit ?? toUnit), most: msOf(to, toUnit) };
}

function msOf(value: string, unit = 'ms'): number {
  return Number(value) * (UNITS[unit] ?? 1);
}

export type Matcher = (entry: LoggedCall, now: number) => boolean;

/** `inMessages`: the ids of calls whose messages contain the text. */
export function matcherOf(filter: CallFilter, inMessages: ReadonlySet<string>): Matcher {
  const { server, tool, client, outcome } = filter;
  const { least, most } = durationRange(filter.duration) ?? { least: 0, most: Infinity };
  const isTimed = least > 0 || most < Infinity;
  const words = filter.text.toLowerCase().split(/\s+/u).filter(Boolean);
  return (entry, now) => {
    const { call } = entry;
    if (server !== '' && (call.server ?? GATEWAY) !== server) return false;
    if (tool !== '' && toolOf(call) !== tool) return false;
    if (client !== '' && call.clientName !== client) return false;
    if (outcome !== 'any' && !isOutcome(call.state, outcome)) return false;
    if (isTimed) {
      const ms = call.ms ?? now - call.at;
      if (ms < least || ms > most) return false;
    }
    if (words.length === 0 || inMessages.has(call.id)) return true;
    entry.haystack ??= haystackOf(call);
    const { haystack } = entry;
    return words.every((word) => haystack.includes(word));
  };
}

export function isFiltered(filter: CallFilter): boolean {
  return Object.entries(NO_FILTER).some(
    ([key, value]) => filter[key as keyof CallFilter] !== value,
  );
}

/** The subject of a call, such as a tool; without one, its method. */
export function toolOf({ subject, method }: Pick<CallView, 'subject' | 'method'>): string {
  return subject ?? method;
}

function isOutcome(state: CallState, outcome: Exclude<Outcome, 'any'>): boolean {
  if (outcome !== 'failed') return state === outcome;
  return state === 'error' || state === 'tool-error' || state === 'denied';
}

function haystackOf(call: CallView): string {
  const { id, method, subject, server, clientName, problem } = call;
  return [id, method, subject, server, clientName, problem].join('\n').toLowerCase();
}

export interface FilterChoices {
  readonly servers: readonly string[];
  readonly tools: readonly string[];
  readonly clients: readonly string[];
}

const MOST_CHOICES = 300;

/** The options of the filter for these calls; tools only of the selected server. */
export function choicesOf(calls: readonly LoggedCall[], server: string): FilterChoices {
  const servers = new Set<string>();
  const tools = new Set<string>();
  const clients = new Set<string>();
  for (const { call } of calls) {
    servers.add(call.server ?? GATEWAY);
    clients.add(call.clientName);
    if (server === '' || (call.server ?? GATEWAY) === server) tools.add(toolOf(call));
  }
  return { servers: sorted(servers), tools: sorted(tools), clients: sorted(clients) };
}

function sorted(names: ReadonlySet<string>): readonly string[] {
  return [...names].toSorted((a, b) => (a < b ? -1 : 1)).slice(0, MOST_CHOICES);
}
