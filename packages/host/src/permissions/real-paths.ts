// Where the paths in a call's arguments really lead, looked up for the rules that ask about it.

import { leadsTo } from '../platform/index.ts';
import type { CallSubject, Policy } from '../policy/index.ts';

/** The same call, with what was found. At once where no rule cares. */
export function withRealPaths(
  call: CallSubject,
  policy: Policy,
): CallSubject | Promise<CallSubject> {
  const paths = policy.pathsIn(call);
  return paths.length === 0 ? call : lookedUp(call, paths);
}

async function lookedUp(call: CallSubject, paths: readonly string[]): Promise<CallSubject> {
  const found = await Promise.all(
    paths.map(async (path) => {
      const target = await leadsTo(path);
      return target === undefined ? [] : [[path, target] as const];
    }),
  );
  return { ...call, realPaths: new Map(found.flat()) };
}
