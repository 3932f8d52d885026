// What the setting `gateway` may hold: the profiles that `plugboard serve` offers beside all servers.

import { PLAIN_NAME_PATTERN } from '../fields/index.ts';
import { exactFields, listOfText, mapOf, oneOf } from '../text/index.ts';

const profileShape = exactFields({
  servers: listOfText,
  tools: exactFields({ include: listOfText, exclude: listOfText }),
  mode: oneOf(['direct', 'search', 'code']),
  results: oneOf(['as-is', 'fitted']),
});

export const gatewayShape = exactFields({
  profiles: mapOf(profileShape, {
    names: { pattern: PLAIN_NAME_PATTERN, words: 'must have names of 1 to 64 of A-Z a-z 0-9 _ -' },
    words: 'must be an object of profiles',
  }),
});
