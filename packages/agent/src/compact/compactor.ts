// Keeps a conversation within the model's context window. Old answers are shortened first. If that is not enough, the
// model's own notes replace the older messages, and the last ones stay as they are. The result is a whole conversation.

import type { Message, Model, ModelTool, Usage, UserMessage } from '../conversation/index.ts';
import { withoutReferences, withReferences } from '../conversation/index.ts';
import { shortenAnswers, shortText } from './shorten-answers.ts';
import { rendered, summarise } from './summarise.ts';
import {
  tokensOfMessage,
  tokensOfMessages,
  tokensOfText,
  tokensOfTools,
} from './token-estimate.ts';
import { toolStateText } from './tool-state.ts';

export interface CompactorOptions {
  readonly model: Model;
  /** How full the context may be. */
  readonly contextShare: number;
}

export interface CompactionResult {
  readonly messages: readonly Message[];
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** Of the request for notes, where one was made. */
  readonly usage?: Usage;
}

/** What is sent beside the messages. */
export interface RequestContext {
  readonly system: string;
  readonly tools: readonly ModelTool[];
}

/** Of the context: so much stays as it is. */
const TAIL_SHARE = 0.25;
/** Shortening is enough where it frees so much of what there may be. */
const ENOUGH_SHARE = 0.7;
/** In characters, where the model gave no notes. */
const PLAIN_NOTES = 6000;

export class Compactor {
  readonly #model: Model;
  readonly #limit: number;
  /** What the model counted for the messages before `count`, and for all beside them. */
  #measured: { readonly count: number; readonly tokens: number } | undefined;

  constructor({ model, contextShare }: CompactorOptions) {
    this.#model = model;
    this.#limit = model.contextTokens * contextShare;
  }

  /** What the model said of a request with so many messages. */
  measured(count: number, { inputTokens, outputTokens }: Usage): void {
    // Its answer is the next message.
    this.#measured = { count: count + 1, tokens: inputTokens + outputTokens };
  }

  /** `undefined` while there is room. */
  async ifNeeded(
    messages: readonly Message[],
    beside: RequestContext,
    signal: AbortSignal,
  ): Promise<CompactionResult | undefined> {
    return this.tokens(messages, beside) < this.#limit
      ? undefined
      : this.smaller(messages, beside, signal);
  }

  /** Whether there is room or not. `undefined` if there is nothing to leave out. */
  async smaller(
    messages: readonly Message[],
    beside: RequestContext,
    signal: AbortSignal,
  ): Promise<CompactionResult | undefined> {
    const tokensBefore = this.tokens(messages, beside);
    // What the last messages refer to may go.
    const whole = withoutReferences(messages);
    const start = tailStart(whole, this.#model.contextTokens * TAIL_SHARE);
    const older = messages.slice(0, start);
    const last = withReferences(whole.slice(start));
    const shorter = [...shortenAnswers(older), ...last];
    const freed = tokensOfMessages(messages) - tokensOfMessages(shorter);
    const target = Math.min(this.#limit, tokensBefore) * ENOUGH_SHARE;
    if (freed > 0 && tokensBefore - freed <= target) {
      return this.#made(shorter, { tokensBefore, freed });
    }
    // One message is no longer than its notes would be.
    if (start < 2) return freed > 0 ? this.#made(shorter, { tokensBefore, freed }) : undefined;
    const summary = await summarise(older, this.#model, signal);
    if (signal.aborted) return undefined;
    const notes = notesMessage(summary?.text ?? plainNotes(older), toolStateText(older));
    const made = [notes, ...last];
    const less = tokensOfMessages(messages) - tokensOfMessages(made);
    if (less <= 0) return undefined;
    const compacted = this.#made(made, { tokensBefore, freed: less });
    return summary === undefined ? compacted : { ...compacted, usage: summary.usage };
  }

  #made(
    messages: readonly Message[],
    { tokensBefore, freed }: { readonly tokensBefore: number; readonly freed: number },
  ): CompactionResult {
    this.#measured = undefined;
    return { messages, tokensBefore, tokensAfter: Math.max(0, tokensBefore - freed) };
  }

  /** Of a request: as the model counted, as far as it did. */
  tokens(messages: readonly Message[], { system, tools }: RequestContext): number {
    const measured = this.#measured;
    if (measured !== undefined && measured.count <= messages.length) {
      return measured.tokens + tokensOfMessages(messages.slice(measured.count));
    }
    return tokensOfMessages(messages) + tokensOfText(system) + tokensOfTools(tools);
  }
}

function notesMessage(notes: string, state: string): UserMessage {
  const text = state === '' ? notes : `${notes}\n\n${state}`;
  return {
    kind: 'user',
    parts: [
      { kind: 'attachment', label: 'notes on the conversation until here', text },
      {
        kind: 'text',
        text: 'The older part of this conversation was replaced by these notes. Go on from where it stands.',
      },
    ],
  };
}

/** The task and the end of it, in place of notes. */
function plainNotes(older: readonly Message[]): string {
  return shortText(older.map(rendered).join('\n\n'), PLAIN_NOTES / 2);
}

/**
 * Where the part of a conversation begins that stays as it is: the last messages that fit; at least the last one, with what
 * it answers. It never begins with answers, so that no call is parted from its own.
 */
function tailStart(messages: readonly Message[], tokens: number): number {
  let left = tokens;
  let start = messages.length;
  for (let index = messages.length - 1; index >= 0; index -= 1) {
    const message = messages[index];
    if (message === undefined) break;
    left -= tokensOfMessage(message);
    if (left < 0 && start < messages.length) break;
    // Answers belong to the message before them, which is looked at next.
    if (message.kind !== 'tool') start = index;
  }
  return start;
}
