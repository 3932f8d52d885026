// Calls of modern clients during which a legacy server asked something. The client is told that input is required, the
// call stays open, and the client's repeated request finds it again.

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
import type { Client, Exchange, Parked } from './client.ts';
import type { Seal, SealSubject } from './sealed-state.ts';

/** A client that never comes back with an answer leaves nothing behind after this. */
const PARKED_MS = 10 * 60_000;
/** Calls of one principal that wait for its input at a time. */
const MOST_PARKED = 200;
/** Questions of one call that wait for an answer. */
const MOST_ASKED = 100;

export interface ModernRequest extends SealSubject {
  readonly id: RequestId;
  /** Of HTTP: names and values in turn. */
  readonly headers?: readonly string[] | undefined;
  readonly client: Client;
  readonly known: RecordedClient;
  readonly recorder: Pick<Recorder, 'begin'> | undefined;
  /** The address that it came to. */
  readonly at: object;
  readonly signal: CancelSignal;
  readonly notify: (method: string, params: JsonObject) => void;
}

/** What a request or a repetition of it comes to. */
type Came = RpcReply | 'asked' | 'repeated';

const GIVEN_UP: RelayReply = { error: { code: -32_603, message: 'The request was given up' } };

type Work = (exchange: Exchange) => Promise<RpcReply>;

interface Ask {
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

  /** `onPark` is called when a call begins to wait for its client. */
  constructor(seal: Seal, clock: Clock, onPark: () => void) {
    this.#seal = seal;
    this.#clock = clock;
    this.#onPark = onPark;
  }

  get size(): number {
    return this.#calls.size;
  }

  /** Works on a request, or goes on with the one that it repeats. */
  run(request: ModernRequest, work: Work): Promise<RpcReply> {
    const { requestState } = request.params;
    const state = requestState === undefined ? undefined : this.#seal.open(requestState, request);
    const known = isObject(state) && typeof state['call'] === 'string' ? state['call'] : undefined;
    if (known !== undefined) return this.#goOn(known, request);
    const call = new OpenCall(request);
    call.record = request.recorder?.begin({ ...request, client: request.known });
    this.#calls.set(call.id, call);
    const leg = call.leg(request);
    call.start(work);
    return this.#settle(call, request, leg);
  }

  async #goOn(id: string, request: ModernRequest): Promise<RpcReply> {
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

  /** Until the call is over or asks for something. */
  async #settle(call: OpenCall, request: ModernRequest, leg: Promise<Came>): Promise<RpcReply> {
    const came = await leg;
    const { record } = call;
    if (came === 'repeated') return failed(INVALID_PARAMS, 'The request was repeated meanwhile');
    if (came !== 'asked') {
      this.#calls.take(call.id);
      record?.end({ id: request.id, ...came });
      return came;
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

/** A call, and what its server has of the client. */
class OpenCall implements Exchange {
  readonly id = randomUUID();
  readonly client: Client;
  readonly principal: string;
  readonly at: object;
  readonly logLevel: string | undefined;
  readonly signal = new RequestSignal();
  record: CallRecord | undefined;
  readonly #asks = new Map<string, Ask>();
  #count = 0;
  #current: ModernRequest | undefined;
  #say: ((came: Came) => void) | undefined;
  #came: RpcReply | undefined;
  #parked: Parked | undefined;
  #limit: Disposable | undefined;
  #isTelling = false;

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
      this.#came = reply;
      this.#tell(reply);
    });
  }

  notify(method: string, params: JsonObject): void {
    this.record?.toClient({ method, params });
    this.#current?.notify(method, params);
  }

  /** The request or a repetition of it: what comes of the call is the answer to the last one. */
  leg(request: ModernRequest): Promise<Came> {
    this.#tell('repeated');
    this.#unpark();
    this.#current = request;
    const { signal } = request;
    const onAbort = (): void => {
      if (this.#current === request) this.signal.abort();
    };
    signal.addEventListener('abort', onAbort, { once: true });
    return new Promise<Came>((resolve) => {
      this.#say = resolve;
      if (this.#came !== undefined) this.#tell(this.#came);
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
      [...this.#asks].map(([key, { method, params }]) => [key, { method, params }]),
    );
  }

  /** What the client says to what it was asked. What it does not answer stays asked. */
  answer(responses: JsonObject): void {
    for (const [key, response] of Object.entries(responses)) {
      const ask = this.#asks.get(key);
      if (ask === undefined || !isObject(response)) continue;
      this.#asks.delete(key);
      ask.answer(replyIn(response));
    }
    if (this.#asks.size > 0) this.#tellSoon();
  }

  ask(method: string, params: JsonObject, signal: CancelSignal): Promise<RelayReply> {
    const key = `ask-${(this.#count += 1)}`;
    if (signal.aborted || this.signal.aborted) return Promise.resolve(GIVEN_UP);
    if (this.#asks.size >= MOST_ASKED) {
      const message = 'Too many questions wait for an answer';
      return Promise.resolve({ error: { code: -32_603, message } });
    }
    return new Promise((resolve) => {
      const gone = (): void => {
        this.#asks.delete(key);
        resolve(GIVEN_UP);
      };
      signal.addEventListener('abort', gone, { once: true });
      this.signal.addEventListener('abort', gone);
      this.#asks.set(key, {
        method,
        params,
        answer: (reply) => {
          signal.removeEventListener('abort', gone);
          this.signal.removeEventListener('abort', gone);
          resolve(reply);
        },
      });
      this.#tellSoon();
    });
  }

  /** After what else the server asks at the same time. */
  #tellSoon(): void {
    if (this.#isTelling) return;
    this.#isTelling = true;
    void Promise.resolve().then(() => {
      this.#isTelling = false;
      if (this.#asks.size > 0) this.#tell('asked');
    });
  }

  #tell(came: Came): void {
    const say = this.#say;
    this.#say = undefined;
    say?.(came);
  }
}

/** A response is a result, or an error of the client in its place. */
function replyIn(response: JsonObject): RelayReply {
  const { error } = response as { readonly error?: Json };
  if (isObject(error) && typeof error['code'] === 'number') {
    return { error: { code: error['code'], message: textOr(error['message']) } };
  }
  return { result: response };
}
