// One request of a client while it is recorded: its messages on both hops, what was decided about it, and what it came
// to.

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

/** The client that a request is of. */
export interface RecordedClient {
  readonly id: string;
  /** As it calls itself. */
  readonly name: string;
  readonly era: Era;
  /** The principal that it belongs to. */
  readonly principal: string;
}

export interface BegunRequest {
  readonly client: RecordedClient;
  readonly id: string | number;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** Of HTTP: names and values in turn. */
  readonly headers?: readonly string[] | undefined;
  readonly replayOf?: string | undefined;
}

export interface ServerPlaces {
  readonly toServer: MessagePlace;
  readonly toClient: MessagePlace;
}

/** Is notified of what happens to calls. */
export interface CallListener {
  readonly clock: Clock;
  changed(call: CallRecord): void;
  kept(message: MessageRecord): void;
  /** The places of messages to and from a server: the same values each time. */
  placesOf(server: string, era: Era): ServerPlaces;
  /** `ms` is `null` where it failed. */
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

/** Of one call, such as one that tells its progress without end. */
const MOST_MESSAGES = 1000;
const LONGEST_WORDS = 500;
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
  /** What keeping its messages takes. */
  weight = 0;
  /** It made room for others: what still comes is not kept. */
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

  /** It is passed on. `subject` is by the server's own name. */
  passedOn(server: string, subject: unknown): ServerHop {
    this.#server = server;
    if (typeof subject === 'string') this.#subject = subject.slice(0, LONGEST_NAME);
    this.listener.changed(this);
    return new ServerHop(this, server);
  }

  /** One of the calls of a script: which server it is for says nothing of the request itself. */
  passedOnInScript(server: string): ServerHop {
    return new ServerHop(this, server);
  }

  /** A server said or asked something in the course of it, which only legacy servers do. */
  heard(server: string, message: RecordedMessage, kind?: 'request'): void {
    const place = { hop: 'server', direction: 'to-client', era: 'legacy', server } as const;
    this.note(message, kind === undefined ? place : { ...place, kind });
  }

  /** A server was answered. */
  told(server: string, message: RecordedMessage): void {
    this.note(message, { hop: 'server', direction: 'to-server', era: 'legacy', server });
  }

  /** The client was given an answer, and gets no other. */
  end(reply: RecordedMessage): void {
    this.toClient(reply);
    if (this.#ms !== undefined) return;
    if (this.#state === 'running') this.settle(stateOf(reply), problemOf(reply));
    this.#close();
  }

  /** It ends without an answer that the client would get. */
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
    this.#problem = problem?.slice(0, LONGEST_WORDS);
  }

  decided(decision: Decision): void {
    this.#decision = decision;
    this.#answer = undefined;
  }

  approved(answer: DecisionView['answer']): void {
    // That no person answered is a no to the host, and more than that here.
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

  /** Whether a text, in lower case, is in one of its messages as they are shown: no secret is found out by it. */
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

/** The way of a call to one server and back. */
export class ServerHop implements RelayObserver {
  readonly #call: CallRecord;
  readonly #server: string;
  /** When it was first sent there. Before that, a person may have been asked. */
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

  /** What the request came to, at this server. */
  came(answered: RelayResult, method: string): void {
    const { clock } = this.#call.listener;
    const [state, problem] = answered.ok
      ? [isToolError(answered.value) ? ('tool-error' as const) : ('ok' as const), undefined]
      : [stateAfter(answered.error), wordsFor(answered.error, method)];
    this.#call.settle(state, problem);
    // What was denied never came to the server, and says nothing about it.
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

function wordsFor(outcome: CallOutcome, method: string): string {
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
