// The record of one request of a client: its messages on both hops, the decision about it, and its result.

import { type Clock, isObject } from '@plugboard/base';
import { type CallOutcome, type Decision, toModelText } from '@plugboard/host';
import {
  type Era,
  type HookNote,
  type RelayObserver,
  type RelayResult,
  requestText,
} from '@plugboard/host/relay';
import type { CallDetail, CallState, CallView, DecisionView, HookView } from '../console-api.ts';
import { decisionView, sourceOf } from './decision-view.ts';
import { type MessagePlace, MessageRecord, type RecordedMessage } from './message-record.ts';

/** The client that sent a recorded request. */
export interface RecordedClient {
  readonly id: string;
  /** The name by which it identifies itself. */
  readonly name: string;
  readonly era: Era;
  readonly principal: string;
}

export interface BegunRequest {
  readonly client: RecordedClient;
  readonly id: string | number;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** Over HTTP: names and values in turn. */
  readonly headers?: readonly string[] | undefined;
  readonly replayOf?: string | undefined;
}

export interface ServerPlaces {
  readonly toServer: MessagePlace;
  readonly toClient: MessagePlace;
}

/** Receives the events of recorded calls. */
export interface CallListener {
  readonly clock: Clock;
  changed(call: CallRecord): void;
  kept(message: MessageRecord): void;
  /** The places of messages to and from a server; always the same objects, to save memory. */
  placesOf(server: string, era: Era): ServerPlaces;
  /** `ms` is `null` if the request failed. */
  served(server: string, ms: number | null): void;
}

const FROM_CLIENT: Readonly<Record<Era, MessagePlace>> = {
  legacy: { hop: 'client', direction: 'to-server', era: 'legacy' },
  modern: { hop: 'client', direction: 'to-server', era: 'modern' },
};
const TO_CLIENT: Readonly<Record<Era, MessagePlace>> = {
  legacy: { hop: 'client', direction: 'to-client', era: 'legacy' },
  modern: { hop: 'client', direction: 'to-client', era: 'modern' },
};

/** Per call: a call may report progress without end. */
const MOST_MESSAGES = 1000;
const LONGEST_PROBLEM = 500;
const LONGEST_NAME = 200;

export class CallRecord {
  readonly number: number;
  readonly client: RecordedClient;
  readonly listener: CallListener;
  readonly #method: string;
  readonly #replayOf: string | undefined;
  readonly #at: number;
  readonly #started: number;
  readonly #trace: MessageRecord[] = [];
  #hooks: readonly HookView[] = [];
  #ms: number | undefined;
  #subject: string | undefined;
  #server: string | undefined;
  #serverEra: Era | undefined;
  #state: CallState = 'running';
  #problem: string | undefined;
  #bytes = 0;
  #messages = 0;
  #attempts = 0;
  #decision: Decision | undefined;
  #answer: DecisionView['answer'];
  /** The memory that its messages take. */
  weight = 0;
  /** Dropped to make room: its further messages are not kept. */
  isDropped = false;

  constructor(number: number, request: BegunRequest, listener: CallListener) {
    const { id, method, params, headers, replayOf } = request;
    this.number = number;
    this.client = request.client;
    this.listener = listener;
    this.#method = method.slice(0, LONGEST_NAME);
    this.#replayOf = replayOf;
    this.#at = listener.clock.now();
    this.#started = listener.clock.elapsed();
    this.#subject = subjectOf(params);
    this.fromClient({ id, method, params }, headers);
  }

  get id(): string {
    return String(this.number);
  }

  get state(): CallState {
    return this.#state;
  }

  /** How many messages are kept. */
  get kept(): number {
    return this.#trace.length;
  }

  fromClient(message: RecordedMessage, headers?: readonly string[]): void {
    this.note(message, FROM_CLIENT[this.client.era], headers);
  }

  toClient(message: RecordedMessage): void {
    this.note(message, TO_CLIENT[this.client.era]);
  }

  /** Records that the request is sent to a server. `subject` is the server's own name. */
  sentTo(server: string, subject: unknown): ServerHop {
    this.#server = server;
    if (typeof subject === 'string') this.#subject = subject.slice(0, LONGEST_NAME);
    this.listener.changed(this);
    return new ServerHop(this, server);
  }

  /** Records a call of a script, which does not determine the server of the request itself. */
  sentToInScript(server: string): ServerHop {
    return new ServerHop(this, server);
  }

  /** Records a message that a server sends during the request, which only legacy servers do. */
  received(server: string, message: RecordedMessage, kind?: 'request'): void {
    const place = { hop: 'server', direction: 'to-client', era: 'legacy', server } as const;
    this.note(message, kind === undefined ? place : { ...place, kind });
  }

  /** Records the reply to a request of a server. */
  replied(server: string, message: RecordedMessage): void {
    this.note(message, { hop: 'server', direction: 'to-server', era: 'legacy', server });
  }

