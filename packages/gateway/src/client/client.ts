// A client of the gateway, and one request of it. In the legacy era a client has a session and can be asked at any time;
// in the modern era each request stands alone, and a question is an answer to it.

import type { JsonObject } from '@plugboard/base';
import type { CallSettings } from '@plugboard/host';
import type { Era, RelayReply } from '@plugboard/host/relay';

export interface Client {
  readonly era: Era;
  /** Whose token it came with. What is one principal's is never another's. */
  readonly principal: string;
  readonly clientInfo: JsonObject;
  /** What it declared that it can be asked. */
  readonly capabilities: JsonObject;
}

export type ScriptSettings = Pick<CallSettings, 'asker' | 'script' | 'whileAsked'>;

/** A request of a client while it is worked on. */
export interface Exchange {
  /** Of no other, in all of the gateway. */
  readonly id: string;
  readonly client: Client;
  /** Aborts when the client has cancelled the request or is gone. */
  readonly signal: AbortSignal;
  /** Of a call that a script of the client makes. */
  readonly inScript?: ScriptSettings;
  /** Tells the client something that belongs to this request. */
  notify(method: string, params: JsonObject): void;
  /** Asks the client something on behalf of a server or of the gateway. */
  ask(method: string, params: JsonObject, signal: AbortSignal): Promise<RelayReply>;
}

/** The capability that a client needs for a request of a server. */
const ASKED_WITH: ReadonlyMap<string, string> = new Map([
  ['elicitation/create', 'elicitation'],
  ['sampling/createMessage', 'sampling'],
  ['roots/list', 'roots'],
]);

/** Whether a client can be asked this. */
export function canBeAsked({ capabilities }: Client, method: string, params: JsonObject): boolean {
  const capability = ASKED_WITH.get(method);
  if (capability === undefined) return false;
  const declared = capabilities[capability] as JsonObject | undefined;
  if (declared === undefined || declared === null) return false;
  // A client that says nothing of modes takes forms.
  if (params['mode'] !== 'url') return true;
  return declared['url'] !== undefined;
}

/** Whether a server could ask it anything at all. */
export function isAskable({ capabilities }: Client): boolean {
  return [...ASKED_WITH.values()].some((name) => capabilities[name] !== undefined);
}
