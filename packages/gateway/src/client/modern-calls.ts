// Requests of modern clients whose answer waits for the client itself: a legacy server asked something in the middle of a
// call. The client is answered that input is required, the call stays open, and the client's repetition of the request
// finds it again.

import { randomUUID } from 'node:crypto';
import { type Clock, isObject, type Json, type JsonObject } from '@plugboard/base';
import type { RelayReply } from '@plugboard/host/relay';
import {
  failed,
  INVALID_PARAMS,
  LOG_LEVEL,
  metaOf,
  type RpcReply,
  textOr,
} from '../message/index.ts';
import type { Client, Exchange } from './client.ts';
import type { Seal, SealSubject } from './sealed-state.ts';

/** A client that never comes back with an answer leaves nothing behind after this. */
const PARKED_MS = 10 * 60_000;
/** Calls of one principal that wait for its input at a time. */
const MOST_PARKED = 200;
/** Questions of one call that wait for an answer. */
const MOST_ASKED = 100;

export interface ModernRequest extends SealSubject {
  readonly client: Client;
  /** The address that it came to. */
  readonly at: object;
  readonly signal: AbortSignal;
  readonly notify: (method: string, params: JsonObject) => void;
}

/** What a request or a repetition of it comes to. */
type Came = RpcReply | 'asked' | 'repeated';

type Work = (exchange: Exchange) => Promise<RpcReply>;

interface Ask {
  readonly method: string;
  readonly params: JsonObject;
  readonly answer: (reply: RelayReply) => void;
}

export class ModernCalls implements Disposable {
  readonly #seal: Seal;
  readonly #clock: Clock;
  readonly #calls = new Map<string, OpenCall>();
  /** By principal. */
  readonly #parked = new Map<string, Set<OpenCall>>();

  constructor(seal: Seal, clock: Clock) {
    this.#seal = seal;
    this.#clock = clock;
  }

  get size(): number {
    return this.#calls.size;
  }

  /** Works on a request, or goes on with the one that it repeats. */
  async run(request: ModernRequest, work: Work): Promise<RpcReply> {
    const { requestState } = request.params;
    const state = requestState === undefined ? undefined : this.#seal.open(requestState, request);
    const known = isObject(state) && typeof state['call'] === 'string' ? state['call'] : undefined;
    if (known !== undefined) return this.#goOn(known, request);
    const call = new OpenCall(request, randomUUID());
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
    const leg = call.leg(request);
    const { inputResponses } = request.params;
    call.answer(isObject(inputResponses) ? inputResponses : {});
    return this.#settle(call, request, leg);
  }

  /** Until the call is over or asks for something. */
  async #settle(call: OpenCall, request: ModernRequest, leg: Promise<Came>): Promise<RpcReply> {
    const came = await leg;
    if (came === 'repeated') return failed(INVALID_PARAMS, 'The request was repeated meanwhile');
    if (came !== 'asked') {
      this.#calls.delete(call.id);
      return came;
    }
    if (!this.#park(call)) {
      this.#drop(call);
      return failed(INVALID_PARAMS, 'Too many requests of this client wait for its input');
    }
    return {
      result: {
        resultType: 'input_required',
        inputRequests: call.inputRequests(),
        requestState: this.#seal.close({ call: call.id }, request),
      },
    };
  }

  #park(call: OpenCall): boolean {
    const parked = this.#parked.get(call.principal) ?? new Set();
    if (parked.size >= MOST_PARKED) return false;
    this.#parked.set(call.principal, parked.add(call));
    call.park(this.#clock.after(PARKED_MS, () => this.#drop(call)));
    return true;
  }

  #unpark(call: OpenCall): void {
    const parked = this.#parked.get(call.principal);
    parked?.delete(call);
    if (parked?.size === 0) this.#parked.delete(call.principal);
  }

  #drop(call: OpenCall): void {
    this.#calls.delete(call.id);
    this.#unpark(call);
    call.abort();
  }

  [Symbol.dispose](): void {
    for (const call of this.#calls.values()) this.#drop(call);
  }
}

class OpenCall {
  readonly principal: string;
  readonly at: object;
  readonly id: string;
  readonly #over = new AbortController();
  readonly #asks = new Map<string, Ask>();
  #count = 0;
  #current: ModernRequest | undefined;
  #say: ((came: Came) => void) | undefined;
  #came: RpcReply | undefined;
  #parked: Disposable | undefined;
  #isTelling = false;

  constructor({ principal, at }: ModernRequest, id: string) {
    this.principal = principal;
    this.at = at;
    this.id = id;
  }

  start(work: Work): void {
    const request = this.#current as ModernRequest;
    const { client } = request;
    const level = metaOf(request.params)[LOG_LEVEL];
    const current = (): ModernRequest | undefined => this.#current;
    const exchange: Exchange = {
      id: this.id,
      client,
      logLevel: typeof level === 'string' ? level : undefined,
      signal: this.#over.signal,
      get progressToken() {
        return metaOf(current()?.params ?? {})['progressToken'];
      },
      notify: (method, params) => this.#current?.notify(method, params),
      ask: (method, params, signal) => this.#ask(method, params, signal),
    };
    void work(exchange).then((reply) => {
      this.#came = reply;
      this.#tell(reply);
    });
  }

  /** The request or a repetition of it: what comes of the call is the answer to the last one. */
  leg(request: ModernRequest): Promise<Came> {
    this.#tell('repeated');
    this.#parked?.[Symbol.dispose]();
    this.#parked = undefined;
    this.#current = request;
    const { signal } = request;
    const onAbort = (): void => {
      if (this.#current === request) this.#over.abort();
    };
    signal.addEventListener('abort', onAbort, { once: true });
    return new Promise<Came>((resolve) => {
      this.#say = resolve;
      if (this.#came !== undefined) this.#tell(this.#came);
    }).finally(() => signal.removeEventListener('abort', onAbort));
  }

  park(timer: Disposable): void {
    this.#current = undefined;
    this.#parked = timer;
  }

  abort(): void {
    this.#over.abort();
    this.#parked?.[Symbol.dispose]();
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

  #ask(method: string, params: JsonObject, signal: AbortSignal): Promise<RelayReply> {
    const key = `ask-${(this.#count += 1)}`;
    if (this.#asks.size >= MOST_ASKED) {
      const message = 'Too many questions wait for an answer';
      return Promise.resolve({ error: { code: -32_603, message } });
    }
    return new Promise((resolve) => {
      const gone = (): void => {
        this.#asks.delete(key);
        resolve({ error: { code: -32_603, message: 'The request was given up' } });
      };
      signal.addEventListener('abort', gone, { once: true });
      this.#over.signal.addEventListener('abort', gone, { once: true });
      this.#asks.set(key, {
        method,
        params,
        answer: (reply) => {
          signal.removeEventListener('abort', gone);
          this.#over.signal.removeEventListener('abort', gone);
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
