// Runs a tool, reads a resource or gets a prompt for the user of the console. Like the request of any client, it is
// recorded, and rules or approvals decide about it.

import { randomUUID } from 'node:crypto';
import { isObject, type Json, type JsonObject, parseJson } from '@plugboard/base';
import { redact } from '@plugboard/host/relay';
import type { RunOutcome, RunRequest } from '../console-api.ts';
import {
  CLIENT_CAPABILITIES,
  CLIENT_INFO,
  MODERN_REVISION,
  PROTOCOL_VERSION,
  type RpcReply,
} from '../message/index.ts';
import { answerModern } from '../session/index.ts';
import type { CallRecord } from '../traffic/index.ts';
import type { Console } from './console.ts';
import { type ApiAnswer, type ApiRequest, NO_SERVER, refused, type Route } from './route.ts';

const MOST_BYTES = 8 * 1024 * 1024;
/** Of the shown result. */
const LONGEST_RESULT = 16 * 1024 * 1024;

const MEDIA: ReadonlySet<string> = new Set(['data', 'blob']);
const MEDIA_MARK = 'media ';

/** The console declares no capabilities: the desk answers the questions of servers. */
const META = {
  [PROTOCOL_VERSION]: MODERN_REVISION,
  [CLIENT_CAPABILITIES]: {},
  [CLIENT_INFO]: { name: 'console', version: '1' },
};

export function runRoute(shown: Console): Route {
  return {
    method: 'POST',
    path: '/run',
    maxBytes: MOST_BYTES,
    answer: (request) => run(request, shown),
  };
}

async function run(request: ApiRequest, shown: Console): Promise<ApiAnswer> {
  const wanted = readRun(request.body);
  if (wanted === undefined) return refused(400, 'This cannot be run');
  const ran = await runCall(wanted, request, shown);
  return ran === undefined ? NO_SERVER : { kind: 'json', body: outcomeOf(ran) };
}

/** The result of a request. */
export interface RunResult {
  readonly reply: RpcReply;
  readonly record: CallRecord | undefined;
}

/** `undefined` if there is no such server. */
export async function runCall(
  wanted: RunRequest,
  { reader, signal }: Pick<ApiRequest, 'reader' | 'signal'>,
  { core, recorder }: Console,
): Promise<RunResult | undefined> {
  const endpoint = core.endpoint({ kind: 'server', server: wanted.server });
  if (endpoint === undefined) return undefined;
  let record: CallRecord | undefined;
  const { replayOf } = wanted;
  const reply = await answerModern(
    { id: randomUUID(), ...requestOf(wanted) },
    {
      core,
      endpoint,
      principal: reader.principal,
      front: 'console',
      signal,
      notify: () => {},
      recorder: {
        begin: (begun) => {
          record = recorder.begin({ ...begun, replayOf });
          return record;
        },
      },
    },
  );
  return { reply, record };
}

function requestOf(wanted: RunRequest): { readonly method: string; readonly params: JsonObject } {
  const _meta = META;
  switch (wanted.kind) {
    case 'tool':
      return {
        method: 'tools/call',
        params: { name: wanted.tool, arguments: wanted.arguments, _meta },
      };
    case 'resource':
      return { method: 'resources/read', params: { uri: wanted.uri, _meta } };
    case 'prompt':
      return {
        method: 'prompts/get',
        params: { name: wanted.prompt, arguments: wanted.arguments, _meta },
      };
    default:
      return wanted satisfies never;
  }
}

export function outcomeOf({ reply, record }: RunResult): RunOutcome {
  const { id = '', state = 'error', ms = 0, problem } = record?.view() ?? {};
  const failure = 'error' in reply ? reply.error.message : undefined;
  return {
    call: id,
    state,
    ms: Math.round(ms),
    result: 'error' in reply ? undefined : withoutSecrets(reply.result),
    problem: problem ?? failure,
  };
}

/** Hides secrets, except in images and sounds, which hold no text. */
function withoutSecrets(result: JsonObject): JsonObject {
  const media: string[] = [];
  const plain = JSON.stringify(result, (key, value: unknown) =>
    MEDIA.has(key) && typeof value === 'string' ? `${MEDIA_MARK}${media.push(value)}` : value,
  );
  const text = redact(JSON.parse(plain), LONGEST_RESULT);
  const read = parseJson(text, { maxLength: LONGEST_RESULT, maxDepth: 200 });
  // A result that was cut is not JSON.
  if (!read.ok || !isObject(read.value)) return { content: [{ type: 'text', text }] };
  return JSON.parse(JSON.stringify(read.value), (key, value: unknown) =>
    MEDIA.has(key) && typeof value === 'string' && value.startsWith(MEDIA_MARK)
      ? (media[Number(value.slice(MEDIA_MARK.length)) - 1] ?? value)
      : value,
  ) as JsonObject;
}

function readRun(body: Json | undefined): RunRequest | undefined {
  if (!isObject(body) || typeof body['server'] !== 'string') return undefined;
  const { server, kind, tool, uri, prompt, replayOf } = body;
  const given = isObject(body['arguments']) ? body['arguments'] : {};
  const of = { server, ...(typeof replayOf === 'string' ? { replayOf } : {}) };
  if (kind === 'tool' && typeof tool === 'string') return { ...of, kind, tool, arguments: given };
  if (kind === 'resource' && typeof uri === 'string') return { ...of, kind, uri };
  if (kind === 'prompt' && typeof prompt === 'string') {
    return { ...of, kind, prompt, arguments: given };
  }
  return undefined;
}
