// A client of the gateway, and one request of it. In the legacy era a client has a session and can be asked at any time;
// in the modern era each request stands alone, and a question is an answer to it.

import { type CancelSignal, isObject, type Json, type JsonObject } from '@plugboard/base';
import type { CallSettings } from '@plugboard/host';
import {
  type Era,
  INBOUND_REQUESTS,
  neededCapability,
  type RelayReply,
} from '@plugboard/host/relay';
import { textOr } from '../message/index.ts';
import type { CallRecord } from '../traffic/index.ts';
import type { Desk } from './desk.ts';

export interface Client {
  readonly era: Era;
  /** The principal of the token that it came with. Nothing of one principal is visible to another. */
  readonly principal: string;
  /** What it makes, such as tasks, is its own under this name: a session, or a principal without one. */
  readonly owner: string;
  readonly clientInfo: JsonObject;
  /** What it can be asked: what it declared, and questions where a person watches in its place. */
  readonly capabilities: JsonObject;
  /** Where a person watches. */
  readonly standIn?: StandIn;
}

interface StandIn {
  readonly desk: Desk;
  /** What the client declared itself. */
  readonly declared: JsonObject;
}

export type ScriptSettings = Pick<CallSettings, 'asker' | 'script' | 'whileAsked'>;

/** A request of a modern client that goes on once the client comes back with an answer. */
export interface Parked {
  /** In the clock's elapsed time. */
  readonly since: number;
  giveUp(): void;
}

/** A request of a client while it is worked on. */
export interface Exchange {
  /** Of no other, in all of the gateway. */
  readonly id: string;
  readonly client: Client;
  /** The client's token for progress notifications; of a repeated request, that of the last repetition. */
  readonly progressToken: Json | undefined;
  /** The log that it wants with this request. */
  readonly logLevel?: string | undefined;
  /** Aborts when the client has cancelled the request or is gone. */
  readonly signal: CancelSignal;
  /** While it waits for the client to come back. */
  readonly parked?: Parked | undefined;
  /** Of a call that a script of the client makes. */
  readonly inScript?: ScriptSettings;
  /** Where the gateway records. */
  readonly record?: CallRecord | undefined;
  /** Tells the client something that belongs to this request. */
  notify(method: string, params: JsonObject): void;
  /** Asks the client something on behalf of a server or of the gateway. */
  ask(method: string, params: JsonObject, signal: CancelSignal): Promise<RelayReply>;
}

/** The request that asks a person something. */
export const QUESTION = INBOUND_REQUESTS.elicit.method;
const LONGEST_NAME = 100;

/** Why a client cannot be asked something. */
type Lack =
  /** It has not declared that it can. */
  | { readonly kind: 'capability'; readonly required: JsonObject }
  /** It can, but not in this way. */
  | { readonly kind: 'mode'; readonly required: JsonObject }
  /** There is no such request in its era. */
  | { readonly kind: 'unknown' };

/** What a client lacks to be asked this; `undefined` if it can be. */
export function lackOf(
  { capabilities, era }: Client,
  method: string,
  params: JsonObject,
): Lack | undefined {
  const capability = neededCapability(method);
  // A legacy client answers for itself what it does not know.
  if (capability === undefined) return era === 'legacy' ? undefined : { kind: 'unknown' };
  const declared = capabilities[capability];
  if (!isObject(declared)) return { kind: 'capability', required: { [capability]: {} } };
  const mode = modeOf(capability, params);
  if (mode === undefined || declared[mode] !== undefined) return undefined;
  // A client that names no mode takes forms.
  if (mode === 'form' && declared['url'] === undefined) return undefined;
  return { kind: 'mode', required: { [capability]: { [mode]: {} } } };
}

/** The same client, with questions that it cannot show for the person who watches, if one does. */
export function withDesk(client: Client, desk: Desk): Client {
  if (!desk.isWatched(client.principal)) return client;
  const { capabilities: declared } = client;
  const capabilities = { ...declared, ...INBOUND_REQUESTS.elicit.capability };
  return { ...client, capabilities, standIn: { desk, declared } };
}

/** Where a question is asked that the client cannot show itself. */
export function deskFor(client: Client, method: string, params: JsonObject): Desk | undefined {
  const { standIn } = client;
  if (standIn === undefined || method !== QUESTION) return undefined;
  const own = { ...client, capabilities: standIn.declared };
  return lackOf(own, method, params) === undefined ? undefined : standIn.desk;
}

/** As it calls itself. */
export function clientName({ clientInfo }: Pick<Client, 'clientInfo'>): string {
  return textOr(clientInfo['name'], 'a client').slice(0, LONGEST_NAME);
}

/** The part of a capability that a request needs. */
function modeOf(capability: string, params: JsonObject): string | undefined {
  if (capability === 'elicitation') return params['mode'] === 'url' ? 'url' : 'form';
  const hasTools = params['tools'] !== undefined || params['toolChoice'] !== undefined;
  return capability === 'sampling' && hasTools ? 'tools' : undefined;
}
