// A gateway with a console, and the requests of pages and commands.

import { randomUUID } from 'node:crypto';
import type { Scope } from '@plugboard/base';
import type { ConsoleEvent, ConsoleState, Launch } from '../../src/console-api.ts';
import type { ConsoleOptions, Gateway } from '../../src/index.ts';
import { attackedGateway, type AttackedOptions } from '../attacks/attacked-gateway.ts';
import { openStream, type RawAnswer, type RawStream, send } from '../attacks/raw-http.ts';

export interface OpenConsole {
  readonly gateway: Gateway;
  /** The address of `/mcp`. */
  readonly url: string;
  /** The address of `/console`. */
  readonly at: string;
  /** A token of administrators. */
  readonly secret: string;
  readonly launch: () => string;
}

export const MARKED = { 'X-Plugboard-Console': '1', 'Content-Type': 'application/json' };

export async function openConsole(
  scope: Scope,
  {
    console: given,
    address,
    ...options
  }: AttackedOptions & { console?: Partial<ConsoleOptions> } = {},
): Promise<OpenConsole> {
  const secret = randomUUID();
  const shown = { secret, ...given };
  const { gateway, url, listening } = await attackedGateway(scope, {
    ...options,
    address: { ...address, console: shown },
  });
  const { console: open } = listening;
  if (open === undefined) throw new Error('there is no console');
  return { gateway, url, at: open.url.replace(/\/$/, ''), secret, launch: () => open.launch() };
}

export function bearer(token: string): Record<string, string> {
  return { Authorization: `Bearer ${token}` };
}

/** The headers of two clients. */
export const TOKENS: ReadonlyMap<string, string> = new Map([
  ['token-of-ada-lovelace', 'ada'],
  ['token-of-bob-kahn', 'bob'],
]);
export const ADA = bearer('token-of-ada-lovelace');
export const BOB = bearer('token-of-bob-kahn');

/** Exchanges the token of an address for a session, like the page. */
export function exchange(
  at: string,
  launched: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<RawAnswer> {
  const token = new URLSearchParams(new URL(launched).hash.slice(1)).get('token');
  const body = JSON.stringify({ token });
  return send(`${at}/session`, { headers: { ...MARKED, ...headers }, body });
}

/** The header of an admitted page. */
export async function cookieOf(at: string, launched: string): Promise<Record<string, string>> {
  const answer = await exchange(at, launched);
  const [cookie = ''] = answer.headers['set-cookie'] ?? [];
  return { Cookie: cookie.split(';')[0] ?? '' };
}

export async function stateOf(
  at: string,
  headers: Readonly<Record<string, string>>,
): Promise<ConsoleState> {
  const { status, text } = await send(`${at}/api/state`, { method: 'GET', headers });
  if (status !== 200) throw new Error(`${status} ${text}`);
  return JSON.parse(text) as ConsoleState;
}

export async function launchOf(at: string, headers: Record<string, string>): Promise<Launch> {
  const { text } = await send(`${at}/api/launch`, {
    headers: { ...MARKED, ...headers },
    body: '{}',
  });
  return JSON.parse(text) as Launch;
}

export function openFeed(
  at: string,
  headers: Readonly<Record<string, string>>,
  query = '',
): Promise<RawStream> {
  return openStream(`${at}/api/events${query}`, { method: 'GET', headers });
}

/** The steps of a feed, with their numbers. */
export function stepsIn(feed: RawStream): readonly { readonly id: number; event: ConsoleEvent }[] {
  return [...feed.text().matchAll(/^id: (\d+)\ndata: (.+)\n\n/gm)].map(([, id, data = '']) => ({
    id: Number(id),
    event: JSON.parse(data) as ConsoleEvent,
  }));
}
