// Who wins where several sources declare a server of one name: the strongest scope, and within a
// scope the source that comes first. The winner's entry counts as a whole; the losers are kept, so
// that they can be shown. An unusable entry keeps its name too: to start the weaker one instead
// could start what its owner meant to replace or to switch off.

import type { Claim } from './claim.ts';
import { precedence } from './scope.ts';

export interface Contest {
  readonly winner: Claim;
  /** Strongest first. */
  readonly losers: readonly Claim[];
}

/** One contest per name, in the order of names. Claims come in the order of their sources. */
export function combine(claims: readonly Claim[]): readonly Contest[] {
  const byName = new Map<string, Contest>();
  // The sort is stable: within a scope the order of the sources stays.
  const ranked = claims.toSorted((a, b) => precedence(b.scope) - precedence(a.scope));
  for (const claim of ranked) {
    const contest = byName.get(claim.name);
    byName.set(
      claim.name,
      contest === undefined
        ? { winner: claim, losers: [] }
        : { winner: contest.winner, losers: [...contest.losers, claim] },
    );
  }
  return [...byName.values()].toSorted((a, b) => compareText(a.winner.name, b.winner.name));
}

/** By code units: the same on every machine, whatever its language. */
function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
