// Adds up the costs of models, and compares them with the budget. Shared by a conversation and all its sub-agents.

import type { Usage } from '../conversation/index.ts';

export interface Budget {
  /** In US dollars. Requests with an unknown price are not counted. */
  readonly dollars?: number;
  /** Input and output together. */
  readonly tokens?: number;
}

export interface SpendingTotals {
  readonly usage: Usage;
  readonly dollars: number;
  /** Whether `dollars` lacks requests with an unknown price. */
  readonly isPartlyUnknown: boolean;
  readonly requests: number;
}

const NOTHING: Usage = {
  inputTokens: 0,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
};

export class Spending {
  readonly #budget: Budget;
  #totals: SpendingTotals = { usage: NOTHING, dollars: 0, isPartlyUnknown: false, requests: 0 };

  constructor(budget: Budget = {}) {
    this.#budget = budget;
  }

  get totals(): SpendingTotals {
    return this.#totals;
  }

  add(usage: Usage, cost: number | undefined): void {
    const { usage: before, dollars, isPartlyUnknown, requests } = this.#totals;
    this.#totals = {
      usage: {
        inputTokens: before.inputTokens + usage.inputTokens,
        outputTokens: before.outputTokens + usage.outputTokens,
        cacheReadTokens: before.cacheReadTokens + usage.cacheReadTokens,
        cacheWriteTokens: before.cacheWriteTokens + usage.cacheWriteTokens,
      },
      dollars: dollars + (cost ?? 0),
      isPartlyUnknown: isPartlyUnknown || cost === undefined,
      requests: requests + 1,
    };
  }

  /** `undefined` while the budget is not spent. */
  overspent(): { readonly spent: number; readonly budget: number } | undefined {
    const { dollars, tokens } = this.#budget;
    const { usage, dollars: spent } = this.#totals;
    if (dollars !== undefined && spent >= dollars) return { spent, budget: dollars };
    const used = usage.inputTokens + usage.outputTokens;
    return tokens !== undefined && used >= tokens ? { spent: used, budget: tokens } : undefined;
  }
}
