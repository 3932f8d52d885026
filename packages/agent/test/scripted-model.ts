// A model with the answers of a test, one step for each request, which records the requests.

import type {
  AssistantPart,
  FinishReason,
  Message,
  Model,
  ModelEvent,
  ModelFailure,
  ModelRequest,
  ToolCall,
  Usage,
  UserMessage,
} from '../src/conversation/index.ts';

export type Step =
  | {
      readonly kind: 'says';
      readonly parts: readonly AssistantPart[];
      readonly reason?: FinishReason;
      readonly usage?: Usage;
    }
  | { readonly kind: 'fails'; readonly failure: ModelFailure; readonly after?: string }
  | { readonly kind: 'throws'; readonly message: string }
  /** Sends some text, and then hangs, ignoring its signal. */
  | { readonly kind: 'hangs'; readonly after: string; readonly onHang: () => void };

export interface ScriptedModel extends Model {
  readonly requests: ModelRequest[];
  /** The number of open streams. */
  readonly open: () => number;
}

export const USAGE: Usage = {
  inputTokens: 100,
  outputTokens: 10,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
};

export function says(text: string): Step {
  return { kind: 'says', parts: [{ kind: 'text', text }] };
}

export function calls(...made: readonly ToolCall[]): Step {
  return { kind: 'says', parts: made, reason: 'calls' };
}

export function call(id: string, tool: string, given: ToolCall['arguments'] = {}): ToolCall {
  return { kind: 'call', id, tool, arguments: given };
}

export function user(text: string): UserMessage {
  return { kind: 'user', parts: [{ kind: 'text', text }] };
}

export function assistant(...parts: readonly AssistantPart[]): Message {
  return { kind: 'assistant', parts };
}

type Script = readonly Step[] | ((request: ModelRequest, index: number) => Step);

export function scriptedModel(
  script: Script,
  facts: Partial<Pick<Model, 'contextTokens' | 'costOf'>> = {},
): ScriptedModel {
  const requests: ModelRequest[] = [];
  let open = 0;
  return {
    name: 'scripted/model',
    contextTokens: 100_000,
    costOf: ({ inputTokens, outputTokens }) => (inputTokens + outputTokens) / 1000,
    ...facts,
    requests,
    open: () => open,
    async *stream(request) {
      const index = requests.push(request) - 1;
      const step = typeof script === 'function' ? script(request, index) : script[index];
      open += 1;
      try {
        yield* played(step ?? says('nothing more'));
      } finally {
        open -= 1;
      }
    },
  };
}

async function* played(step: Step): AsyncGenerator<ModelEvent> {
  switch (step.kind) {
    case 'says': {
      const { parts, reason = 'stop', usage = USAGE } = step;
      for (const part of parts) {
        if (part.kind !== 'call') yield { kind: part.kind, text: part.text };
        else {
          yield { kind: 'call-announced', id: part.id, tool: part.tool };
          yield { kind: 'call', call: part };
        }
      }
      yield { kind: 'finished', reason, message: { kind: 'assistant', parts }, usage };
      break;
    }
    case 'fails':
      if (step.after !== undefined) yield { kind: 'text', text: step.after };
      yield { kind: 'failed', failure: step.failure };
      break;
    case 'throws':
      throw new Error(step.message);
    case 'hangs':
      yield { kind: 'text', text: step.after };
      await new Promise<void>(() => {
        step.onHang();
      });
      break;
    default:
      step satisfies never;
  }
}
