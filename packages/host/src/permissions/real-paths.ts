// Resolves the real paths in the arguments of a call, for rules that depend on them.

import { leadsTo } from '../platform/index.ts';
import type { CallSubject, Policy } from '../policy/index.ts';

/** Adds the real paths to a call. Synchronous if no rule depends on paths. */
export function withRealPaths(
  call: CallSubject,
  policy: Policy,
): CallSubject | Promise<CallSubject> {
  const paths = policy.pathsIn(call);
  return paths.length === 0 ? call : resolvePaths(call, paths);
}

async function resolvePaths(call: CallSubject, paths: readonly string[]): Promise<CallSubject> {
  const found = await Promise.all(
    paths.map(async (path) => {
      const target = await leadsTo(path);
      return target === undefined ? [] : [[path, target] as const];
    }),
  );
  return { ...call, realPaths: new Map(found.flat()) };
}
