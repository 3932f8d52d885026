// Classifies the failure of a request to a model: its kind, and whether and when to retry. By status, type and code; by
// words only if a provider has nothing else.

import { codeOf, type Instant, isObject, messageOf, parseJson } from '@plugboard/base';
import type { ModelFailure } from '../conversation/index.ts';
import { AnswerTooLong } from './bounded-fetch.ts';

export interface RequestFailure {
  readonly failure: ModelFailure;
  /** Whether the same request may succeed a little later, or at once without the provider's tool search. */
  readonly retry: 'no' | 'later' | 'without-search';
  /** The wait that the provider asks for. */
  readonly afterMs?: number;
}

export function classifyFailure(thrown: unknown, now: Instant, secret: string): RequestFailure {
  const facts = failureFacts(thrown);
  const kind = kindOf(facts);
  const afterMs = retryAfter(facts, now);
  return {
    failure: {
      kind,
      message: oneLine(failureMessage(kind, facts), secret),
      ...(facts.status !== undefined && { status: facts.status }),
      ...(afterMs !== undefined && { retryAt: now + afterMs }),
    },
    retry: isPassing(kind, facts) ? 'later' : 'no',
    ...(afterMs !== undefined && { afterMs }),
  };
}

/** Replaces a library's own message about an incomplete answer, which does not help the user. */
function failureMessage(
  kind: Kind,
  { message, hasBody, isAnswered, isTooLong }: FailureFacts,
): string {
  if (hasBody || isTooLong) return message;
  if (kind === 'broken-answer') return 'it could not be read';
  return kind === 'unreachable' && isAnswered ? 'the connection broke off in its answer' : message;
}

interface FailureFacts {
  readonly status: number | undefined;
  /** The types, codes and reasons of the provider, in lower case. */
  readonly words: ReadonlySet<string>;
  readonly message: string;
  readonly hasBody: boolean;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly details: readonly Record<string, unknown>[];
  /** The code of Node or undici, if the network failed. */
  readonly networkCode: string | undefined;
  readonly errorName: string;
  readonly isTooLong: boolean;
  /** Whether the answer had begun with status 200. */
  readonly isAnswered: boolean;
}

const BODY_LIMITS = { maxLength: 256 * 1024, maxDepth: 20 };

function failureFacts(thrown: unknown): FailureFacts {
  const outer = isObject(thrown) ? thrown : {};
  const body =
    typeof outer['responseBody'] === 'string' ? readBody(outer['responseBody']) : undefined;
  // For a failure in the middle of a stream, the thrown value is the body.
  const error = body ?? (thrown instanceof Error ? undefined : innerError(thrown));
  const details = (Array.isArray(error?.['details']) ? error['details'] : []).filter(isObject);
  const given = [error?.['type'], error?.['code'], error?.['status']];
  const reasons = details.map((detail) => detail['reason']);
  const words = [...given, ...reasons].filter((word) => typeof word === 'string');
  const said = error?.['message'];
  return {
    status: statusOf(outer['statusCode'] ?? error?.['statusCode'] ?? error?.['code']),
    words: new Set(words.map((word) => word.toLowerCase())),
    message: typeof said === 'string' && said !== '' ? said : messageOfAny(thrown),
    hasBody: error !== undefined,
    headers: isObject(outer['responseHeaders']) ? outer['responseHeaders'] : {},
    details,
    networkCode: networkCodeOf(thrown),
    isTooLong: thrown instanceof AnswerTooLong,
    isAnswered: outer['statusCode'] === 200,
    errorName: typeof outer['name'] === 'string' ? outer['name'] : '',
  };
}

function readBody(text: string): Record<string, unknown> | undefined {
  const parsed = parseJson(text, BODY_LIMITS);
  return parsed.ok ? innerError(parsed.value) : undefined;
}

/** Most providers wrap it as `error`; Gemini may put that in a list, vLLM does not wrap it, Ollama has only a text. */
function innerError(value: unknown): Record<string, unknown> | undefined {
  const one: unknown = Array.isArray(value) ? value[0] : value;
  if (typeof one === 'string') return { message: one };
  if (!isObject(one)) return undefined;
  if (isObject(one['error'])) return one['error'];
  if (typeof one['error'] === 'string') return { message: one['error'] };
  return typeof one['message'] === 'string' ? one : undefined;
}

function statusOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d{3}$/u.test(value) ? Number(value) : value;
  return typeof number === 'number' && number >= 400 && number <= 599 ? number : undefined;
}

function messageOfAny(thrown: unknown): string {
  if (thrown instanceof Error || typeof thrown !== 'object') return messageOf(thrown);
  return 'the provider reported a failure without words';
}

function networkCodeOf(thrown: unknown): string | undefined {
  let at: unknown = thrown;
  for (let depth = 0; depth < 5 && isObject(at); depth += 1) {
    const code = codeOf(at);
    if (code !== undefined && /^(?:E[A-Z]|UND_)/u.test(code)) return code;
    at = at['cause'];
  }
  return undefined;
}

type Kind = ModelFailure['kind'];

