// What models have cost, and whether that exceeds the budget. One account for a conversation and all its sub-agents.

import type { Usage } from '../conversation/index.ts';

export interface Budget {
  /** In US dollars. Requests whose price is not known count for nothing. */
  readonly dollars?: number;
  /** Read and written, together. */
  readonly tokens?: number;
}

export interface SpendingTotals {
  readonly usage: Usage;
  readonly dollars: number;
  /** Whether some requests are missing in the dollars, as their price is not known. */
  readonly isPartlyUnknown: boolean;
  readonly requests: number;
}

export interface BudgetOverrun {
  readonly spent: number;
  readonly budget: number;
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

  /** `undefined` while there is something left. */
  overspent(): BudgetOverrun | undefined {
    const { dollars, tokens } = this.#budget;
    const { usage, dollars: spent } = this.#totals;
    if (dollars !== undefined && spent >= dollars) return { spent, budget: dollars };
    const used = usage.inputTokens + usage.outputTokens;
    return tokens !== undefined && used >= tokens ? { spent: used, budget: tokens } : undefined;
  }
}
