// Runs the SDK's client over a session that another client opened, for features that only the SDK has. Requests go
// through that client, and its handshake is reused.

import { Client, type JSONRPCMessage, type Transport } from '@modelcontextprotocol/client';
import type { LegacyRequestOptions } from './legacy-client.ts';
import { PASS_THROUGH, type SessionClient } from './session-client.ts';

export interface OverClient {
  readonly client: Client;
  /** The error that the other client threw, if any. */
  thrown(): unknown;
}

/** `options` apply to all requests. */
export async function sdkClientOver(
  inner: SessionClient,
  options: LegacyRequestOptions,
): Promise<OverClient> {
  if (inner instanceof Client) return { client: inner, thrown: () => undefined };
  const transport = new OverTransport(inner, options);
  const client = new Client({ name: '', version: '' });
  await client.connect(transport, { timeout: options.timeout });
  return { client, thrown: () => transport.thrown };
}

class OverTransport implements Transport {
  onclose?: () => void;
  onmessage?: Transport['onmessage'];
  thrown: unknown;
  readonly #inner: SessionClient;
  readonly #options: LegacyRequestOptions;

  constructor(inner: SessionClient, options: LegacyRequestOptions) {
    this.#inner = inner;
    this.#options = options;
  }

  start(): Promise<void> {
    return Promise.resolve();
  }

  close(): Promise<void> {
    this.onclose?.();
    return Promise.resolve();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    // Cancellations are not forwarded: both clients have the same signal.
    if (!('method' in message && 'id' in message)) return;
    const { id, method, params = {} } = message;
    try {
      const result =
        method === 'initialize' ? this.#handshake() : await this.#request(method, params);
      this.onmessage?.({ jsonrpc: '2.0', id, result: result as Record<string, unknown> });
    } catch (thrown) {
      this.thrown = thrown;
      this.onmessage?.({ jsonrpc: '2.0', id, error: { code: -32_603, message: 'it failed' } });
    }
  }

  #request(method: string, params: Record<string, unknown>): Promise<unknown> {
    return this.#inner.request({ method, params }, PASS_THROUGH, this.#options);
  }

  #handshake(): Record<string, unknown> {
    const instructions = this.#inner.getInstructions();
    return {
      protocolVersion: this.#inner.getNegotiatedProtocolVersion(),
      capabilities: this.#inner.getServerCapabilities(),
      serverInfo: this.#inner.getServerVersion(),
      ...(instructions === undefined ? {} : { instructions }),
    };
  }
}
