// Reads the request and the answer of a recorded call from its messages. Bodies that were cut cannot be read. Pure.

import { isObject, type Json, type JsonObject, parseJson } from '@plugboard/base';
import type { CallDetail, MessageView, RunRequest } from '@plugboard/gateway/console-api';

export type RecordedResult =
  | { readonly kind: 'result'; readonly result: JsonObject }
  | { readonly kind: 'error'; readonly error: Json }
  /** Missing, or too large to be recorded. */
  | { readonly kind: 'unknown'; readonly reason: string };

const LIMITS = { maxLength: 16 * 1024 * 1024, maxDepth: 200 };

const METHODS: ReadonlySet<string> = new Set(['tools/call', 'resources/read', 'prompts/get']);

/** Whether a call is of a kind that can be run again. */
export function isRepeatable({
  method,
  server,
  subject,
}: Pick<CallDetail, 'method' | 'server' | 'subject'>): boolean {
  return METHODS.has(method) && server !== undefined && subject !== undefined;
}

/** The request that runs the call again; `undefined` if there is none. */
export function requestOf(call: CallDetail): RunRequest | undefined {
  const { server, subject, method } = call;
  if (server === undefined || subject === undefined) return undefined;
  // The gateway does not know calls of a recording file.
  const common = { server, ...(/^\d+$/.test(call.id) ? { replayOf: call.id } : {}) };
  if (method === 'resources/read') return { ...common, kind: 'resource', uri: subject };
  const given = argumentsOf(call);
  if (given === undefined) return undefined;
  if (method === 'tools/call') return { ...common, kind: 'tool', tool: subject, arguments: given };
  return method === 'prompts/get'
    ? { ...common, kind: 'prompt', prompt: subject, arguments: given }
    : undefined;
}

function argumentsOf({ trace, method }: CallDetail): JsonObject | undefined {
  const request = trace.find(
    (message) =>
      message.kind === 'request' && message.direction === 'to-server' && message.method === method,
  );
  const body = bodyOf(request);
  const params = isObject(body) ? body['params'] : undefined;
  if (!isObject(params)) return undefined;
  const given = params['arguments'];
  return isObject(given) ? (given as JsonObject) : {};
}

/** The answer that the client got. */
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

/** The part of a result to compare: without `_meta`, which belongs to one request. */
export function comparable(result: RecordedResult): Json {
  if (result.kind === 'error') return { error: result.error };
  if (result.kind === 'unknown') return null;
  const { _meta: _, ...rest } = result.result;
  return withParsedText(rest);
}

/** Parses text that is JSON, to compare values and not formatting. */
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
