// Sends one request to the model: yields its output as events, and returns the result. Aborting ends the stream, even one
// that ignores its signal.

import { abortable, messageOf } from '@plugboard/base';
import type {
  AgentEvent,
  AssistantMessage,
  AssistantPart,
  FinishReason,
  Model,
  ModelEvent,
  ModelFailure,
  ModelRequest,
  Usage,
} from '../conversation/index.ts';

export type ModelReply =
  | {
      readonly kind: 'finished';
      readonly reason: FinishReason;
      readonly message: AssistantMessage;
      readonly usage: Usage;
    }
  /** `said`: the text before the failure. */
  | { readonly kind: 'failed'; readonly failure: ModelFailure; readonly said: string }
  | { readonly kind: 'cancelled'; readonly said: string };

export interface AskModelOptions {
  readonly agent: string;
  readonly model: Model;
  readonly request: ModelRequest;
  readonly signal: AbortSignal;
}

export async function* askModel(options: AskModelOptions): AsyncGenerator<AgentEvent, ModelReply> {
  const { agent, signal } = options;
  let said = '';
  try {
    for await (const event of cancellable(options)) {
      switch (event.kind) {
        case 'text':
          said += event.text;
          yield { agent, ...event };
          break;
        case 'reasoning':
        case 'retrying':
        case 'call-announced':
          yield { agent, ...event };
          break;
        case 'call':
          // The final message contains it.
          break;
        case 'finished':
          return { ...event, message: normalized(event.message) };
        case 'failed':
          return signal.aborted || event.failure.kind === 'cancelled'
            ? { kind: 'cancelled', said }
            : { kind: 'failed', failure: event.failure, said };
        default:
          return event satisfies never;
      }
    }
    return { kind: 'failed', failure: broken('the model stopped in the middle'), said };
  } catch (thrown) {
    if (signal.aborted) return { kind: 'cancelled', said };
    return { kind: 'failed', failure: broken(messageOf(thrown)), said };
  }
}

async function* cancellable({
  model,
  request,
  signal,
}: AskModelOptions): AsyncGenerator<ModelEvent> {
  signal.throwIfAborted();
  const stream = model.stream(request, signal)[Symbol.asyncIterator]();
  let isDone = false;
  try {
    for (;;) {
      const next = await abortable(stream.next(), signal);
      isDone = next.done === true;
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    // Not awaited, since a stream that hangs would block the cancellation.
    if (!isDone) void stream.return?.().then(undefined, () => {});
  }
}

function broken(message: string): ModelFailure {
  return { kind: 'broken-answer', message };
}

/** Makes the ids of calls unique, since answers refer to them. Removes empty text, which providers refuse. */
function normalized(message: AssistantMessage): AssistantMessage {
  const seen = new Set<string>();
  const said = message.parts.filter((part) => part.kind !== 'text' || part.text.trim() !== '');
  const parts = said.map((part): AssistantPart => {
    if (part.kind !== 'call') return part;
    let { id } = part;
    for (let count = 2; seen.has(id); count += 1) id = `${part.id}-${count}`;
    seen.add(id);
    return id === part.id ? part : { ...part, id };
  });
  return { ...message, parts };
}
