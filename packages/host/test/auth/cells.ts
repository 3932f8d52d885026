// The transports and eras in which servers demand a sign-in, each with how an entry says so.

import type { Era } from '@plugboard/testkit';
import { guardedPair, type GuardedPair, type GuardedPairOptions } from './guarded-pair.ts';

type Transport = 'http' | 'sse' | 'ws';

export interface Cell {
  readonly name: string;
  /** What an entry of this cell has beside its url. */
  readonly entry: { readonly type: Transport; readonly protocol: Era };
  /** Whether a session that is open goes on being asked for its token. */
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
