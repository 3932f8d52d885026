// A linked pair of transports for a server in this process. Messages are delivered on the microtask queue, so that `send`
// never runs code of the other side. Closing one end closes both.

import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import type { InProcessServer } from '../neutral/launch.ts';

/** Connects to the server, and returns the client's end. */
export async function transportTo(server: InProcessServer): Promise<Transport> {
  if (!('connect' in server)) return server;
  const [ours, theirs] = linkedPair();
  try {
    await server.connect(theirs);
  } catch (thrown) {
    await ours.close();
    throw thrown;
  }
  return ours;
}

/** `carry` can replace messages on their way, such as by a copy. */
export function linkedPair(
  carry: (message: JSONRPCMessage) => JSONRPCMessage = (message) => message,
): readonly [Transport, Transport] {
  const left = new LinkedTransport(carry);
  const right = new LinkedTransport(carry);
  left.peer = right;
  right.peer = left;
  return [left, right];
}

class LinkedTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport['onmessage'];
  peer: LinkedTransport | undefined;
  readonly #carry: (message: JSONRPCMessage) => JSONRPCMessage;
  /** The messages that arrived before this end was started. */
  #waiting: JSONRPCMessage[] = [];
  #state: 'new' | 'started' | 'closed' = 'new';

  constructor(carry: (message: JSONRPCMessage) => JSONRPCMessage) {
    this.#carry = carry;
  }

  start(): Promise<void> {
    if (this.#state === 'closed') return Promise.reject(closedError());
    if (this.#state === 'new') {
      this.#state = 'started';
      const waiting = this.#waiting;
      this.#waiting = [];
      for (const message of waiting) this.#deliverSoon(message);
    }
    return Promise.resolve();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const { peer } = this;
    if (this.#state === 'closed' || peer === undefined) throw closedError();
    peer.#receive(this.#carry(message));
  }

  close(): Promise<void> {
    if (this.#state !== 'closed') {
      this.#state = 'closed';
      this.#waiting = [];
      const { peer } = this;
      this.peer = undefined;
      // Queued behind earlier messages, so that an answer followed by a close still arrives.
      queueMicrotask(() => void peer?.close());
      this.onclose?.();
    }
    return Promise.resolve();
  }

  #receive(message: JSONRPCMessage): void {
    if (this.#state === 'new') this.#waiting.push(message);
    else this.#deliverSoon(message);
  }

  #deliverSoon(message: JSONRPCMessage): void {
    queueMicrotask(() => {
      if (this.#state !== 'started') return;
      try {
        this.onmessage?.(message);
      } catch (thrown) {
        this.onerror?.(thrown instanceof Error ? thrown : new Error(String(thrown)));
      }
    });
  }
}

function closedError(): Error {
  return new Error('the in-process connection is closed');
}
