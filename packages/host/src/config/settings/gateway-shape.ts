// The shape of the setting `gateway`: the profiles that `plugboard serve` offers in addition to all servers.

import { PLAIN_NAMES } from '../fields/index.ts';
import { exactFields, listOfText, mapOf, oneOf } from '../text/index.ts';

const profileShape = exactFields({
  servers: listOfText,
  tools: exactFields({ include: listOfText, exclude: listOfText }),
  mode: oneOf(['direct', 'search', 'code']),
  results: oneOf(['as-is', 'fitted']),
});

export const gatewayShape = exactFields({
  profiles: mapOf(profileShape, {
    names: PLAIN_NAMES,
    words: 'must be an object of profiles',
  }),
});
