// The Responses API of OpenAI. https://platform.openai.com/docs/api-reference/responses-streaming

import {
  argumentText,
  type FullCall,
  type FullUsage,
  inPieces,
  namedEvent,
  type StopReason,
  type Wire,
  type WireFailure,
} from './wire.ts';

interface OpenMessage {
  readonly id: string;
  readonly index: number;
  text: string;
}

export class ResponsesWire implements Wire {
  readonly #model: string;
  #sequence = 0;
  #items = 0;
  #message: OpenMessage | undefined;

  constructor(model: string) {
    this.#model = model;
  }

  begin(): string {
    const response = this.#response('in_progress');
    return (
      this.#event('response.created', { response }) +
      this.#event('response.in_progress', { response })
    );
  }

  text(delta: string): string {
    const opened = this.#openMessage();
    const message = this.#message;
    if (message === undefined) return opened;
    message.text += delta;
    const at = { item_id: message.id, output_index: message.index, content_index: 0 };
    return opened + this.#event('response.output_text.delta', { ...at, delta, logprobs: [] });
  }

  reasoning(text: string, signature = 'ZW5jcnlwdGVk'): string {
    const closed = this.#closeMessage();
    const index = this.#nextIndex();
    const id = `rs_scripted_${index}`;
    const empty = { id, type: 'reasoning', summary: [], encrypted_content: '' };
    const part = { type: 'summary_text', text };
    const at = { item_id: id, output_index: index, summary_index: 0 };
    const whole = { ...empty, summary: [part], encrypted_content: signature };
    return (
      closed +
      this.#event('response.output_item.added', { output_index: index, item: empty }) +
      this.#event('response.reasoning_summary_part.added', { ...at, part: { ...part, text: '' } }) +
      this.#event('response.reasoning_summary_text.delta', { ...at, delta: text }) +
      this.#event('response.reasoning_summary_text.done', { ...at, text }) +
      this.#event('response.reasoning_summary_part.done', { ...at, part }) +
      this.#event('response.output_item.done', { output_index: index, item: whole })
    );
  }

  call(call: FullCall): string {
    if (call.tool === 'tool_search') return this.#search(call);
    const closed = this.#closeMessage();
    const index = this.#nextIndex();
    const id = `fc_scripted_${index}`;
    const text = argumentText(call);
    const item = { id, type: 'function_call', call_id: call.id, name: call.tool };
    const at = { item_id: id, output_index: index };
    const begun = { ...item, status: 'in_progress', arguments: '' };
    const whole = { ...item, status: 'completed', arguments: text };
    return (
      closed +
      this.#event('response.output_item.added', { output_index: index, item: begun }) +
      inPieces(text)
        .map((delta) => this.#event('response.function_call_arguments.delta', { ...at, delta }))
        .join('') +
      this.#event('response.function_call_arguments.done', { ...at, arguments: text }) +
      this.#event('response.output_item.done', { output_index: index, item: whole })
    );
  }

  end(stop: StopReason, usage: FullUsage): string {
    const reason = stop === 'length' ? 'max_output_tokens' : 'content_filter';
    const isWhole = stop === 'stop' || stop === 'calls';
    const response = {
      ...this.#response(isWhole ? 'completed' : 'incomplete'),
      incomplete_details: isWhole ? null : { reason },
      usage: {
        input_tokens: usage.input,
        input_tokens_details: { cached_tokens: usage.cacheRead },
        output_tokens: usage.output,
        output_tokens_details: { reasoning_tokens: 0 },
        total_tokens: usage.input + usage.output,
      },
    };
    const type = isWhole ? 'response.completed' : 'response.incomplete';
    return this.#closeMessage() + this.#event(type, { response });
  }

  failure({ body }: WireFailure): string {
    const { error } = body as { error: { code: string; message: string } };
    const response = { ...this.#response('failed'), error };
    return this.#event('response.failed', { response });
  }

  /** A search by the client, whose arguments arrive at once. */
  #search({ id: call_id, arguments: given }: FullCall): string {
    const closed = this.#closeMessage();
    const index = this.#nextIndex();
    const id = `tsc_scripted_${index}`;
    const item = { id, type: 'tool_search_call', execution: 'client', call_id, arguments: given };
    const begun = { ...item, status: 'in_progress', arguments: {} };
    return (
      closed +
      this.#event('response.output_item.added', { output_index: index, item: begun }) +
      this.#event('response.output_item.done', {
        output_index: index,
        item: { ...item, status: 'completed' },
      })
    );
  }

  #openMessage(): string {
    if (this.#message !== undefined) return '';
    const index = this.#nextIndex();
    const id = `msg_scripted_${index}`;
    this.#message = { id, index, text: '' };
    const item = { id, type: 'message', status: 'in_progress', role: 'assistant', content: [] };
    const part = { type: 'output_text', text: '', annotations: [], logprobs: [] };
    const at = { item_id: id, output_index: index, content_index: 0 };
    return (
      this.#event('response.output_item.added', { output_index: index, item }) +
      this.#event('response.content_part.added', { ...at, part })
    );
  }

  #closeMessage(): string {
    const message = this.#message;
    if (message === undefined) return '';
    this.#message = undefined;
    const { id, index, text } = message;
    const part = { type: 'output_text', text, annotations: [], logprobs: [] };
    const at = { item_id: id, output_index: index, content_index: 0 };
    const item = { id, type: 'message', status: 'completed', role: 'assistant', content: [part] };
    return (
      this.#event('response.output_text.done', { ...at, text, logprobs: [] }) +
      this.#event('response.content_part.done', { ...at, part }) +
      this.#event('response.output_item.done', { output_index: index, item })
    );
  }

  #nextIndex(): number {
    const index = this.#items;
    this.#items += 1;
    return index;
  }

  #response(status: string): object {
    return {
      id: 'resp_scripted',
      object: 'response',
      created_at: 1_760_000_000,
      status,
      model: this.#model,
      output: [],
      usage: null,
      error: null,
      incomplete_details: null,
    };
  }

  #event(type: string, fields: object): string {
    const event = namedEvent(type, { sequence_number: this.#sequence, ...fields });
    this.#sequence += 1;
    return event;
  }
}
