// A linked pair of transports: a server in this process is spoken to without a wire. Messages are
// delivered on the microtask queue, so that a send never runs the other side inside the sender's
// stack; closing either end closes both.

import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';

/** What an embedding program hands over: anything that can be connected to a transport. */
export interface InProcessServer {
  connect(transport: Transport): Promise<void>;
}

export function linkedPair(): readonly [Transport, Transport] {
  const left = new LinkedTransport();
  const right = new LinkedTransport();
  left.peer = right;
  right.peer = left;
  return [left, right];
}

class LinkedTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport['onmessage'];
  peer: LinkedTransport | undefined;
  /** What arrived before this end was started. */
  #waiting: JSONRPCMessage[] = [];
  #state: 'new' | 'started' | 'closed' = 'new';

  start(): Promise<void> {
    if (this.#state === 'new') {
      this.#state = 'started';
      const waiting = this.#waiting;
      this.#waiting = [];
      for (const message of waiting) this.#deliverSoon(message);
    }
    return Promise.resolve();
  }

  send(message: JSONRPCMessage): Promise<void> {
    const { peer } = this;
    if (this.#state === 'closed' || peer === undefined) {
      return Promise.reject(new Error('the in-process connection is closed'));
    }
    peer.#receive(message);
    return Promise.resolve();
  }

  close(): Promise<void> {
    if (this.#state !== 'closed') {
      this.#state = 'closed';
      this.#waiting = [];
      const { peer } = this;
      this.peer = undefined;
      try {
        this.onclose?.();
      } finally {
        void peer?.close();
      }
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
