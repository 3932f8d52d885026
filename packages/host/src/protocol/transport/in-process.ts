// A linked pair of transports: a server in this process is spoken to without a wire. Messages are
// delivered on the microtask queue, so that a send never runs the other side inside the sender's
// stack; closing either end closes both.

import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import type { InProcessServer } from '../neutral/launch.ts';

/** Our end of a connection to it. */
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

/** Messages are handed over as they are, unless `carry` makes something of them. */
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
  /** What arrived before this end was started. */
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
      // Behind what was sent before: an answer followed by a close still arrives.
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
