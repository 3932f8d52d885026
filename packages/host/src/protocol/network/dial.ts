// Opens one connection to a host: directly or through a proxy's tunnel, with TLS if required, and with the
// user's client certificate if the server requests one. Used for HTTP and WebSocket.

import { request as plainRequest } from 'node:http';
import { request as secureRequest } from 'node:https';
import { connect as connectPlain, isIP, type LookupFunction, type Socket } from 'node:net';
import { connect as connectSecure } from 'node:tls';
import { CodedError } from '@plugboard/base';
import { bareHost } from './proxy-for.ts';

export interface DialTarget {
  readonly host: string;
  readonly port: number;
  readonly isSecure: boolean;
  /** The addresses of the host, if known already; then it is not resolved again. */
  readonly addresses?: readonly string[] | undefined;
}

export interface DialOptions {
  readonly proxy: URL | undefined;
  /** In PEM. */
  readonly certificate: { readonly cert: string; readonly key: string } | undefined;
  readonly signal: AbortSignal;
}

/** Rejects with the system's error, or the reason of the signal. */
export type Dial = (target: DialTarget, options: DialOptions) => Promise<Socket>;

export async function dial(target: DialTarget, options: DialOptions): Promise<Socket> {
  const { proxy, signal } = options;
  signal.throwIfAborted();
  const socket = await (proxy === undefined
    ? straight(target, signal)
    : tunnel(target, proxy, signal));
  return target.isSecure ? secured(socket, target, options) : socket;
}

async function straight(
  { host, port, addresses }: DialTarget,
  signal: AbortSignal,
): Promise<Socket> {
  const lookup = addresses === undefined ? {} : { lookup: answering(addresses) };
  const socket = connectPlain({ host, port, ...lookup });
  await ready(socket, 'connect', signal);
  return socket;
}

function answering(addresses: readonly string[]): LookupFunction {
  const answers = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_, { all }, callback) => {
    const [first] = answers;
    if (first === undefined) callback(failed('ENOTFOUND', 'the host is nowhere'), []);
    else if (all === true) callback(null, answers);
    else callback(null, first.address, first.family);
  };
}

async function secured(
  socket: Socket,
  { host }: DialTarget,
  { certificate, signal }: DialOptions,
): Promise<Socket> {
  const tls = connectSecure({
    socket,
    host,
    // The name by which the server selects its certificate; IP addresses are not sent.
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ALPNProtocols: ['http/1.1'],
    ...certificate,
  });
  await ready(tls, 'secureConnect', signal);
  return tls;
}

/** https://www.rfc-editor.org/rfc/rfc9110#section-9.3.6 */
function tunnel({ host, port }: DialTarget, proxy: URL, signal: AbortSignal): Promise<Socket> {
  const request = REQUESTS.get(proxy.protocol);
  if (request === undefined) {
    return Promise.reject(failed('PROXY_UNSUPPORTED', 'the proxy is of a kind that is not known'));
  }
  const authority = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  return new Promise((resolve, reject) => {
    const connectRequest = request({
      method: 'CONNECT',
      host: bareHost(proxy),
      port: proxy.port === '' ? undefined : Number(proxy.port),
      path: authority,
      headers: { host: authority, ...credentialsOf(proxy) },
      agent: false,
      signal,
    });
    connectRequest.once('connect', ({ statusCode = 0 }, socket: Socket) => {
      if (statusCode === 200) {
        resolve(socket);
        return;
      }
      socket.destroy();
      reject(failed(`PROXY_${statusCode}`, 'the proxy refused to connect'));
    });
    connectRequest.once('error', reject);
    connectRequest.end();
  });
}

const REQUESTS: ReadonlyMap<string, typeof plainRequest> = new Map([
  ['http:', plainRequest],
  ['https:', secureRequest],
]);

function credentialsOf({ username, password }: URL): Record<string, string> {
  if (username === '' && password === '') return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(pair).toString('base64')}` };
}

/** Waits for the event; destroys the socket if it does not come. */
async function ready(
  socket: Socket,
  event: 'connect' | 'secureConnect',
  signal: AbortSignal,
): Promise<void> {
  const abort = (): void => void socket.destroy(signal.reason as Error);
  signal.addEventListener('abort', abort, { once: true });
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once(event, resolve);
      socket.once('error', reject);
      socket.once('close', () => reject(failed('ECONNRESET', 'the connection was closed')));
    });
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

function failed(code: string, message: string): CodedError {
  return new CodedError(code, message, { data: {} });
}
