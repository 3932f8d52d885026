// Calls of modern clients during which a legacy server asks for input. The gateway replies that input is required and keeps
// the call open; the client's repeated request continues it.

import { randomUUID } from 'node:crypto';
import {
  BriefMap,
  type CancelSignal,
  type Clock,
  isObject,
  type Json,
  type JsonObject,
  RequestSignal,
} from '@plugboard/base';
import type { RelayReply } from '@plugboard/host/relay';
import {
  failed,
  INVALID_PARAMS,
  LOG_LEVEL,
  metaOf,
  type RequestId,
  type RpcReply,
  textOr,
} from '../message/index.ts';
import type { CallRecord, RecordedClient, Recorder } from '../traffic/index.ts';
import {
  type Client,
  type Exchange,
  GIVEN_UP,
  MOST_QUESTIONS,
  type Parked,
  TOO_MANY_QUESTIONS,
} from './client.ts';
import type { Seal, SealSubject } from './sealed-state.ts';

/** A call is given up after this time if its client does not repeat the request. */
const PARKED_MS = 10 * 60_000;
/** Calls of one principal that may wait for input at a time. */
const MOST_PARKED = 200;

export interface ModernRequest extends SealSubject {
  readonly id: RequestId;
  /** Over HTTP: names and values in turn. */
  readonly headers?: readonly string[] | undefined;
  readonly client: Client;
  readonly known: RecordedClient;
  readonly recorder: Pick<Recorder, 'begin'> | undefined;
  /** The endpoint that received it. */
  readonly at: object;
  readonly signal: CancelSignal;
  readonly notify: (method: string, params: JsonObject) => void;
}

/** How a request, or a repetition of it, ends. */
type LegEnd = RpcReply | 'input-required' | 'repeated';

type Work = (exchange: Exchange) => Promise<RpcReply>;

interface PendingQuestion {
  readonly method: string;
  readonly params: JsonObject;
  readonly answer: (reply: RelayReply) => void;
}

export class ModernCalls implements Disposable {
  readonly #seal: Seal;
  readonly #clock: Clock;
  readonly #onPark: () => void;
  readonly #calls = new BriefMap<string, OpenCall>();
  /** By principal. */
  readonly #parked = new Map<string, Set<OpenCall>>();

  /** Calls `onPark` when a call begins to wait for its client. */
  constructor(seal: Seal, clock: Clock, onPark: () => void) {
    this.#seal = seal;
    this.#clock = clock;
    this.#onPark = onPark;
  }

  get size(): number {
    return this.#calls.size;
  }

  /** Handles a request, or continues the call that it repeats. */
  run(request: ModernRequest, work: Work): Promise<RpcReply> {
    const { requestState } = request.params;
    const state = requestState === undefined ? undefined : this.#seal.open(requestState, request);
    const known = isObject(state) && typeof state['call'] === 'string' ? state['call'] : undefined;
    if (known !== undefined) return this.#continue(known, request);
    const call = new OpenCall(request);
    call.record = request.recorder?.begin({ ...request, client: request.known });
    this.#calls.set(call.id, call);
    const leg = call.leg(request);
    call.start(work);
    return this.#settle(call, request, leg);
  }

  async #continue(id: string, request: ModernRequest): Promise<RpcReply> {
    const call = this.#calls.get(id);
    if (call?.principal !== request.principal || call.at !== request.at) {
      return failed(
        INVALID_PARAMS,
        'The call that asked for this input is over, or the gateway was restarted. It may have had its effect. Begin again without "requestState".',
      );
    }
    this.#unpark(call);
    const { id: rpcId, method, params } = request;
    call.record?.fromClient({ id: rpcId, method, params }, request.headers);
    const leg = call.leg(request);
    const { inputResponses } = request.params;
    call.answer(isObject(inputResponses) ? inputResponses : {});
    return this.#settle(call, request, leg);
  }

  /** Replies when the call ends or requires input. */
  async #settle(call: OpenCall, request: ModernRequest, leg: Promise<LegEnd>): Promise<RpcReply> {
    const end = await leg;
    const { record } = call;
    if (end === 'repeated') return failed(INVALID_PARAMS, 'The request was repeated meanwhile');
    if (end !== 'input-required') {
      this.#calls.take(call.id);
      record?.end({ id: request.id, ...end });
      return end;
    }
    if (!this.#park(call)) {
      this.#drop(call);
      return failed(INVALID_PARAMS, 'Too many requests of this client wait for its input');
    }
    const reply = {
      result: {
        resultType: 'input_required',
        inputRequests: call.inputRequests(),
        requestState: this.#seal.close({ call: call.id }, request),
      },
    };
    record?.toClient({ id: request.id, ...reply });
    return reply;
  }

  #park(call: OpenCall): boolean {
    const parked = this.#parked.get(call.principal) ?? new Set();
    if (parked.size >= MOST_PARKED) return false;
    this.#parked.set(call.principal, parked.add(call));
    const giveUp = (): void => this.#drop(call);
    const limit = this.#clock.after(PARKED_MS, giveUp);
    call.park({ since: this.#clock.elapsed(), giveUp }, limit);
    this.#onPark();
    return true;
  }

  #unpark(call: OpenCall): void {
    const parked = this.#parked.get(call.principal);
    parked?.delete(call);
    if (parked?.size === 0) this.#parked.delete(call.principal);
  }

  #drop(call: OpenCall): void {
    this.#calls.take(call.id);
    this.#unpark(call);
    call.abort();
    call.record?.abandon();
  }

  [Symbol.dispose](): void {
    for (const call of this.#calls.values()) this.#drop(call);
  }
}

