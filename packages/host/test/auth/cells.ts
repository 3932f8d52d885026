// The transports and eras in which servers demand a sign-in, each with its fields in an entry.

import type { Era } from '@plugboard/testkit';
import { guardedPair, type GuardedPair, type GuardedPairOptions } from './guarded-pair.ts';

type Transport = 'http' | 'sse' | 'ws';

export interface Cell {
  readonly name: string;
  /** The fields of an entry in this cell besides its url. */
  readonly entry: { readonly type: Transport; readonly protocol: Era };
  /** Whether the server checks the token again in an open session. */
  readonly isAskedAgain: boolean;
  readonly pair: (options?: Pick<GuardedPairOptions, 'issuer' | 'server'>) => Promise<GuardedPair>;
}

export const cells: readonly Cell[] = [
  cell('Streamable HTTP', 'http', 'legacy'),
  cell('Streamable HTTP', 'http', 'modern'),
  cell('HTTP+SSE', 'sse', 'legacy'),
  cell('WebSocket', 'ws', 'legacy'),
  cell('WebSocket', 'ws', 'modern'),
];

function cell(name: string, type: Transport, era: Era): Cell {
  return {
    name: `${name}, ${era}`,
    entry: { type, protocol: era },
    isAskedAgain: type !== 'ws',
    pair: ({ issuer = {}, server = {} } = {}) =>
      guardedPair({ issuer, server: { ...server, transport: type }, era }),
  };
}
