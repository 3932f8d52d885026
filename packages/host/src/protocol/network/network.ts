// The network of one server's transports: uses the proxies and the client certificate that the environment configures, or
// Node's own fetch if it configures none.

import type { Socket } from 'node:net';
import type { FetchLike } from '@modelcontextprotocol/client';
import { CodedError } from '@plugboard/base';
import {
  type HostEnvironment,
  networkSettings,
  type NetworkSettings,
  readTextFile,
} from '../../platform/index.ts';
import { withoutBlockedPorts } from './blocked-ports.ts';
import type { Dial, DialOptions } from './dial.ts';
import { endpointOf, proxyFor } from './proxy-for.ts';

export interface Network {
  readonly fetch: FetchLike;
  /** Connects to the url's host, with TLS if its scheme requires it. */
  connect(url: URL): Promise<Socket>;
  /** Closes open connections and those being opened. Idempotent. */
  close(): Promise<void>;
}

const MAX_PEM_BYTES = 1024 * 1024;
const NO_SETTINGS: NetworkSettings = { proxies: {}, noProxy: [] };

export interface NetworkOptions {
  /** Connects only to these addresses, except through a proxy. */
  readonly addresses?: readonly string[];
  /** Replaces the opening of connections by sockets. */
  readonly dial?: Dial | undefined;
}

export function networkOf(
  settings: NetworkSettings | undefined,
  options: NetworkOptions = {},
): Network {
  const closing = new AbortController();
  const connect = connector(settings ?? NO_SETTINGS, { ...options, signal: closing.signal });
  if (settings === undefined && options.addresses === undefined && options.dial === undefined) {
    return {
      fetch: withoutBlockedPorts((input, init) => fetch(input, init)),
      connect,
      close: () => Promise.resolve(closing.abort()),
    };
  }
  let dialling: Promise<DiallingFetch> | undefined;
  return {
    fetch: withoutBlockedPorts(async (input, init) => {
      dialling ??= diallingFetch(connect);
      return (await dialling).fetch(input, init);
    }),
    connect,
    async close() {
      closing.abort();
      await (await dialling)?.close();
    },
  };
}

/** The network that the environment configures, for requests that concern no server. */
export function environmentNetwork(environment: Pick<HostEnvironment, 'env' | 'cwd'>): Network {
  return networkOf(networkSettings(environment));
}

function connector(
  settings: NetworkSettings,
  { addresses, dial, signal }: NetworkOptions & Pick<DialOptions, 'signal'>,
): Network['connect'] {
  let reading: Promise<DialOptions['certificate']> | undefined;
  return async (url) => {
    const endpoint = endpointOf(url);
    // Read on first use and awaited at once, since an unhandled rejection ends the process.
    const certificate = endpoint.isSecure
      ? await (reading ??= clientCertificate(settings))
      : undefined;
    const open = dial ?? (await import('./dial.ts')).dial;
    return open(
      { ...endpoint, addresses },
      { proxy: proxyFor(url, settings), certificate, signal },
    );
  };
}

async function clientCertificate({
  clientCertificate: files,
}: NetworkSettings): Promise<DialOptions['certificate']> {
  if (files === undefined) return undefined;
  const [cert, key] = await Promise.all(
    [files.certFile, files.keyFile].map((file) => readTextFile(file, { maxBytes: MAX_PEM_BYTES })),
  );
  if (cert?.ok === true && key?.ok === true) return { cert: cert.value, key: key.value };
  throw new CodedError('CLIENT_CERTIFICATE_UNREADABLE', 'cannot read the client certificate', {
    data: files,
  });
}

interface DiallingFetch {
  readonly fetch: FetchLike;
  close(): Promise<void>;
}

/** Node's own fetch supports neither proxies nor client certificates; undici's supports both. */
async function diallingFetch(connect: Network['connect']): Promise<DiallingFetch> {
  const { Agent, fetch: send } = await import('undici');
  const dispatcher = new Agent({
    connect({ protocol, hostname, port }, callback) {
      const url = new URL(`${protocol}//${hostname}`);
      url.port = port;
      void report(connect(url), callback);
    },
  });
  // The same interface, declared by another package.
  const sendThrough = send as unknown as (input: string | URL, init: object) => Promise<Response>;
  return {
    fetch: (input, init) => sendThrough(input, { ...init, dispatcher }),
    close: () => dispatcher.destroy(),
  };
}

async function report(
  opening: Promise<Socket>,
  callback: (...result: [Error, null] | [null, Socket]) => void,
): Promise<void> {
  let socket: Socket;
  try {
    socket = await opening;
  } catch (thrown) {
    callback(asError(thrown), null);
    return;
  }
  callback(null, socket);
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}
