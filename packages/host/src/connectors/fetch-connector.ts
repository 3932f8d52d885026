// Requests the list of a connector. Credentials are only sent to its own origin, and are created again once
// if they are refused. The answer is limited in size, depth and time, and is still unchecked JSON:
// read-list.ts validates it.

import {
  type Clock,
  err,
  isLoopback,
  isUrl,
  type Json,
  ok,
  parseJson,
  type Result,
} from '@plugboard/base';
import type { NetworkSettings } from '../platform/index.ts';
import type { GetTextProblem, TextAnswer } from '../protocol/index.ts';
import type { ConnectorProblem } from './connector-problem.ts';
import type { ConnectorSettings } from './connector-settings.ts';

/**
 * Creates the headers for a request. After a 401 it must read secrets and run helpers again. The problem is a
 * sentence for the user, without secrets.
 */
export type HeadersOf = (
  settings: ConnectorSettings,
  why: 'first' | 'after-401',
  signal: AbortSignal,
) => Promise<Result<Readonly<Record<string, string>>, string>>;

export interface FetchPorts {
  /** By default, the headers of the settings. */
  readonly headersOf?: HeadersOf;
  readonly network: NetworkSettings | undefined;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 1024 * 1024;
const MAX_DEPTH = 32;

/** Rejects only with the reason of the signal. */
export async function fetchConnector(
  settings: ConnectorSettings,
  ports: FetchPorts,
): Promise<Result<Json, ConnectorProblem>> {
  const url = checkUrl(settings.url);
  if (!url.ok) return url;
  let answer = await requestList(url.value, settings, { ...ports, why: 'first' });
  if (answer.ok && answer.value.status === 401) {
    answer = await requestList(url.value, settings, { ...ports, why: 'after-401' });
  }
  return answer.ok ? readAnswer(answer.value) : answer;
}

function checkUrl(text: string): Result<URL, ConnectorProblem> {
  if (!isUrl(text)) return err({ kind: 'bad-url', reason: 'malformed' });
  const url = new URL(text);
  const isSafe =
    // Traffic on this machine needs no encryption.
    url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname));
  if (!isSafe) return err({ kind: 'bad-url', reason: 'insecure' });
  if (url.username !== '' || url.password !== '') {
    return err({ kind: 'bad-url', reason: 'credentials' });
  }
  return ok(url);
}

async function requestList(
  url: URL,
  settings: ConnectorSettings,
  ports: FetchPorts & { readonly why: Parameters<HeadersOf>[1] },
): Promise<Result<TextAnswer, ConnectorProblem>> {
  const { headersOf = headersOfSettings, why, network, clock, signal } = ports;
  const made = await headersOf(settings, why, signal);
  if (!made.ok) return err({ kind: 'no-headers', message: made.error });
  const headers = checkHeaders(made.value);
  if (!headers.ok) return headers;
  // Imported here, so that reading a stored list does not load the protocol code.
  const { getText } = await import('../protocol/index.ts');
  const answer = await getText(url, {
    headers: headers.value,
    network,
    maxBytes: MAX_BYTES,
    timeoutMs: TIMEOUT_MS,
    clock,
    signal,
  });
  return answer.ok ? answer : err(connectorProblem(answer.error));
}

const headersOfSettings: HeadersOf = ({ headers }) => Promise.resolve(ok(headers));

function checkHeaders(
  headers: Readonly<Record<string, string>>,
): Result<Readonly<Record<string, string>>, ConnectorProblem> {
  try {
    const checked = new Headers(headers);
    checked.set('accept', 'application/json');
    return ok(Object.fromEntries(checked));
  } catch {
    // The thrown error quotes the value, which may be a secret.
    return err({
      kind: 'no-headers',
      message: 'one has a name or a text that HTTP does not allow',
    });
  }
}

function connectorProblem(problem: GetTextProblem): ConnectorProblem {
  return problem.kind === 'not-text' ? { kind: 'not-json', contentType: '' } : problem;
}

function readAnswer({ status, contentType, text }: TextAnswer): Result<Json, ConnectorProblem> {
  if (status === 401) return err({ kind: 'unauthorized' });
  if (status < 200 || status > 299) return err({ kind: 'refused', status });
  const parsed = parseJson(text, { maxLength: MAX_BYTES, maxDepth: MAX_DEPTH });
  if (parsed.ok) return parsed;
  if (parsed.error.kind === 'too-deep') return err(parsed.error);
  return err({ kind: 'not-json', contentType: plainType(contentType) });
}

/** The media type without its parameters, if it is valid, since the connector may send any text. */
function plainType(contentType: string): string {
  return /^[\w.+-]{1,60}\/[\w.+-]{1,60}/.exec(contentType)?.[0] ?? '';
}
