// Chat Completions of OpenAI, as Ollama, vLLM and LM Studio also support it.
// https://platform.openai.com/docs/api-reference/chat-streaming

import {
  argumentText,
  dataLine,
  type FailureTable,
  type FullCall,
  type FullUsage,
  inPieces,
  type StopReason,
  type Wire,
  type WireFailure,
} from './wire.ts';

const STOPS: Readonly<Record<StopReason, string>> = {
  stop: 'stop',
  calls: 'tool_calls',
  length: 'length',
  filtered: 'content_filter',
};

export class ChatWire implements Wire {
  readonly #model: string;
  #calls = 0;

  constructor(model: string) {
    this.#model = model;
  }

  begin(): string {
    return this.#delta({ role: 'assistant', content: '' });
  }

  text(delta: string): string {
    return this.#delta({ content: delta });
  }

  reasoning(text: string): string {
    return this.#delta({ reasoning_content: text });
  }

  call(call: FullCall): string {
    const index = this.#calls;
    this.#calls += 1;
    const head = { name: call.tool, arguments: '' };
    const first = { index, id: call.id, type: 'function', function: head };
    const rest = inPieces(argumentText(call)).map((piece) =>
      this.#delta({ tool_calls: [{ index, function: { arguments: piece } }] }),
    );
    return this.#delta({ tool_calls: [first] }) + rest.join('');
  }

  end(stop: StopReason, usage: FullUsage): string {
    const totals = {
      prompt_tokens: usage.input,
      completion_tokens: usage.output,
      total_tokens: usage.input + usage.output,
      prompt_tokens_details: { cached_tokens: usage.cacheRead },
    };
    return (
      this.#chunk({ choices: [{ index: 0, delta: {}, finish_reason: STOPS[stop] }] }) +
      this.#chunk({ choices: [], usage: totals }) +
      'data: [DONE]\n\n'
    );
  }

  failure({ body }: WireFailure): string {
    return dataLine(body);
  }

  #delta(delta: object): string {
    return this.#chunk({ choices: [{ index: 0, delta, finish_reason: null }] });
  }

  #chunk(fields: object): string {
    return dataLine({
      id: 'chatcmpl-scripted',
      object: 'chat.completion.chunk',
      created: 1_760_000_000,
      model: this.#model,
      ...fields,
    });
  }
}

function failure(status: number, code: string, message: string): WireFailure {
  const type = TYPES[code] ?? 'invalid_request_error';
  return { status, body: { error: { message, type, param: null, code } } };
}

const TYPES: Readonly<Record<string, string>> = {
  insufficient_quota: 'insufficient_quota',
  rate_limit_exceeded: 'requests',
  server_is_overloaded: 'server_error',
  server_error: 'server_error',
};

/** https://platform.openai.com/docs/guides/error-codes */
export const OPENAI_FAILURES: FailureTable = {
  'bad-key': failure(401, 'invalid_api_key', 'Incorrect API key provided: sk-no***key.'),
  'no-access': failure(403, 'unsupported_country_region_territory', 'Country not supported'),
  'unknown-model': failure(404, 'model_not_found', 'The model `gpt-nonesuch` does not exist'),
  'context-overflow': failure(
    400,
    'context_length_exceeded',
    'Your input exceeds the context window of this model.',
  ),
  'no-credit': failure(
    429,
    'insufficient_quota',
    'You exceeded your current quota, please check your plan and billing details.',
  ),
  'rate-limited': failure(429, 'rate_limit_exceeded', 'Rate limit reached'),
  overloaded: failure(503, 'server_is_overloaded', 'Our servers are overloaded'),
  'server-error': failure(500, 'server_error', 'The server had an error'),
};
