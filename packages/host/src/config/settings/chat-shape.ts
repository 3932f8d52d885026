// The shape of the setting `chat`: the model and its providers, the budget for tools, scripts, and how the
// screen looks.

import { PLAIN_NAMES } from '../fields/index.ts';
import {
  exactFields,
  flag,
  mapOf,
  notBlank,
  oneOf,
  text,
  textOr,
  wholeNumber,
} from '../text/index.ts';

const providerShape = exactFields({
  baseUrl: notBlank,
  apiKeyVariable: notBlank,
  model: notBlank,
  contextTokens: wholeNumber({ min: 1000, max: 100_000_000, unit: 'tokens' }),
  toolSearch: oneOf(['native', 'tools']),
});

const share = text({
  pattern: /^(?:100|\d{1,2}(?:\.\d{1,3})?)%$/,
  words: 'must be a number of tokens, or a share of the context such as "15%"',
});

export const chatShape = exactFields({
  model: notBlank,
  toolBudget: textOr(share, wholeNumber({ min: 0, max: 100_000_000, unit: 'tokens' })),
  code: flag,
  mode: oneOf(['ask', 'accept-edits', 'plan']),
  vim: flag,
  theme: oneOf(['any', 'dark', 'light', 'terminal']),
  providers: mapOf(providerShape, {
    names: PLAIN_NAMES,
    words: 'must be an object of providers',
  }),
});
