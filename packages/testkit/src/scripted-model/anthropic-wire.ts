// The Messages API of Anthropic. https://platform.claude.com/docs/en/build-with-claude/streaming

import {
  argumentText,
  type FailureTable,
  type FullCall,
  type FullUsage,
  inPieces,
  namedEvent,
  type StopReason,
  type Wire,
  type WireFailure,
} from './wire.ts';

const STOPS: Readonly<Record<StopReason, string>> = {
  stop: 'end_turn',
  calls: 'tool_use',
  length: 'max_tokens',
  filtered: 'refusal',
};

export class AnthropicWire implements Wire {
  readonly #model: string;
  #index = 0;
  #isTextOpen = false;

  constructor(model: string) {
    this.#model = model;
  }

  begin(usage: FullUsage): string {
    const message = {
      id: 'msg_scripted',
      type: 'message',
      role: 'assistant',
      model: this.#model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { ...inputUsage(usage), output_tokens: 1 },
    };
    return namedEvent('message_start', { message }) + namedEvent('ping');
  }

  text(delta: string): string {
    const opened = this.#isTextOpen ? '' : this.#start({ type: 'text', text: '' });
    this.#isTextOpen = true;
    return opened + this.#delta({ type: 'text_delta', text: delta });
  }

  reasoning(text: string, signature = 'c2lnbmF0dXJl'): string {
    return (
      this.#closeText() +
      this.#start({ type: 'thinking', thinking: '', signature: '' }) +
      this.#delta({ type: 'thinking_delta', thinking: text }) +
      this.#delta({ type: 'signature_delta', signature }) +
      this.#stop()
    );
  }

  call(call: FullCall): string {
    const pieces = inPieces(argumentText(call));
    return (
      this.#closeText() +
      this.#start({ type: 'tool_use', id: call.id, name: call.tool, input: {} }) +
      pieces
        .map((piece) => this.#delta({ type: 'input_json_delta', partial_json: piece }))
        .join('') +
      this.#stop()
    );
  }

  end(stop: StopReason, usage: FullUsage): string {
    const delta = { stop_reason: STOPS[stop], stop_sequence: null };
    return (
      this.#closeText() +
      namedEvent('message_delta', {
        delta,
        usage: { ...inputUsage(usage), output_tokens: usage.output },
      }) +
      namedEvent('message_stop')
    );
  }

  failure({ body }: WireFailure): string {
    return namedEvent('error', body as object);
  }

  #closeText(): string {
    if (!this.#isTextOpen) return '';
    this.#isTextOpen = false;
    return this.#stop();
  }

  #start(content_block: object): string {
    return namedEvent('content_block_start', { index: this.#index, content_block });
  }

  #delta(delta: object): string {
    return namedEvent('content_block_delta', { index: this.#index, delta });
  }

  #stop(): string {
    const event = namedEvent('content_block_stop', { index: this.#index });
    this.#index += 1;
    return event;
  }
}

function inputUsage(usage: FullUsage): object {
  return {
    input_tokens: Math.max(0, usage.input - usage.cacheRead - usage.cacheWrite),
    cache_creation_input_tokens: usage.cacheWrite,
    cache_read_input_tokens: usage.cacheRead,
  };
}

function failure(status: number, type: string, message: string): WireFailure {
  return { status, body: { type: 'error', error: { type, message }, request_id: 'req_scripted' } };
}

/** https://platform.claude.com/docs/en/api/errors */
export const ANTHROPIC_FAILURES: FailureTable = {
  'bad-key': failure(401, 'authentication_error', 'invalid x-api-key'),
  'no-access': failure(403, 'permission_error', 'Your API key may not use this resource'),
  'unknown-model': failure(404, 'not_found_error', 'model: claude-nonesuch'),
  'context-overflow': failure(
    400,
    'invalid_request_error',
    'prompt is too long: 215000 tokens > 200000 maximum',
  ),
  'no-credit': failure(
    400,
    'invalid_request_error',
    'Your credit balance is too low to access the Anthropic API.',
  ),
  'rate-limited': failure(429, 'rate_limit_error', 'This request would exceed your rate limit'),
  overloaded: failure(529, 'overloaded_error', 'Overloaded'),
  'server-error': failure(500, 'api_error', 'Internal server error'),
};
