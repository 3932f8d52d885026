// Limits the use of a model by one server: requests and tokens, over the life of the host and per minute. Tokens are
// reserved before the user is asked, and returned if no model was used. The caller counts tokens.

import { type Clock, err, ok, type Result } from '@plugboard/base';

export interface SamplingLimits {
  readonly maxRequests: number;
  readonly maxRequestsPerMinute: number;
  readonly maxTokens: number;
  readonly maxTokensPerMinute: number;
  readonly maxTokensPerRequest: number;
}

export const DEFAULT_SAMPLING_LIMITS: SamplingLimits = {
  maxRequests: 100,
  maxRequestsPerMinute: 10,
  maxTokens: 200_000,
  maxTokensPerMinute: 50_000,
  maxTokensPerRequest: 4096,
};

/** Which limit is reached, and its value. */
export interface SpentLimit {
  readonly limit: Exclude<keyof SamplingLimits, 'maxTokensPerRequest'>;
  readonly most: number;
}

export interface TokenRequest {
  readonly promptTokens: number;
  readonly answerTokens: number;
}

export interface Reservation {
  /** How long the answer may be. */
  readonly answerTokens: number;
  /** Sets the tokens actually used, for prompt and answer; until then the whole reservation counts. */
  settle(tokens: number): void;
}

interface TokenUse {
  readonly at: number;
  tokens: number;
}

const MINUTE_MS = 60_000;

export class SamplingBudget {
  readonly #clock: Clock;
  /** Uses within the last minute; bounded by the limit per minute. */
  #recent: readonly TokenUse[] = [];
  #requests = 0;
  /** Tokens of uses older than a minute. */
  #oldTokens = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  reserve(
    { promptTokens, answerTokens }: TokenRequest,
    limits: SamplingLimits,
  ): Result<Reservation, SpentLimit> {
    const now = this.#clock.elapsed();
    this.#forgetBefore(now - MINUTE_MS);
    const lately = this.#recent.reduce((sum, { tokens }) => sum + tokens, 0);
    if (this.#requests >= limits.maxRequests) return spent('maxRequests', limits);
    if (this.#recent.length >= limits.maxRequestsPerMinute) {
      return spent('maxRequestsPerMinute', limits);
    }
    const left = limits.maxTokens - this.#oldTokens - lately - promptTokens;
    if (left < 1) return spent('maxTokens', limits);
    const leftNow = limits.maxTokensPerMinute - lately - promptTokens;
    if (leftNow < 1) return spent('maxTokensPerMinute', limits);
    const granted = Math.min(answerTokens, limits.maxTokensPerRequest, left, leftNow);
    const use: TokenUse = { at: now, tokens: promptTokens + granted };
    this.#recent = [...this.#recent, use];
    this.#requests += 1;
    return ok({ answerTokens: granted, settle: (tokens) => this.#settle(use, tokens) });
  }

  #settle(use: TokenUse, tokens: number): void {
    if (!this.#recent.includes(use)) this.#oldTokens += tokens - use.tokens;
    use.tokens = tokens;
  }

  #forgetBefore(time: number): void {
    const old = this.#recent.filter(({ at }) => at <= time);
    if (old.length === 0) return;
    this.#oldTokens += old.reduce((sum, { tokens }) => sum + tokens, 0);
    this.#recent = this.#recent.filter(({ at }) => at > time);
  }
}

function spent(limit: SpentLimit['limit'], limits: SamplingLimits): Result<never, SpentLimit> {
  return err({ limit, most: limits[limit] });
}
