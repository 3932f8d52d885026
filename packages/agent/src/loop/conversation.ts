// A conversation over several turns: stores the messages, runs one turn at a time, passes new messages to the transcript,
// and adds up the costs.

import { type Clock, systemClock } from '@plugboard/base';
import { Compactor, type RequestContext } from '../compact/index.ts';
import type {
  AgentEvent,
  Message,
  Model,
  Toolbox,
  ToolOffer,
  UserMessage,
} from '../conversation/index.ts';
import { wholeConversation } from '../conversation/index.ts';
import { runTurn } from './run-turn.ts';
import { Spending, type SpendingTotals } from './spending.ts';
import { DEFAULT_LIMITS, type TurnLimits } from './turn-options.ts';

export interface ConversationOptions {
  /** `agent`, by default. */
  readonly agent?: string;
  readonly model: Model;
  readonly toolbox: Toolbox;
  readonly clock?: Clock;
  readonly system: (offer: ToolOffer) => string;
  readonly earlier?: readonly Message[];
  readonly spending?: Spending;
  readonly limits?: Partial<TurnLimits>;
  readonly keeper?: ConversationKeeper;
  /** Awaited before the first request, so that the model has tools from the start. */
  readonly firstTools?: (signal: AbortSignal) => Promise<void>;
}

/** Stores the messages beyond the lifetime of the process. Neither waits nor throws. */
export interface ConversationKeeper {
  add(message: Message): void;
  /** Replaces all messages until now. */
  replace(messages: readonly Message[]): void;
}

export class Conversation {
  readonly #options: ConversationOptions;
  readonly #spending: Spending;
  #model: Model;
  #compactor: Compactor;
  #messages: readonly Message[];
  #state: 'new' | 'waiting' | 'running' = 'new';

  constructor(options: ConversationOptions) {
    this.#options = options;
    this.#spending = options.spending ?? new Spending();
    this.#model = options.model;
    this.#compactor = this.#newCompactor();
    this.#messages = wholeConversation(options.earlier ?? []);
    options.toolbox.begin?.(this.#messages);
  }

  get messages(): readonly Message[] {
    return this.#messages;
  }

  get totals(): SpendingTotals {
    return this.#spending.totals;
  }

  get model(): Model {
    return this.#model;
  }

  /** The tools of the next request. */
  get offer(): ToolOffer {
    return this.#options.toolbox.offer();
  }

  /** How much of its context window the next request would use, as far as known. */
  get contextUse(): { readonly tokens: number; readonly window: number } {
    const tokens = this.#compactor.tokens(this.#messages, this.#requestContext());
    return { tokens, window: this.#model.contextTokens };
  }

  #requestContext(): RequestContext {
    const { offer } = this;
    return { system: this.#options.system(offer), tools: offer.tools };
  }

  /** Applies from the next turn on. */
  set model(model: Model) {
    this.#model = model;
    this.#compactor = this.#newCompactor();
  }

  /** Removes all messages; their cost stays counted. */
  clear(): void {
    this.#replace([]);
    this.#options.toolbox.begin?.([]);
  }

  /** Runs one turn. Never throws; a concurrent second turn fails. */
  async *send(message: UserMessage, signal: AbortSignal): AsyncGenerator<AgentEvent, void> {
    const {
      agent = 'agent',
      toolbox,
      clock = systemClock,
      system,
      limits = {},
      firstTools,
    } = this.#options;
    if (this.#state === 'running') {
      const failure = { kind: 'other', message: 'another turn is running' } as const;
      yield { agent, kind: 'turn-ended', end: { kind: 'failed', failure } };
      return;
    }
    const isFirst = this.#state === 'new';
    this.#state = 'running';
    toolbox.hear?.(message);
    try {
      const own = {
        model: this.#model,
        messages: this.#messages,
        spending: this.#spending,
        compactor: this.#compactor,
      };
      const turn = { agent, toolbox, clock, system, limits, message, signal, ...own };
      const options = isFirst && firstTools !== undefined ? { ...turn, firstTools } : turn;
      for await (const event of runTurn(options)) {
        this.#store(event, agent);
        yield event;
      }
    } finally {
      // If the caller stops in the middle of a turn, calls have no answers.
      this.#messages = wholeConversation(this.#messages);
      this.#state = 'waiting';
    }
  }

  /** Compacts the messages even if they fit. `undefined` if they cannot be made smaller. */
  async compact(signal: AbortSignal): Promise<AgentEvent | undefined> {
    const { agent = 'agent' } = this.#options;
    if (this.#state === 'running') return undefined;
    this.#state = 'running';
    try {
      const context = this.#requestContext();
      const result = await this.#compactor.smaller(this.#messages, context, signal);
      if (result === undefined) return undefined;
      const { messages, tokensBefore, tokensAfter, usage } = result;
      if (usage !== undefined) this.#spending.add(usage, this.#model.costOf(usage));
      this.#replace(messages);
      return { agent, kind: 'compacted', messages, tokensBefore, tokensAfter };
    } finally {
      this.#state = 'waiting';
    }
  }

  #newCompactor(): Compactor {
    const { contextShare = DEFAULT_LIMITS.contextShare } = this.#options.limits ?? {};
    return new Compactor({ model: this.#model, contextShare });
  }

  #store(event: AgentEvent, agent: string): void {
    // The messages of a sub-agent are not part of this conversation.
    if (event.agent !== agent) return;
    if (event.kind === 'compacted') this.#replace(event.messages);
    if (event.kind !== 'message') return;
    this.#messages = [...this.#messages, event.message];
    this.#options.keeper?.add(event.message);
  }

  #replace(messages: readonly Message[]): void {
    this.#messages = messages;
    this.#options.keeper?.replace(messages);
  }
}
