// Which hooks run for a tool or a server. A hook that may be meant runs.

import type { CallSubject, ServerStanding } from '../rules/subject.ts';
import { compileToolPattern, namesOf } from '../rules/tool-pattern.ts';

export interface HookMatch {
  readonly fits: (tool: Pick<CallSubject, 'server' | 'tool' | 'name'>) => boolean;
  /** By its server alone, where no tool is known. */
  readonly mayMean: (server: string) => boolean;
}

export function compileHookMatch(
  pattern: { readonly tool?: string | undefined; readonly server?: string | undefined },
  servers: readonly ServerStanding[],
): HookMatch {
  const { tool, server } = pattern;
  const names = compileToolPattern(
    { ...(tool === undefined ? {} : { tool }), ...(server === undefined ? {} : { server }) },
    // Broad, as a denial is.
    'deny',
    servers,
  );
  const standings = new Map(servers.map((one) => [one.name, one]));
  return {
    fits: (one) => names.fits(namesOf(one, standings.get(one.server)?.prefix ?? '')),
    mayMean: (name) => {
      const standing = standings.get(name);
      return standing === undefined || names.mayMean(standing);
    },
  };
}
