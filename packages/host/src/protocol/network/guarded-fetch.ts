// A `fetch` for URLs that a server or a model supplied. Each URL, including those of redirects, is checked (url-guard.ts)
// when it is used, by the addresses of its host, and the connection goes to exactly these. The answer is read completely,
// within limits of size and time, before it is returned, so this does not suit streams.

import type { FetchLike } from '@modelcontextprotocol/client';
import { abortable, type Clock, deadline, isUrl, never } from '@plugboard/base';
import type { NetworkSettings } from '../../platform/index.ts';
import { admittedAddresses, type AdmissionPorts, lookUp } from './admitted-addresses.ts';
import { type FetchProblem, FetchRefused } from './fetch-refused.ts';
import { networkCodeOf } from './network-code.ts';
import type { Dial } from './dial.ts';
import { KeptNetworks } from './kept-networks.ts';
import { type Network, networkOf } from './network.ts';
import { readAtMost } from './read-at-most.ts';
import { redirectTarget } from './redirect-target.ts';
import { plainUrl } from './shown-url.ts';
import { isHome, type PlainHttp, writtenProblem } from './url-guard.ts';

export interface GuardedFetchOptions {
  readonly network: NetworkSettings | undefined;
  /** The server's addresses, as the user configured them. Without any, only public addresses are open. */
  readonly homes: readonly URL[];
  /** Where plain http is allowed; by default only on this machine. */
  readonly plain?: PlainHttp;
  readonly clock: Clock;
  /** The limit of the answer, after decompression. */
  readonly maxBytes?: number;
  /** For the whole fetch: resolving, connecting, redirects and the answer. */
  readonly timeoutMs?: number;
  readonly resolve?: AdmissionPorts['resolve'] | undefined;
  /** Opens a connection to an admitted address. */
  readonly dial?: Dial | undefined;
  /** Keeps connections open for the next request. Without it each request opens its own. */
  readonly kept?: KeptNetworks;
}

interface Guard extends AdmissionPorts {
  readonly dial: Dial | undefined;
  readonly kept: KeptNetworks | undefined;
  readonly maxBytes: number;
}

const MAX_REDIRECTS = 3;

/** The returned function rejects with `FetchRefused`, or with the reason of the signal it was given. */
export function guardedFetch(options: GuardedFetchOptions): FetchLike {
  const { network, homes, plain, clock, timeoutMs = 10_000 } = options;
  const guard: Guard = {
    network,
    homes,
    plain,
    maxBytes: options.maxBytes ?? 1024 * 1024,
    resolve: options.resolve ?? lookUp,
    dial: options.dial,
    kept: options.kept,
  };
  return async (input, init = {}) => {
    const url = parsed(input);
    const given = init.signal ?? never;
    using limit = deadline(timeoutMs, clock, given);
    try {
      return await abortable(follow(url, { init, guard, signal: limit.signal }), limit.signal);
    } catch (thrown) {
      given.throwIfAborted();
      throw limit.signal.aborted ? refused(url, { kind: 'timed-out', ms: timeoutMs }) : thrown;
    }
  };
}

interface Call {
  readonly init: RequestInit;
  readonly guard: Guard;
  readonly signal: AbortSignal;
}

async function follow(start: URL, { init, guard, signal }: Call): Promise<Response> {
  let sent = await messageFor(start, init, guard);
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    const response = await exchange(sent, guard, signal);
    const target = redirectTarget(response, sent.url);
    if (target === undefined || init.redirect === 'manual') return response;
    if (init.redirect === 'error') throw refused(sent.url, { kind: 'redirected', why: 'unwanted' });
    sent = redirected(sent, response.status, target);
  }
  throw refused(start, { kind: 'redirected', why: 'too-often' });
}

/** One request, with a body that can be sent again. */
interface Message {
  readonly url: URL;
  readonly method: string;
  readonly headers: Headers;
  readonly body: Uint8Array<ArrayBuffer> | null;
}

async function messageFor(url: URL, init: RequestInit, { homes, plain }: Guard): Promise<Message> {
  // Checked before `Request`, which would reject some of these urls with its own message.
  const problem = writtenProblem(url, homes, plain);
  if (problem !== undefined) throw refused(url, problem);
  // `Request` handles all kinds of bodies, and the content types that they imply.
  const request = new Request(url, init);
  const { method, headers } = request;
  const body = request.body === null ? null : new Uint8Array(await request.arrayBuffer());
  return { url, method, headers, body };
}

