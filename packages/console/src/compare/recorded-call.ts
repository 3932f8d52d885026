// What a recorded call asked for and what came back, read from its messages. Bodies that were cut cannot be read again. Pure.

import { isObject, type Json, type JsonObject, parseJson } from '@plugboard/base';
import type { CallDetail, MessageView, RunRequest } from '@plugboard/gateway/console-api';

export type RecordedResult =
  | { readonly kind: 'result'; readonly result: JsonObject }
  | { readonly kind: 'error'; readonly error: Json }
  /** Not there, or too large to be kept. */
  | { readonly kind: 'unknown'; readonly reason: string };

const LIMITS = { maxLength: 16 * 1024 * 1024, maxDepth: 200 };

const METHODS: ReadonlySet<string> = new Set(['tools/call', 'resources/read', 'prompts/get']);

/** Whether a call can be run again at all. */
export function isRepeatable({
  method,
  server,
  subject,
}: Pick<CallDetail, 'method' | 'server' | 'subject'>): boolean {
  return METHODS.has(method) && server !== undefined && subject !== undefined;
}

/** The call to make again; `undefined` if it cannot be repeated. */
export function requestOf(call: CallDetail): RunRequest | undefined {
  const { server, subject, method } = call;
  if (server === undefined || subject === undefined) return undefined;
  // A call of a file is none that the gateway knows.
  const replayed = { server, ...(/^\d+$/.test(call.id) ? { replayOf: call.id } : {}) };
  if (method === 'resources/read') return { ...replayed, kind: 'resource', uri: subject };
  const given = argumentsOf(call);
  if (given === undefined) return undefined;
  if (method === 'tools/call')
    return { ...replayed, kind: 'tool', tool: subject, arguments: given };
  return method === 'prompts/get'
    ? { ...replayed, kind: 'prompt', prompt: subject, arguments: given }
    : undefined;
}

function argumentsOf({ trace, method }: CallDetail): JsonObject | undefined {
  const asked = trace.find(
    (message) =>
      message.kind === 'request' && message.direction === 'to-server' && message.method === method,
  );
  const body = bodyOf(asked);
  const params = isObject(body) ? body['params'] : undefined;
  if (!isObject(params)) return undefined;
  const given = params['arguments'];
  return isObject(given) ? (given as JsonObject) : {};
}

/** As the client got it. */
export function resultOf({ trace }: Pick<CallDetail, 'trace'>): RecordedResult {
  const isAnswer = ({ kind, direction }: MessageView): boolean =>
    direction === 'to-client' && (kind === 'result' || kind === 'error');
  const answers = trace.filter(isAnswer);
  const last = answers.findLast(({ hop }) => hop === 'client') ?? answers.at(-1);
  if (last === undefined) return { kind: 'unknown', reason: 'No answer was recorded.' };
  if (last.isCut) return { kind: 'unknown', reason: 'The answer was too large to be kept.' };
  const body = bodyOf(last);
  if (!isObject(body)) return { kind: 'unknown', reason: 'The recorded answer cannot be read.' };
  const { result, error } = body as { readonly result?: Json; readonly error?: Json };
  if (error !== undefined) return { kind: 'error', error };
  return isObject(result)
    ? { kind: 'result', result: result }
    : { kind: 'unknown', reason: 'The recorded answer has no result.' };
}

function bodyOf(message: MessageView | undefined): unknown {
  if (message === undefined || message.isCut) return undefined;
  const parsed = parseJson(message.body, LIMITS);
  return parsed.ok ? parsed.value : undefined;
}

/** What two results are compared by: `_meta` is of the one request, and not of the answer. */
export function comparable(result: RecordedResult): Json {
  if (result.kind === 'error') return { error: result.error };
  if (result.kind === 'unknown') return null;
  const { _meta: _, ...rest } = result.result;
  return withParsedText(rest);
}

/** Text that is JSON is compared as what it says. */
function withParsedText(result: JsonObject): JsonObject {
  const { content } = result;
  if (!Array.isArray(content)) return result;
  const blocks = (content as readonly Json[]).map((block): Json => {
    const text = isObject(block) ? block['text'] : undefined;
    if (typeof text !== 'string' || !/^\s*[{[]/.test(text)) return block;
    const parsed = parseJson(text, LIMITS);
    return parsed.ok ? { ...(block as JsonObject), text: parsed.value } : block;
  });
  return { ...result, content: blocks };
}
