// Lets several hosts use one server as if each were its only client. Every request of a host gets a new id, and only the
// switchboard can map it to the host, so no host can name, cancel or see the requests of another. The caller does the
// input and output.

import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { isObject } from '@plugboard/base';
import { failureIn, type RequestId } from '../frame/failed-answer.ts';
import { LIST_CHANGES } from '../neutral/session.ts';
import { Handshake } from './handshake.ts';
import type { Fields, Line, SwitchboardPorts } from './line.ts';
import { ServerRequests } from './server-requests.ts';
import { Subscriptions } from './subscriptions.ts';
import { TaskOwners } from './task-owners.ts';

interface Pending {
  /** Absent for the switchboard's own requests. */
  readonly line: Line | undefined;
  readonly id: RequestId;
  readonly method: string;
  readonly meta: Fields | undefined;
  readonly onAnswer?: (answer: Fields) => void;
}

/** The limit of pending requests of one host. */
const MAX_PENDING = 1024;
const SUBSCRIPTION = 'io.modelcontextprotocol/subscriptionId';
const RELATED_TASK = 'io.modelcontextprotocol/related-task';
const TO_ALL: ReadonlySet<string> = new Set([
  ...LIST_CHANGES,
  'notifications/message',
  'notifications/elicitation/complete',
]);
/** The switchboard sends these itself; changed roots mean another server process. */
const NOT_PASSED_ON: ReadonlySet<string> = new Set([
  'notifications/initialized',
  'notifications/roots/list_changed',
]);

/** The same answer as for a task that the server does not know. */
const NOT_YOURS = { code: -32_602, message: 'There is no such task' };

export class Switchboard {
  readonly #ports: SwitchboardPorts;
  readonly #lines = new Set<Line>();
  readonly #pending = new Map<number, Pending>();
  readonly #handshake: Handshake;
  readonly #serverRequests: ServerRequests;
  readonly #subscriptions = new Subscriptions();
  readonly #tasks = new TaskOwners();
  #lastId = 0;
  #hasAnswered = false;

