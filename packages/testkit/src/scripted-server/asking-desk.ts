// Asks the client: by a request in the legacy era, by a result that requires input in the modern one. Records the
// notifications of the client.

import type { Json, JsonObject } from '@plugboard/base';
import { CAPABILITIES_KEY } from './era.ts';
import {
  type Incoming,
  MISSING_CAPABILITY,
  objectOf,
  type Outgoing,
  type RequestId,
} from './json-rpc.ts';
import { type Outcome, structured, text, type Tool, type ToolCall } from './tool-call.ts';

export class AskingDesk {
  readonly #waiting = new Map<RequestId, (answer: JsonObject) => void>();
  readonly #notifications: string[] = [];
  #capabilities: Json = {};
  #level: Json | undefined;
  #asked = 0;

  /** Sends a request of the server; resolves with its answer. */
  ask(method: string, params: JsonObject, send: (message: Outgoing) => void): Promise<JsonObject> {
    this.#asked += 1;
    const id = `ask-${this.#asked}`;
    const answered = new Promise<JsonObject>((resolve) => this.#waiting.set(id, resolve));
    send({ jsonrpc: '2.0', id, method, params });
    return answered;
  }

  hear(message: Incoming): void {
    if (message.kind === 'notification') this.#notifications.push(message.method);
    if (message.kind === 'request') {
      const { capabilities, _meta } = message.params;
      const declared = capabilities ?? objectOf(_meta)[CAPABILITIES_KEY];
      if (declared !== undefined) this.#capabilities = declared;
      if (message.method === 'logging/setLevel') this.#level = message.params['level'];
    }
    if (message.kind !== 'answer') return;
    this.#waiting.get(message.id)?.(message.answer);
    this.#waiting.delete(message.id);
  }

  get tools(): readonly Tool[] {
    return [
      { definition: { name: 'ask', description: 'Asks the client' }, run: runAsk },
      { definition: { name: 'backwards', description: 'Tells progress as given' }, run: runSteps },
      { definition: { name: 'say', description: 'Says something unasked' }, run: runSay },
      {
        definition: { name: 'heard', description: 'What the client said unasked' },
        run: () =>
          structured({
            notifications: this.#notifications,
            capabilities: this.#capabilities,
            ...(this.#level === undefined ? {} : { level: this.#level }),
          }),
      },
    ];
  }
}

/** By method: the capability that a client needs to answer it. */
const ASKED_WITH: Readonly<Record<string, string>> = {
  'elicitation/create': 'elicitation',
  'sampling/createMessage': 'sampling',
  'roots/list': 'roots',
};

async function runAsk(call: ToolCall): Promise<Outcome> {
  const { args, era, ask } = call;
  const { method, params, times } = wishOf(args);
  const keys = Array.from({ length: times }, (_, index) => `question-${index}`);
  const inTurn = args['inTurn'] === true;
  if (era === 'modern') return inTurn ? askNext(call, keys) : askAll(call, keys);
  if (!inTurn)
    return structured({ answers: await Promise.all(keys.map(() => ask(method, params))) });
  const answers: JsonObject[] = [];
  for (const _ of keys) answers.push(await ask(method, params));
  return structured({ answers });
}

/** One round per question; the client carries the earlier answers in the state. */
function askNext(call: ToolCall, keys: readonly string[]): Outcome {
  const { args, inputResponses, requestState } = call;
  const { method, params } = wishOf(args);
  const known = requestState === undefined ? [] : (JSON.parse(requestState) as JsonObject[]);
  const answered =
    inputResponses === undefined
      ? known
      : [...known, { result: inputResponses[keys[known.length] ?? ''] ?? null }];
  const next = keys[answered.length];
  if (next === undefined) return structured({ answers: answered });
  const lacking = lackOf(call, method);
  if (lacking !== undefined) return lacking;
  return {
    kind: 'result',
    result: {
      resultType: 'input_required',
      inputRequests: { [next]: { method, params } },
      requestState: JSON.stringify(answered),
    },
  };
}

function lackOf({ capabilities }: ToolCall, method: string): Outcome | undefined {
  const capability = ASKED_WITH[method];
  if (capability === undefined || capabilities[capability] !== undefined) return undefined;
  return {
    kind: 'error',
    error: {
      code: MISSING_CAPABILITY,
      message: 'Missing required client capability',
      data: { requiredCapabilities: { [capability]: {} } },
    },
  };
}

function askAll(call: ToolCall, keys: readonly string[]): Outcome {
  const { args, inputResponses } = call;
  const { method, params } = wishOf(args);
  if (inputResponses === undefined) {
    const lacking = lackOf(call, method);
    if (lacking !== undefined) return lacking;
    const inputRequests = Object.fromEntries(keys.map((key) => [key, { method, params }]));
    return { kind: 'result', result: { resultType: 'input_required', inputRequests } };
  }
  return structured({ answers: keys.map((key) => ({ result: inputResponses[key] ?? null })) });
}

function runSteps({ args: { steps }, progress }: ToolCall): Outcome {
  for (const step of Array.isArray(steps) ? steps : []) progress(Number(step), 10);
  return text('done');
}

function runSay({ args, notify }: ToolCall): Outcome {
  const { method, params, times } = wishOf(args);
  for (let count = 0; count < times; count += 1) notify(method, params);
  return text('said');
}

function wishOf({ method, params, times = 1 }: JsonObject): {
  readonly method: string;
  readonly params: JsonObject;
  readonly times: number;
} {
  return {
    method: typeof method === 'string' ? method : '',
    params: objectOf(params),
    times: Number(times),
  };
}