function redirected(sent: Message, status: number, target: URL): Message {
  const isSameOrigin = target.origin === sent.url.origin;
  const isReading = sent.method === 'GET' || sent.method === 'HEAD';
  if (!isSameOrigin && !isReading) {
    throw refused(sent.url, { kind: 'redirected', why: 'with-a-body' });
  }
  const headers = isSameOrigin ? new Headers(sent.headers) : harmless(sent.headers);
  if (isReading || status === 307 || status === 308) return { ...sent, url: target, headers };
  // As browsers do: after such a redirect the target is read with GET, without the body.
  headers.delete('content-type');
  return { url: target, method: 'GET', headers, body: null };
}

/** Any other header may hold a credential. */
function harmless(headers: Headers): Headers {
  return new Headers([...headers].filter(([name]) => HARMLESS.has(name)));
}

const HARMLESS: ReadonlySet<string> = new Set([
  'accept',
  'accept-language',
  'mcp-protocol-version',
  'user-agent',
]);

async function exchange(sent: Message, guard: Guard, signal: AbortSignal): Promise<Response> {
  const { url, method } = sent;
  const addresses = await admittedAddresses(url, guard);
  signal.throwIfAborted();
  const settings = settingsFor(url, guard);
  // A kept connection is only reused for the addresses and the certificate that were just checked.
  const place = JSON.stringify([url.origin, addresses, settings?.clientCertificate]);
  await using lease = (guard.kept ?? new KeptNetworks(0)).take(place, () =>
    networkOf(settings, { addresses, dial: guard.dial }),
  );
  const bounds = { maxBytes: guard.maxBytes, signal };
  try {
    return await send(sent, lease.network, bounds).catch((thrown: unknown) => {
      // A kept connection may be closed just when it is reused. Only GET may be repeated.
      const mayRepeat = lease.isKept && method === 'GET' && !signal.aborted;
      if (mayRepeat && !(thrown instanceof FetchRefused)) return send(sent, lease.network, bounds);
      throw thrown;
    });
  } catch (thrown) {
    if (thrown instanceof FetchRefused) throw thrown;
    throw refused(url, { kind: 'unreachable', code: networkCodeOf(thrown) });
  }
}

async function send(
  { url, method, headers, body }: Message,
  network: Network,
  { maxBytes, signal }: { readonly maxBytes: number; readonly signal: AbortSignal },
): Promise<Response> {
  const init = { method, headers: Object.fromEntries(headers), body, signal } as const;
  const response = await network.fetch(url, { ...init, redirect: 'manual' });
  const isRedirect = redirectTarget(response, url) !== undefined;
  const bytes = await readAtMost(isRedirect ? null : response.body, maxBytes);
  if (bytes === undefined) throw refused(url, { kind: 'too-large', limit: maxBytes });
  if (isRedirect) await response.body?.cancel();
  return complete(response, bytes, url);
}

/** The user's certificate is only sent to configured addresses, not to those that servers supply. */
function settingsFor(url: URL, { network, homes }: Guard): NetworkSettings | undefined {
  if (network === undefined || isHome(url, homes)) return network;
  const { proxies, noProxy } = network;
  return { proxies, noProxy };
}

/** As `fetch` would return it, with nothing left to read from the network. */
function complete(
  { status, statusText, headers: received }: Response,
  bytes: Buffer,
  url: URL,
): Response {
  const headers = new Headers([...received].filter(([name]) => !OF_THE_WIRE.has(name)));
  const body = bytes.length === 0 ? null : new Uint8Array(bytes);
  const response = new Response(body, { status, statusText, headers });
  return Object.defineProperty(response, 'url', { value: url.href });
}

/** Headers that describe the body as it was transferred. */
const OF_THE_WIRE: ReadonlySet<string> = new Set([
  'content-encoding',
  'content-length',
  'transfer-encoding',
]);

function parsed(input: string | URL): URL {
  if (isUrl(String(input))) return new URL(input);
  // Text that is not a URL is not shown, since it may contain a secret anywhere.
  throw new FetchRefused('a url', { kind: 'not-a-url' });
}

function refused(url: URL, problem: FetchProblem): FetchRefused {
  return new FetchRefused(plainUrl(url), problem);
}
