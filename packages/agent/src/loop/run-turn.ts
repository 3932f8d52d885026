// Runs a turn: sends requests to the model and runs its calls until the model makes no more calls or the turn is ended.
// Never throws, ends with exactly one `turn-ended`, and leaves a conversation in which every call has an answer.

import { messageOf } from '@plugboard/base';
import { type CompactionResult, Compactor } from '../compact/index.ts';
import type {
  AgentEvent,
  AssistantMessage,
  FinishReason,
  Message,
  ModelFailure,
  ServerNote,
  ToolOffer,
  TurnEnd,
  Usage,
} from '../conversation/index.ts';
import { callsOf, referring } from '../conversation/index.ts';
import { type ModelReply, askModel } from './ask-model.ts';
import { RepeatedFailures } from './repeated-failures.ts';
import { runCalls } from './run-calls.ts';
import { DEFAULT_LIMITS, type TurnLimits, type TurnOptions } from './turn-options.ts';

export async function* runTurn(options: TurnOptions): AsyncGenerator<AgentEvent, void> {
  const { agent, signal } = options;
  let end: TurnEnd;
  try {
    end = yield* new Turn(options).run();
  } catch (thrown) {
    end = signal.aborted
      ? { kind: 'cancelled' }
      : { kind: 'failed', failure: { kind: 'other', message: messageOf(thrown) } };
  }
  yield { agent, kind: 'turn-ended', end };
}

type Events<T = void> = AsyncGenerator<AgentEvent, T>;

class Turn {
  readonly #options: TurnOptions;
  readonly #limits: TurnLimits;
  readonly #compactor: Compactor;
  readonly #failures: RepeatedFailures;
  #messages: readonly Message[];
  #reportedServers = '';

  constructor(options: TurnOptions) {
    this.#options = options;
    this.#limits = { ...DEFAULT_LIMITS, ...options.limits };
    this.#failures = new RepeatedFailures(this.#limits.sameFailures);
    this.#messages = options.messages;
    const { model } = options;
    const { contextShare } = this.#limits;
    this.#compactor = options.compactor ?? new Compactor({ model, contextShare });
  }

  async *run(): Events<TurnEnd> {
    const { agent, message, signal, firstTools } = this.#options;
    yield { agent, kind: 'turn-started', message };
    yield* this.#add(message);
    await firstTools?.(signal);
    for (let steps = 0; ; steps += 1) {
      if (signal.aborted) return { kind: 'cancelled' };
      if (steps >= this.#limits.steps) return { kind: 'too-many-steps', steps };
      const over = this.#options.spending.overspent();
      if (over !== undefined) return { kind: 'over-budget', ...over };
      const end = yield* this.#step();
      if (end !== undefined) return end;
    }
  }

  /** `undefined` while the turn continues. */
  async *#step(): Events<TurnEnd | undefined> {
    const offer = this.#options.toolbox.offer();
    yield* this.#reportServers(offer.servers);
    const reply = yield* this.#ask(offer);
    switch (reply.kind) {
      case 'cancelled':
        yield* this.#addPartialText(reply.said, '\n\n[The user stopped this answer.]');
        return { kind: 'cancelled' };
      case 'failed':
        yield* this.#addPartialText(reply.said, '\n\n[This answer was broken off.]');
        return { kind: 'failed', failure: reply.failure };
      case 'finished':
        return yield* this.#finish(reply.message, reply.reason, offer);
      default:
        return reply satisfies never;
    }
  }

  async *#finish(
    message: AssistantMessage,
    reason: FinishReason,
    offer: ToolOffer,
  ): Events<TurnEnd | undefined> {
    const { agent, toolbox, clock, signal } = this.#options;
    const calls = callsOf(message);
    if (calls.length === 0) {
      if (message.parts.length > 0) yield* this.#add(message);
      return endOf(reason);
    }
    const { parallelCalls } = this.#limits;
    const failures = this.#failures;
    const run = { agent, toolbox, offer, clock, parallelCalls, failures, signal };
    // Added before its calls run, since their effects remain even if the caller stops.
    yield* this.#add(message);
    const answers = yield* runCalls(calls, run);
    yield* this.#add(referring(this.#messages, answers));
    return undefined;
  }

  /** If the request is too long for the model, it is sent again after the messages were compacted. */
  async *#ask(offer: ToolOffer): Events<ModelReply> {
    const system = this.#options.system(offer);
    const extra = { system, tools: offer.tools };
    yield* this.#compact(this.#compactor.ifNeeded(this.#messages, extra, this.#options.signal));
    const reply = yield* this.#sendRequest(offer, system);
    if (reply.kind !== 'failed' || reply.failure.kind !== 'context-overflow') return reply;
    const compacted = yield* this.#compact(
      this.#compactor.smaller(this.#messages, extra, this.#options.signal),
    );
    return compacted === 'same' ? reply : yield* this.#sendRequest(offer, system);
  }

  async *#sendRequest(offer: ToolOffer, system: string): Events<ModelReply> {
    const { agent, model, signal } = this.#options;
    const { tools, loadable } = offer;
    const request = { system, messages: this.#messages, tools, ...(loadable && { loadable }) };
    const reply = yield* askModel({ agent, model, request, signal });
    if (reply.kind !== 'finished') return reply;
    this.#compactor.measured(this.#messages.length, reply.usage);
    yield* this.#spend(reply.usage);
    return reply;
  }

  async *#compact(compaction: Promise<CompactionResult | undefined>): Events<'smaller' | 'same'> {
    const { agent } = this.#options;
    const result = await compaction;
    if (result === undefined) return 'same';
    const { messages, tokensBefore, tokensAfter, usage } = result;
    this.#messages = messages;
    yield { agent, kind: 'compacted', messages, tokensBefore, tokensAfter };
    if (usage !== undefined) yield* this.#spend(usage);
    return 'smaller';
  }

  async *#spend(usage: Usage): Events {
    const { agent, model, spending } = this.#options;
    const cost = model.costOf(usage);
    spending.add(usage, cost);
    yield { agent, kind: 'usage', usage, cost };
  }

  async *#add(message: Message): Events {
    this.#messages = [...this.#messages, message];
    yield { agent: this.#options.agent, kind: 'message', message };
  }

  /** The user has read this text already, so it is part of the conversation. */
  async *#addPartialText(said: string, note: string): Events {
    if (said.trim() === '') return;
    yield* this.#add({ kind: 'assistant', parts: [{ kind: 'text', text: `${said}${note}` }] });
  }

  async *#reportServers(servers: readonly ServerNote[]): Events {
    const now = JSON.stringify(servers);
    if (now === this.#reportedServers) return;
    this.#reportedServers = now;
    yield { agent: this.#options.agent, kind: 'servers', servers };
  }
}

function endOf(reason: FinishReason): TurnEnd {
  switch (reason) {
    case 'length':
      return failed('the answer was cut: it reached the longest that the model gives');
    case 'filtered':
      return failed('the provider held the answer back');
    case 'stop':
    case 'calls':
    case 'other':
      return { kind: 'done' };
    default:
      return reason satisfies never;
  }
}

function failed(message: string): TurnEnd {
  const failure: ModelFailure = { kind: 'other', message };
  return { kind: 'failed', failure };
}