  /** Records the final reply. */
  end(reply: RecordedMessage): void {
    this.toClient(reply);
    if (this.#ms !== undefined) return;
    if (this.#state === 'running') this.settle(stateOf(reply), problemOf(reply));
    this.#close();
  }

  /** Ends the record without a reply. */
  abandon(): void {
    if (this.#ms !== undefined) return;
    this.settle('cancelled', undefined);
    this.#close();
  }

  #close(): void {
    this.#ms = this.listener.clock.elapsed() - this.#started;
    this.listener.changed(this);
  }

  note(message: RecordedMessage, place: MessagePlace, headers?: readonly string[]): void {
    if (this.isDropped) return;
    const after = this.listener.clock.elapsed() - this.#started;
    const record = new MessageRecord(message, place, { after, headers });
    this.#bytes += record.bytes;
    this.#messages += 1;
    if (this.#trace.length >= MOST_MESSAGES) return;
    this.#trace.push(record);
    this.weight += record.weight;
    this.listener.kept(record);
  }

  sent(era: Era): void {
    this.#serverEra = era;
    this.#attempts += 1;
  }

  settle(state: CallState, problem: string | undefined): void {
    this.#state = state;
    this.#problem = problem?.slice(0, LONGEST_PROBLEM);
  }

  decided(decision: Decision): void {
    this.#decision = decision;
    this.#answer = undefined;
  }

  approved(answer: DecisionView['answer']): void {
    // The host sees a missing answer as a denial; the record keeps the difference.
    const isKnown = answer === 'denied' && this.#answer === 'unanswered';
    if (!isKnown) this.#answer = answer;
  }

  hook(hook: HookView): void {
    this.#hooks = [...this.#hooks, hook].slice(0, MOST_MESSAGES);
  }

  view(): CallView {
    const { id: client, name: clientName, era: clientEra } = this.client;
    return {
      id: this.id,
      at: this.#at,
      ms: this.#ms,
      client,
      clientName,
      clientEra,
      method: this.#method,
      subject: this.#subject,
      server: this.#server,
      serverEra: this.#serverEra,
      state: this.#ms === undefined ? 'running' : this.#state,
      problem: this.#problem,
      bytes: this.#bytes,
      messages: this.#messages,
      replayOf: this.#replayOf,
    };
  }

  /** Whether one of its messages contains a text in lower case, as the messages are shown: a search reveals no secret. */
  has(lowerCase: string): boolean {
    return this.#trace.some(
      (message) =>
        message.mayHave(lowerCase) && message.view(this.#at).body.toLowerCase().includes(lowerCase),
    );
  }

  detail(): CallDetail {
    return {
      ...this.view(),
      decision: this.#decision && decisionView(this.#decision, this.#answer),
      hooks: this.#hooks,
      attempts: this.#attempts,
      trace: this.#trace.map((message) => message.view(this.#at)),
    };
  }
}

/** The hop of a call to one server and back. */
export class ServerHop implements RelayObserver {
  readonly #call: CallRecord;
  readonly #server: string;
  /** When the request was first sent to the server, after any approval. */
  #started: number | undefined;

  constructor(call: CallRecord, server: string) {
    this.#call = call;
    this.#server = server;
  }

  message(direction: 'sent' | 'received', message: RecordedMessage, era: Era): void {
    const isSent = direction === 'sent';
    if (isSent && message.id !== undefined && message.method !== undefined) {
      this.#started ??= this.#call.listener.clock.elapsed();
      this.#call.sent(era);
    }
    const places = this.#call.listener.placesOf(this.#server, era);
    this.#call.note(message, isSent ? places.toServer : places.toClient);
  }

  decided(decision: Decision): void {
    this.#call.decided(decision);
  }

  approved(by: 'person' | 'earlier-approval', answer: 'allow' | 'deny'): void {
    const words = answer === 'deny' ? 'denied' : 'allowed';
    this.#call.approved(by === 'person' ? words : 'allowed-before');
  }

  hook({ event, origin, ms, outcome }: HookNote): void {
    this.#call.hook({ name: sourceOf(origin), event, ms, outcome });
  }

  /** Records the result of the server. */
  ended(answered: RelayResult, method: string): void {
    const { clock } = this.#call.listener;
    const [state, problem] = answered.ok
      ? [isToolError(answered.value) ? ('tool-error' as const) : ('ok' as const), undefined]
      : [stateAfter(answered.error), failureWords(answered.error, method)];
    this.#call.settle(state, problem);
    // A denied call never reached the server.
    if (state === 'denied') return;
    const isServed = state === 'ok' || state === 'tool-error';
    const now = clock.elapsed();
    this.#call.listener.served(this.#server, isServed ? now - (this.#started ?? now) : null);
  }
}

function subjectOf({ name, uri }: BegunRequest['params']): string | undefined {
  const subject = name ?? uri;
  return typeof subject === 'string' ? subject.slice(0, LONGEST_NAME) : undefined;
}

function stateAfter({ kind }: CallOutcome): CallState {
  if (kind === 'denied' || kind === 'quarantined') return 'denied';
  return kind === 'cancelled' ? 'cancelled' : 'error';
}

function failureWords(outcome: CallOutcome, method: string): string {
  return method === 'tools/call'
    ? toModelText(outcome)
    : requestText(outcome, method.slice(0, 100));
}

function stateOf({ error, result }: RecordedMessage): CallState {
  if (error !== undefined) return 'error';
  return isToolError(result) ? 'tool-error' : 'ok';
}

function problemOf({ error }: RecordedMessage): string | undefined {
  return isObject(error) && typeof error['message'] === 'string' ? error['message'] : undefined;
}

function isToolError(result: unknown): boolean {
  return isObject(result) && result['isError'] === true;
}
