// The fronts of a gateway, each as a transport of the official client.

import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import {
  type JSONRPCMessage,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client';
import type { Scope } from '@plugboard/base';
import { WebSocket } from 'ws';
import type { Gateway } from '../src/index.ts';

export type Front = 'http' | 'stdio' | 'sse' | 'ws';

export const FRONTS: readonly Front[] = ['http', 'stdio', 'sse', 'ws'];

export interface Reached {
  readonly scope: Scope;
  readonly gateway: Gateway;
  /** The address of `/mcp`. */
  readonly url: string;
  /** After `/mcp`. */
  readonly path: string;
}

export function transportTo(front: Front, { scope, gateway, url, path }: Reached): Transport {
  switch (front) {
    case 'http':
      return new StreamableHTTPClientTransport(new URL(`${url}${path}`));
    case 'sse':
      return new SSEClientTransport(new URL(`${url.replace(/\/mcp$/, '/sse')}${path}`));
    case 'ws':
      return new SocketTransport(`${url.replace(/^http/, 'ws')}${path}`);
    case 'stdio': {
      const transport = new LineTransport();
      const { input, output, left } = transport;
      const at = { input, output, path: `/mcp${path}`, signal: left.signal };
      const serving = gateway.stdio(at).finally(() => transport.onclose?.());
      scope.defer(async () => {
        left.abort();
        await serving;
      });
      return transport;
    }
    default:
      return front satisfies never;
  }
}

/** The client's ends of two pipes. */
class LineTransport implements Transport {
  onclose?: () => void;
  onmessage?: Transport['onmessage'];
  readonly input = new PassThrough();
  readonly output = new PassThrough();
  readonly left = new AbortController();

  start(): Promise<void> {
    createInterface({ input: this.output }).on('line', (line) =>
      this.onmessage?.(JSON.parse(line) as JSONRPCMessage),
    );
    return Promise.resolve();
  }

  send(message: JSONRPCMessage): Promise<void> {
    this.input.write(`${JSON.stringify(message)}\n`);
    return Promise.resolve();
  }

  close(): Promise<void> {
    this.input.end();
    return Promise.resolve();
  }
}

class SocketTransport implements Transport {
  onclose?: () => void;
  onmessage?: Transport['onmessage'];
  readonly #url: string;
  #socket: WebSocket | undefined;

  constructor(url: string) {
    this.#url = url;
  }

  async start(): Promise<void> {
    const socket = new WebSocket(this.#url, 'mcp');
    this.#socket = socket;
    socket.on('message', (data: Buffer) =>
      this.onmessage?.(JSON.parse(data.toString('utf8')) as JSONRPCMessage),
    );
    socket.on('close', () => this.onclose?.());
    await new Promise<void>((resolve, reject) => {
      socket.once('open', resolve);
      socket.once('error', reject);
    });
  }

  send(message: JSONRPCMessage): Promise<void> {
    this.#socket?.send(JSON.stringify(message));
    return Promise.resolve();
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#socket === undefined || this.#socket.readyState === WebSocket.CLOSED) resolve();
      this.#socket?.once('close', () => resolve());
      this.#socket?.close();
    });
  }
}
