// Which of a server's tools its entry lets through: `tools: { include, exclude }` with `*` wildcards.
// Exclude wins. Where several sources limit a server's tools, a tool must pass all of them.

export interface ToolFilter {
  /** Lists of patterns; a tool must match something in each. */
  readonly include?: readonly (readonly string[])[] | undefined;
  readonly exclude?: readonly string[] | undefined;
}

export function letsThrough(filter: ToolFilter, tool: string): boolean {
  const matches = (pattern: string): boolean => matchesPattern(pattern, tool);
  if (filter.exclude?.some(matches) === true) return false;
  return filter.include?.every((patterns) => patterns.some(matches)) ?? true;
}

/**
 * Matches `*` against any run of characters. Written out rather than turned into a regular
 * expression, so that no pattern can take more than linear time per star.
 */
export function matchesPattern(pattern: string, text: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  if (last === undefined) return pattern === text;
  if (!text.startsWith(first)) return false;
  let position = first.length;
  for (const piece of rest) {
    const found = text.indexOf(piece, position);
    if (found === -1) return false;
    position = found + piece.length;
  }
  return text.length - last.length >= position && text.endsWith(last);
}
