// Keeps a conversation within the model's context window. Old answers are shortened first. If that is not enough, the
// model's own notes replace the older messages, and the last ones stay as they are. The result is a whole conversation.

import type { Message, Model, ModelTool, Usage, UserMessage } from '../conversation/index.ts';
import { withoutReferences, withReferences } from '../conversation/index.ts';
import { shortenAnswers, shortText } from './shorten-answers.ts';
import { renderMessage, summarise } from './summarise.ts';
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

/** What a request contains besides the messages. */
export interface RequestContext {
  readonly system: string;
  readonly tools: readonly ModelTool[];
}

/** The share of the context window for the messages that stay as they are. */
const TAIL_SHARE = 0.25;
/** Shortening is enough if at most this share of the limit is used afterwards. */
const ENOUGH_SHARE = 0.7;
/** In characters, if the model writes no notes. */
const PLAIN_NOTES = 6000;

export class Compactor {
  readonly #model: Model;
  readonly #limit: number;
  /** The tokens that the model counted for the first `count` messages and their context. */
  #measured: { readonly count: number; readonly tokens: number } | undefined;

  constructor({ model, contextShare }: CompactorOptions) {
    this.#model = model;
    this.#limit = model.contextTokens * contextShare;
  }

  /** Takes the token count of the model for a request with `count` messages. */
  measured(count: number, { inputTokens, outputTokens }: Usage): void {
    // Its answer is the next message.
    this.#measured = { count: count + 1, tokens: inputTokens + outputTokens };
  }

  /** `undefined` while the messages fit. */
  async ifNeeded(
    messages: readonly Message[],
    context: RequestContext,
    signal: AbortSignal,
  ): Promise<CompactionResult | undefined> {
    return this.tokens(messages, context) < this.#limit
      ? undefined
      : this.smaller(messages, context, signal);
  }

  /** Compacts even if the messages fit. `undefined` if nothing can be left out. */
  async smaller(
    messages: readonly Message[],
    context: RequestContext,
    signal: AbortSignal,
  ): Promise<CompactionResult | undefined> {
    const tokensBefore = this.tokens(messages, context);
    // The answers that the last messages refer to may be removed.
    const whole = withoutReferences(messages);
    const start = tailStart(whole, this.#model.contextTokens * TAIL_SHARE);
    const older = messages.slice(0, start);
    const last = withReferences(whole.slice(start));
    const shorter = [...shortenAnswers(older), ...last];
    const freed = tokensOfMessages(messages) - tokensOfMessages(shorter);
    const target = Math.min(this.#limit, tokensBefore) * ENOUGH_SHARE;
    if (freed > 0 && tokensBefore - freed <= target) {
      return this.#resultOf(shorter, { tokensBefore, freed });
    }
    // Notes would be no shorter than a single message.
    if (start < 2) return freed > 0 ? this.#resultOf(shorter, { tokensBefore, freed }) : undefined;
    const summary = await summarise(older, this.#model, signal);
    if (signal.aborted) return undefined;
    const notes = notesMessage(summary?.text ?? plainNotes(older), toolStateText(older));
    const shortest = [notes, ...last];
    const freedByNotes = tokensOfMessages(messages) - tokensOfMessages(shortest);
    if (freedByNotes <= 0) return undefined;
    const compacted = this.#resultOf(shortest, { tokensBefore, freed: freedByNotes });
    return summary === undefined ? compacted : { ...compacted, usage: summary.usage };
  }

  #resultOf(
    messages: readonly Message[],
    { tokensBefore, freed }: { readonly tokensBefore: number; readonly freed: number },
  ): CompactionResult {
    this.#measured = undefined;
    return { messages, tokensBefore, tokensAfter: Math.max(0, tokensBefore - freed) };
  }

  /** The size of a request: the token count of the model, as far as there is one. */
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

/** The beginning and the end of the older messages, in place of notes. */
function plainNotes(older: readonly Message[]): string {
  return shortText(older.map(renderMessage).join('\n\n'), PLAIN_NOTES / 2);
}

/**
 * The index of the first message that stays as it is: as many of the last messages as fit, and at least the last one. It is
 * never a message with answers, so that no call is separated from its answer.
 */
function tailStart(messages: readonly Message[], tokens: number): number {
  let left = tokens;
  let start = messages.length;
  for (let index = messages.length - 1; index >= 0; index -= 1) {
    const message = messages[index];
    if (message === undefined) break;
    left -= tokensOfMessage(message);
    if (left < 0 && start < messages.length) break;
    // Answers belong to the message before them, which is next.
    if (message.kind !== 'tool') start = index;
  }
  return start;
}
