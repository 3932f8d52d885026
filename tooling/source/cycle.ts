// Finds a cycle in a directed graph. Pure.

export type Graph = ReadonlyMap<string, ReadonlySet<string>>;

/** The nodes of one cycle in order, with the first repeated at the end; `undefined` if there is none. */
export function findCycle(graph: Graph): string[] | undefined {
  const done = new Set<string>();
  const visit = (node: string, path: readonly string[]): string[] | undefined => {
    const seenAt = path.indexOf(node);
    if (seenAt >= 0) return [...path.slice(seenAt), node];
    if (done.has(node)) return undefined;
    for (const next of graph.get(node) ?? []) {
      const cycle = visit(next, [...path, node]);
      if (cycle !== undefined) return cycle;
    }
    done.add(node);
    return undefined;
  };
  for (const node of graph.keys()) {
    const cycle = visit(node, []);
    if (cycle !== undefined) return cycle;
  }
  return undefined;
}
