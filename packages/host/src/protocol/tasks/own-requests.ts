// Requests made below the SDK's client, on the same transport. Their ids are strings, which cannot collide with
// the client's numbers; their answers never reach the client.

import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { CodedError } from '@plugboard/base';
import { FailureError } from '../neutral/failure.ts';
import { failureIn } from '../frame/failed-answer.ts';
import { isAnswer, isErrorAnswer } from './message-kind.ts';
import type { RpcError } from './read-task.ts';

export type Answer =
  | { readonly kind: 'result'; readonly result: unknown }
  | { readonly kind: 'error'; readonly error: RpcError };

interface Pending {
  resolve(answer: Answer): void;
  reject(reason: unknown): void;
}

const ID_PREFIX = 'plugboard-task-';

export class OwnRequests {
  readonly #transport: Pick<Transport, 'send'>;
  readonly #pending = new Map<string, Pending>();
  #count = 0;

  constructor(transport: Pick<Transport, 'send'>) {
    this.#transport = transport;
  }

  /** Rejects if the request could not be sent, its stream broke off, or the signal aborted. */
  async ask(
    method: string,
    params: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<Answer> {
    signal.throwIfAborted();
    this.#count += 1;
    const id = `${ID_PREFIX}${this.#count}`;
    let abort: (() => void) | undefined;
    try {
      return await new Promise<Answer>((resolve, reject) => {
        this.#pending.set(id, { resolve, reject });
        abort = () => reject(signal.reason as Error);
        signal.addEventListener('abort', abort, { once: true });
        this.#transport
          .send(
            { jsonrpc: '2.0', id, method, params: { ...params } },
            { requestSignal: signal, onRequestStreamEnd: () => reject(brokenOff(method)) },
          )
          .catch(reject);
      });
    } finally {
      this.#pending.delete(id);
      if (abort !== undefined) signal.removeEventListener('abort', abort);
    }
  }

  /** Takes a message if it answers one of these requests, even one that was given up. Returns whether it did. */
  receive(message: JSONRPCMessage): boolean {
    const isError = isErrorAnswer(message);
    if (!isError && !isAnswer(message)) return false;
    const { id } = message;
    if (typeof id !== 'string' || !id.startsWith(ID_PREFIX)) return false;
    const pending = this.#pending.get(id);
    if (!isError) {
      pending?.resolve({ kind: 'result', result: message.result });
      return true;
    }
    // The transport could not read the answer.
    const failure = failureIn(message.error.data);
    if (failure === undefined) pending?.resolve({ kind: 'error', error: message.error });
    else pending?.reject(new FailureError(failure));
    return true;
  }
}

function brokenOff(method: string): CodedError {
  return new CodedError('stream-broken-off', `the answer to ${method} broke off`, {
    data: { method },
  });
}