function kindOf(facts: FailureFacts): Kind {
  return kindByWords(facts) ?? kindByMessage(facts) ?? kindByStatus(facts) ?? kindByError(facts);
}

const KINDS: readonly (readonly [Kind, readonly string[]])[] = [
  ['bad-key', ['authentication_error', 'invalid_api_key', 'api_key_invalid', 'unauthenticated']],
  ['no-credit', ['billing_error', 'insufficient_quota', 'billing_hard_limit_reached']],
  [
    'context-overflow',
    ['context_length_exceeded', 'request_too_large', 'exceed_context_size_error'],
  ],
  ['unknown-model', ['model_not_found', 'not_found_error', 'not_found', 'notfounderror']],
  ['overloaded', ['overloaded_error', 'server_is_overloaded', 'slow_down', 'unavailable']],
  ['rate-limited', ['rate_limit_error', 'rate_limit_exceeded', 'resource_exhausted']],
  ['no-access', ['permission_error', 'permission_denied', 'unsupported_country_region_territory']],
];

function kindByWords({ words }: FailureFacts): Kind | undefined {
  return KINDS.find(([, known]) => known.some((word) => words.has(word)))?.[0];
}

/** Anthropic, Gemini and local servers report these as a plain "invalid request"; only the message differs. */
const TEXTS: readonly (readonly [Kind, RegExp])[] = [
  ['no-credit', /credit balance is too low/iu],
  [
    'context-overflow',
    /prompt is too long|exceed(?:s|ed)? (?:the )?(?:maximum|available|context)[^.]*(?:token|context)|token count[^.]*exceeds|maximum context length|context (?:window|length|size)[^.]*exceed/iu,
  ],
];

function kindByMessage({ status, message }: FailureFacts): Kind | undefined {
  if (status !== undefined && status !== 400 && status !== 413 && status !== 500) return undefined;
  return TEXTS.find(([, pattern]) => pattern.test(message))?.[0];
}

function kindByStatus({ status, hasBody }: FailureFacts): Kind | undefined {
  switch (status) {
    case undefined:
      return undefined;
    case 401:
      return 'bad-key';
    case 402:
      return 'no-credit';
    case 403:
      return 'no-access';
    case 404:
      // Without a body, the page is missing and not the model: the address is wrong.
      return hasBody ? 'unknown-model' : 'unreachable';
    case 413:
      return 'context-overflow';
    case 429:
      return 'rate-limited';
    case 503:
    case 529:
      return 'overloaded';
    default:
      return status < 500 ? 'bad-request' : 'other';
  }
}

const BROKEN = new Set([
  'AI_JSONParseError',
  'AI_TypeValidationError',
  'AI_InvalidResponseDataError',
  'AI_EmptyResponseBodyError',
]);

function kindByError({ networkCode, errorName, isTooLong }: FailureFacts): Kind {
  if (isTooLong || BROKEN.has(errorName)) return 'broken-answer';
  if (networkCode !== undefined) return 'unreachable';
  return errorName === 'AI_APICallError' ? 'unreachable' : 'other';
}

/** The server cannot be reached, and a retry in a few seconds would not change that. */
const HOPELESS = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EACCES', 'EINVAL']);
const TRY_AGAIN = new Set([408, 409, 425]);

function isPassing(kind: Kind, { status, networkCode }: FailureFacts): boolean {
  if (kind === 'overloaded' || kind === 'rate-limited') return true;
  if (kind === 'unreachable') return status === undefined && !HOPELESS.has(networkCode ?? '');
  if (kind === 'bad-request') return status !== undefined && TRY_AGAIN.has(status);
  return kind === 'other' && status !== undefined && status >= 500 && status !== 501;
}

function retryAfter({ headers, details }: FailureFacts, now: Instant): number | undefined {
  const ms = Number(headers['retry-after-ms'] ?? Number.NaN);
  if (Number.isFinite(ms) && ms >= 0) return ms;
  const header = headers['retry-after'];
  if (typeof header === 'string' && header !== '') {
    const seconds = Number(header);
    if (Number.isFinite(seconds) && seconds >= 0) return seconds * 1000;
    const date = Date.parse(header);
    if (Number.isFinite(date)) return Math.max(0, date - now);
  }
  return retryDelay(details);
}

/** https://cloud.google.com/apis/design/errors: a `RetryInfo` says `"retryDelay": "34s"`. */
function retryDelay(details: FailureFacts['details']): number | undefined {
  for (const { retryDelay: written } of details) {
    const seconds =
      typeof written === 'string' ? /^(\d{1,6}(?:\.\d+)?)s$/u.exec(written)?.[1] : undefined;
    if (seconds !== undefined) return Number(seconds) * 1000;
  }
  return undefined;
}

const MAX_LINE = 500;

/** For terminals: without line breaks, escape sequences and the key, and with a limited length. */
function oneLine(text: string, secret: string): string {
  const shown = secret.length < 8 ? text : text.replaceAll(secret, '…');
  const line = shown.replaceAll(/[\s\u0000-\u001f\u007f-\u009f]+/gu, ' ').trim();
  return line.length > MAX_LINE ? `${line.slice(0, MAX_LINE)}…` : line;
}