/** A call, as the exchange that its server works on. */
class OpenCall implements Exchange {
  readonly id = randomUUID();
  readonly client: Client;
  readonly principal: string;
  readonly at: object;
  readonly logLevel: string | undefined;
  readonly signal = new RequestSignal();
  record: CallRecord | undefined;
  readonly #questions = new Map<string, PendingQuestion>();
  #count = 0;
  #current: ModernRequest | undefined;
  #resolveLeg: ((end: LegEnd) => void) | undefined;
  #reply: RpcReply | undefined;
  #parked: Parked | undefined;
  #limit: Disposable | undefined;
  #isInputDue = false;

  constructor({ client, principal, at, params }: ModernRequest) {
    this.client = client;
    this.principal = principal;
    this.at = at;
    const level = metaOf(params)[LOG_LEVEL];
    this.logLevel = typeof level === 'string' ? level : undefined;
  }

  get progressToken(): Json | undefined {
    return metaOf(this.#current?.params ?? {})['progressToken'];
  }

  get parked(): Parked | undefined {
    return this.#parked;
  }

  start(work: Work): void {
    void work(this).then((reply) => {
      this.#reply = reply;
      this.#endLeg(reply);
    });
  }

  notify(method: string, params: JsonObject): void {
    this.record?.toClient({ method, params });
    this.#current?.notify(method, params);
  }

  /** Adds the request or a repetition of it; only the last one gets the result of the call. */
  leg(request: ModernRequest): Promise<LegEnd> {
    this.#endLeg('repeated');
    this.#unpark();
    this.#current = request;
    const { signal } = request;
    const onAbort = (): void => {
      if (this.#current === request) this.signal.abort();
    };
    signal.addEventListener('abort', onAbort, { once: true });
    return new Promise<LegEnd>((resolve) => {
      this.#resolveLeg = resolve;
      if (this.#reply !== undefined) this.#endLeg(this.#reply);
    }).finally(() => signal.removeEventListener('abort', onAbort));
  }

  park(parked: Parked, limit: Disposable): void {
    this.#current = undefined;
    this.#parked = parked;
    this.#limit = limit;
  }

  abort(): void {
    this.#unpark();
    this.signal.abort();
  }

  #unpark(): void {
    this.#limit?.[Symbol.dispose]();
    this.#limit = undefined;
    this.#parked = undefined;
  }

  inputRequests(): JsonObject {
    return Object.fromEntries(
      [...this.#questions].map(([key, { method, params }]) => [key, { method, params }]),
    );
  }

  /** Passes the client's responses to the server. Questions without a response stay open. */
  answer(responses: JsonObject): void {
    for (const [key, response] of Object.entries(responses)) {
      const question = this.#questions.get(key);
      if (question === undefined || !isObject(response)) continue;
      this.#questions.delete(key);
      question.answer(readResponse(response));
    }
    if (this.#questions.size > 0) this.#requireInputSoon();
  }

  ask(method: string, params: JsonObject, signal: CancelSignal): Promise<RelayReply> {
    const key = `ask-${(this.#count += 1)}`;
    if (signal.aborted || this.signal.aborted) return Promise.resolve(GIVEN_UP);
    if (this.#questions.size >= MOST_QUESTIONS) return Promise.resolve(TOO_MANY_QUESTIONS);
    return new Promise((resolve) => {
      const giveUp = (): void => {
        this.#questions.delete(key);
        resolve(GIVEN_UP);
      };
      signal.addEventListener('abort', giveUp, { once: true });
      this.signal.addEventListener('abort', giveUp);
      this.#questions.set(key, {
        method,
        params,
        answer: (reply) => {
          signal.removeEventListener('abort', giveUp);
          this.signal.removeEventListener('abort', giveUp);
          resolve(reply);
        },
      });
      this.#requireInputSoon();
    });
  }

  /** In a microtask, so that questions asked at the same time go out together. */
  #requireInputSoon(): void {
    if (this.#isInputDue) return;
    this.#isInputDue = true;
    void Promise.resolve().then(() => {
      this.#isInputDue = false;
      if (this.#questions.size > 0) this.#endLeg('input-required');
    });
  }

  #endLeg(end: LegEnd): void {
    const resolve = this.#resolveLeg;
    this.#resolveLeg = undefined;
    resolve?.(end);
  }
}

/** Reads a response: a result, or an error of the client. */
function readResponse(response: JsonObject): RelayReply {
  const { error } = response as { readonly error?: Json };
  if (isObject(error) && typeof error['code'] === 'number') {
    return { error: { code: error['code'], message: textOr(error['message']) } };
  }
  return { result: response };
}
