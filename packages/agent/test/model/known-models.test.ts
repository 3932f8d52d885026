// The prices of tokens, and the context windows.

import { describe, expect, it } from 'vitest';
import { contextTokensOf, costOf } from '../../src/model/known-models.ts';

const NOW = Date.parse('2026-11-15');
const MILLION = 1_000_000;
const NOTHING = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };

describe('the price of an answer', () => {
  it('adds fresh input, cached input and output, each at its own price', () => {
    const usage = {
      inputTokens: 3 * MILLION,
      outputTokens: MILLION,
      cacheReadTokens: MILLION,
      cacheWriteTokens: MILLION,
    };
    expect(costOf('anthropic/claude-sonnet-5-5', usage, NOW)).toBeCloseTo(2 + 0.2 + 2.5 + 10);
  });

  it('is that of the exact model, not of one with the same prefix', () => {
    const usage = { ...NOTHING, outputTokens: MILLION };
    expect(costOf('anthropic/claude-opus-5-5', usage, NOW)).toBe(20);
    expect(costOf('anthropic/claude-opus-5', usage, NOW)).toBe(25);
  });

  it('is higher for the whole of a long request, if the provider charges so', () => {
    const usage = { ...NOTHING, inputTokens: 300_000, outputTokens: 1000 };
    expect(costOf('openai/gpt-6.1-sol', usage, NOW)).toBeCloseTo(0.3 * 4 + 0.001 * 15);
  });

  it('changes on the announced day', () => {
    const usage = { ...NOTHING, inputTokens: MILLION };
    const then = Date.parse('2026-12-01');
    expect(costOf('google/gemini-4-argon', usage, then - 1)).toBe(2);
    expect(costOf('google/gemini-4-argon', usage, then)).toBe(4);
  });

  it.each(['ollama/qwen3', 'anthropic/claude-next', 'openai/gpt-9'])(
    'is unknown for %s',
    (name) => {
      expect(costOf(name, { ...NOTHING, inputTokens: 1 }, NOW)).toBeUndefined();
    },
  );
});

describe('the context of a model', () => {
  it.each([
    ['anthropic/claude-sonnet-5-5', MILLION],
    ['anthropic/claude-next', 200_000],
    ['openai/something', 128_000],
    ['ollama/qwen3', 32_000],
  ])('of %s is %d tokens', (name, tokens) => {
    expect(contextTokensOf(name)).toBe(tokens);
  });
});
