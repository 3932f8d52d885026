// What the setting `chat` may hold: which model answers, and where models are.

import { PLAIN_NAME_PATTERN } from '../fields/index.ts';
import { exactFields, mapOf, notBlank, wholeNumber } from '../text/index.ts';

const providerShape = exactFields({
  baseUrl: notBlank,
  apiKeyVariable: notBlank,
  model: notBlank,
  contextTokens: wholeNumber({ min: 1000, max: 100_000_000, unit: 'tokens' }),
});

export const chatShape = exactFields({
  model: notBlank,
  providers: mapOf(providerShape, {
    names: { pattern: PLAIN_NAME_PATTERN, words: 'must have names of 1 to 64 of A-Z a-z 0-9 _ -' },
    words: 'must be an object of providers',
  }),
});
