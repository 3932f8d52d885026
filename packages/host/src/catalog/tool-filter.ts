// Which of a server's tools its entry lets through: `tools: { include, exclude }` with `*` wildcards.
// Exclude wins. Where several sources limit a server's tools, a tool must pass all of them.

import { matchesWildcard } from '@plugboard/base';

export interface ToolFilter {
  /** Lists of patterns; a tool must match something in each. */
  readonly include?: readonly (readonly string[])[] | undefined;
  readonly exclude?: readonly string[] | undefined;
}

export function letsThrough(filter: ToolFilter, tool: string): boolean {
  const matches = (pattern: string): boolean => matchesWildcard(pattern, tool);
  if (filter.exclude?.some(matches) === true) return false;
  return filter.include?.every((patterns) => patterns.some(matches)) ?? true;
}
