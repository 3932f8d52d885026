// Decides which hooks run for a tool or a server. If it is ambiguous whether a hook matches, it runs.

import type { CallSubject, ServerStanding } from '../rules/subject.ts';
import { compileToolPattern, namesOf } from '../rules/tool-pattern.ts';

export interface HookMatch {
  readonly fits: (tool: Pick<CallSubject, 'server' | 'tool' | 'name'>) => boolean;
  /** Whether a hook may match a server, if no tool is known. */
  readonly mayMean: (server: string) => boolean;
}

export function compileHookMatch(
  pattern: { readonly tool?: string | undefined; readonly server?: string | undefined },
  servers: readonly ServerStanding[],
): HookMatch {
  const { tool, server } = pattern;
  const names = compileToolPattern(
    { ...(tool === undefined ? {} : { tool }), ...(server === undefined ? {} : { server }) },
    // Matched broadly, like a denial.
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
