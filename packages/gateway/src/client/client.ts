// A client of the gateway, and one of its requests. In the legacy era a client has a session and can receive requests at any
// time; in the modern era each request stands alone, and the gateway asks for input in the reply to it.

import { type CancelSignal, isObject, type Json, type JsonObject } from '@plugboard/base';
import type { CallSettings } from '@plugboard/host';
import {
  type Era,
  INBOUND_REQUESTS,
  neededCapability,
  type RelayReply,
} from '@plugboard/host/relay';
import { failed, INTERNAL_ERROR, textOr } from '../message/index.ts';
import type { CallRecord } from '../traffic/index.ts';
import type { Desk } from './desk.ts';

export interface Client {
  readonly era: Era;
  /** The principal of the token that it sent. Principals never see anything of each other. */
  readonly principal: string;
  /** Who owns what the client creates, such as tasks: its session, or its principal if it has no session. */
  readonly owner: string;
  readonly clientInfo: JsonObject;
  /** Those that the client declared, and elicitation if a person watches the desk. */
  readonly capabilities: JsonObject;
  /** Set while a person watches the desk. */
  readonly standIn?: StandIn;
}

interface StandIn {
  readonly desk: Desk;
  /** The capabilities that the client itself declared. */
  readonly declared: JsonObject;
}

export type ScriptSettings = Pick<CallSettings, 'asker' | 'script' | 'whileAsked'>;

/** A request of a modern client that continues once the client repeats it with an answer. */
export interface Parked {
  /** In the clock's elapsed time. */
  readonly since: number;
  giveUp(): void;
}

/** A request of a client while the gateway works on it. */
export interface Exchange {
  /** Unique in the gateway. */
  readonly id: string;
  readonly client: Client;
  /** The client's token for progress notifications; if the request was repeated, that of the last repetition. */
  readonly progressToken: Json | undefined;
  /** The level of the log messages that the client requested. */
  readonly logLevel?: string | undefined;
  /** Aborts when the client cancels the request or disconnects. */
  readonly signal: CancelSignal;
  /** Set while the request waits for the client to repeat it. */
  readonly parked?: Parked | undefined;
  /** Set for a call that a script of the client makes. */
  readonly inScript?: ScriptSettings;
  /** Set if the gateway records. */
  readonly record?: CallRecord | undefined;
  /** Sends the client a notification that belongs to this request. */
  notify(method: string, params: JsonObject): void;
  /** Sends the client a request of a server or of the gateway. */
  ask(method: string, params: JsonObject, signal: CancelSignal): Promise<RelayReply>;
}

/** The method that asks a person for input. */
export const QUESTION = INBOUND_REQUESTS.elicit.method;
const LONGEST_NAME = 100;

/** Questions of one call or session that may wait for an answer. */
export const MOST_QUESTIONS = 100;
export const TOO_MANY_QUESTIONS = failed(INTERNAL_ERROR, 'Too many questions wait for an answer');
/** The reply to a question that was withdrawn, or not answered in time. */
export const GIVEN_UP = failed(INTERNAL_ERROR, 'The request was given up');

/** Why a client cannot answer a request. */
export type Lack =
  /** It has not declared the capability. */
  | { readonly kind: 'capability'; readonly required: JsonObject }
  /** It has declared the capability, but not this mode. */
  | { readonly kind: 'mode'; readonly required: JsonObject }
  /** Its era does not define the request. */
  | { readonly kind: 'unknown' };

/** What the client lacks to answer this request; `undefined` if it lacks nothing. */
export function lackOf(
  { capabilities, era }: Client,
  method: string,
  params: JsonObject,
): Lack | undefined {
  const capability = neededCapability(method);
  // A legacy client refuses unknown methods itself.
  if (capability === undefined) return era === 'legacy' ? undefined : { kind: 'unknown' };
  const declared = capabilities[capability];
  if (!isObject(declared)) return { kind: 'capability', required: { [capability]: {} } };
  const mode = modeOf(capability, params);
  if (mode === undefined || declared[mode] !== undefined) return undefined;
  // A client that declares no mode supports forms.
  if (mode === 'form' && declared['url'] === undefined) return undefined;
  return { kind: 'mode', required: { [capability]: { [mode]: {} } } };
}

/** The same client; if a person watches the desk, the desk takes the questions that the client cannot show. */
export function withDesk(client: Client, desk: Desk): Client {
  if (!desk.isWatched(client.principal)) return client;
  const { capabilities: declared } = client;
  const capabilities = { ...declared, ...INBOUND_REQUESTS.elicit.capability };
  return { ...client, capabilities, standIn: { desk, declared } };
}

/** The desk for a question that the client cannot show itself. */
export function deskFor(client: Client, method: string, params: JsonObject): Desk | undefined {
  const { standIn } = client;
  if (standIn === undefined || method !== QUESTION) return undefined;
  const own = { ...client, capabilities: standIn.declared };
  return lackOf(own, method, params) === undefined ? undefined : standIn.desk;
}

/** The name by which the client identifies itself. */
export function clientName({ clientInfo }: Pick<Client, 'clientInfo'>): string {
  return textOr(clientInfo['name'], 'a client').slice(0, LONGEST_NAME);
}

/** The part of a capability that a request requires. */
function modeOf(capability: string, params: JsonObject): string | undefined {
  if (capability === 'elicitation') return params['mode'] === 'url' ? 'url' : 'form';
  const hasTools = params['tools'] !== undefined || params['toolChoice'] !== undefined;
  return capability === 'sampling' && hasTools ? 'tools' : undefined;
}