  constructor(ports: SwitchboardPorts) {
    this.#ports = ports;
    this.#handshake = new Handshake(ports, (params, onAnswer) =>
      this.#sendOwn('initialize', params, onAnswer),
    );
    this.#serverRequests = new ServerRequests(ports, this.#handshake);
  }

  /** Whether the server has answered a request, which shows that its startup is complete. */
  get hasAnswered(): boolean {
    return this.#hasAnswered;
  }

  get handshake(): Fields | undefined {
    return this.#handshake.result;
  }

  join(line: Line): void {
    this.#lines.add(line);
  }

  /** Cancels the host's requests, and answers the server's requests to it. */
  leave(line: Line): void {
    if (!this.#lines.delete(line)) return;
    this.#handshake.leave(line);
    for (const [id, pending] of this.#pending) {
      if (pending.line === line) this.#cancel(id, 'the host has left');
    }
    this.#serverRequests.leave(line);
    for (const uri of this.#subscriptions.leave(line)) {
      this.#sendOwn('resources/unsubscribe', { uri });
    }
    for (const { taskId, meta } of this.#tasks.leave(line)) {
      this.#sendOwn('tasks/cancel', { taskId, ...(meta === undefined ? {} : { _meta: meta }) });
    }
  }

  fromHost(line: Line, message: JSONRPCMessage): void {
    if (!this.#lines.has(line)) return;
    if (!('method' in message)) this.#serverRequests.answer(line, message);
    else if ('id' in message) this.#request(line, message);
    else this.#notification(line, message);
  }

  fromServer(message: JSONRPCMessage): void {
    if (!('method' in message)) this.#answer(message);
    else if ('id' in message) this.#serverRequests.ask(message, this.#lineFor(message.params));
    else this.#passNotification(message);
  }

  #request(
    line: Line,
    { id, method, params }: { id: RequestId; method: string; params?: Fields | undefined },
  ): void {
    if (method === 'initialize') {
      this.#handshake.initialize(line, id, params ?? {});
      return;
    }
    const count = [...this.#pending.values()].filter((pending) => pending.line === line).length;
    if (count >= MAX_PENDING) {
      const error = { code: -32_000, message: 'too many requests wait for their answers' };
      line.deliver({ jsonrpc: '2.0', id, error });
      return;
    }
    if (method === 'tasks/list' || !this.#tasks.isOpenTo(line, params?.['taskId'])) {
      line.deliver({ jsonrpc: '2.0', id, error: NOT_YOURS });
      return;
    }
    if (!this.#subscriptions.isPassedOn(line, method, params?.['uri'])) {
      line.deliver({ jsonrpc: '2.0', id, result: {} });
      return;
    }
    const own = this.#nextId();
    const meta = isObject(params?.['_meta']) ? params['_meta'] : undefined;
    this.#pending.set(own, { line, id, method, meta });
    this.#ports.toServer({
      jsonrpc: '2.0',
      id: own,
      method,
      ...(params === undefined ? {} : { params: withToken(params, meta, own) }),
    });
  }

  #notification(
    line: Line,
    { method, params }: { method: string; params?: Fields | undefined },
  ): void {
    if (NOT_PASSED_ON.has(method)) return;
    if (method === 'notifications/cancelled') {
      const own = this.#ownIdOf(line, params?.['requestId']);
      if (own !== undefined) this.#cancel(own, textIn(params?.['reason']));
      return;
    }
    // Without a request of the server, a host has no progress to report.
    if (method === 'notifications/progress' && !this.#serverRequests.hasOpenRequest(line)) return;
    this.#ports.toServer({ jsonrpc: '2.0', method, ...(params === undefined ? {} : { params }) });
  }

  #answer(message: JSONRPCMessage & { id?: RequestId | undefined }): void {
    const own = numberOf(message.id);
    const pending = own === undefined ? undefined : this.#pending.get(own);
    if (own === undefined || pending === undefined) return;
    this.#pending.delete(own);
    const { line, id, onAnswer } = pending;
    if ('result' in message) this.#hasAnswered = true;
    if (line === undefined) {
      onAnswer?.(message);
      return;
    }
    if ('error' in message) {
      const failure = failureIn(message.error.data);
      if (failure === undefined) line.deliver({ jsonrpc: '2.0', id, error: message.error });
      else line.fail(id, failure);
      return;
    }
    if (!('result' in message)) return;
    this.#tasks.note(line, message.result, withoutToken(pending.meta));
    line.deliver({ jsonrpc: '2.0', id, result: withSubscription(message.result, own, id) });
  }

  /** Passes a notification of the server to the hosts that it concerns. */
  #passNotification(message: { method: string; params?: Fields | undefined }): void {
    const { method, params } = message;
    const meta = isObject(params?.['_meta']) ? params['_meta'] : {};
    const subscription = this.#pendingOf(meta[SUBSCRIPTION]);
    if (params !== undefined && meta[SUBSCRIPTION] !== undefined) {
      const _meta = { ...meta, [SUBSCRIPTION]: subscription?.id };
      subscription?.line?.deliver({ jsonrpc: '2.0', method, params: { ...params, _meta } });
    } else if (method === 'notifications/progress') {
      const pending = this.#pendingOf(params?.['progressToken']);
      const progressToken = pending?.meta?.['progressToken'] as RequestId | undefined;
      if (progressToken === undefined) return;
      pending?.line?.deliver({ jsonrpc: '2.0', method, params: { ...params, progressToken } });
    } else if (method === 'notifications/cancelled') {
      this.#cancelledByServer(params);
    } else {
      for (const line of this.#audience(method, params))
        line.deliver({ jsonrpc: '2.0', ...message });
    }
  }

  #audience(method: string, params: Fields | undefined): Iterable<Line> {
    if (TO_ALL.has(method)) return this.#lines;
    if (method === 'notifications/resources/updated') {
      return this.#subscriptions.subscribersOf(params?.['uri']);
    }
    const owner = method.startsWith('notifications/tasks')
      ? this.#tasks.ownerOf(params?.['taskId'])
      : undefined;
    return owner === undefined ? [] : [owner];
  }

  /** The server cancels one of its requests or ends a subscription. */
  #cancelledByServer(params: Fields | undefined): void {
    if (this.#serverRequests.cancel(params)) return;
    const pending = this.#pendingOf(params?.['requestId']);
    pending?.line?.deliver({
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { ...params, requestId: pending.id },
    });
  }

  /**
   * The host that has to answer a request of the server: the owner of the related task, or the only host with pending
   * requests, or the only host. None if that is ambiguous, because a question must not reach the wrong user.
   */
  #lineFor(params: Fields | undefined): Line | undefined {
    const related = isObject(params?.['_meta']) ? params['_meta'][RELATED_TASK] : undefined;
    const owner = isObject(related) ? this.#tasks.ownerOf(related['taskId']) : undefined;
    if (owner !== undefined) return owner;
    const waiting = new Set<Line>();
    for (const { line, method } of this.#pending.values()) {
      if (line !== undefined && method !== 'subscriptions/listen') waiting.add(line);
    }
    const candidates = waiting.size === 0 ? this.#lines : waiting;
    const [first, second] = candidates;
    return second === undefined ? first : undefined;
  }

  #cancel(own: number, reason: string | undefined): void {
    this.#pending.delete(own);
    this.#ports.toServer({
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: own, ...(reason === undefined ? {} : { reason }) },
    });
  }

  #sendOwn(method: string, params: Fields, onAnswer: (answer: Fields) => void = () => {}): void {
    const id = this.#nextId();
    this.#pending.set(id, { line: undefined, id, method, meta: undefined, onAnswer });
    this.#ports.toServer({ jsonrpc: '2.0', id, method, params });
  }

  #nextId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }

  #pendingOf(id: unknown): Pending | undefined {
    const own = numberOf(id);
    return own === undefined ? undefined : this.#pending.get(own);
  }

  #ownIdOf(line: Line, id: unknown): number | undefined {
    for (const [own, pending] of this.#pending) {
      if (pending.line === line && pending.id === id) return own;
    }
    return undefined;
  }
}

/** Some servers return numeric ids as strings. */
function numberOf(id: unknown): number | undefined {
  const number = typeof id === 'string' ? Number(id) : id;
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : undefined;
}

function withToken(params: Fields, meta: Fields | undefined, own: number): Fields {
  return meta?.['progressToken'] === undefined
    ? params
    : { ...params, _meta: { ...meta, progressToken: own } };
}

function withoutToken(meta: Fields | undefined): Fields | undefined {
  if (meta === undefined) return undefined;
  const { progressToken: _, ...rest } = meta;
  return rest;
}

/** Replaces the id of the subscription in the answer that ends it. */
function withSubscription<Result extends Fields>(
  result: Result,
  own: number,
  id: RequestId,
): Result {
  const meta = result['_meta'];
  if (!isObject(meta) || numberOf(meta[SUBSCRIPTION]) !== own) return result;
  return { ...result, _meta: { ...meta, [SUBSCRIPTION]: id } };
}

function textIn(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
