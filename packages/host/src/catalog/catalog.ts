// All offered tools with their model names. Built from the lists of all servers at once, so that the same
// servers result in the same tools in the same order, byte for byte, and prompt caches stay valid.

import { matchesWildcard } from '@plugboard/base';
import type { ToolDefinition } from '../protocol/index.ts';
import { assignNames, type ToolIdentity } from './model-name.ts';

/**
 * The filter for a server's tools in its entry: `tools: { include, exclude }` with `*` wildcards. `exclude` wins. If several
 * sources limit a server's tools, a tool must pass all of them.
 */
export interface ToolFilter {
  /** Lists of patterns; a tool must match a pattern of each list. */
  readonly include?: readonly (readonly string[])[] | undefined;
  readonly exclude?: readonly string[] | undefined;
}

export function letsThrough(filter: ToolFilter, tool: string): boolean {
  const matches = (pattern: string): boolean => matchesWildcard(pattern, tool);
  if (filter.exclude?.some(matches) === true) return false;
  return filter.include?.every((patterns) => patterns.some(matches)) ?? true;
}

export interface CatalogTool extends ToolIdentity {
  /** The model name. */
  readonly name: string;
  readonly definition: ToolDefinition;
}

export interface ServerOffer {
  readonly server: string;
  readonly tools: readonly ToolDefinition[];
  readonly filter: ToolFilter;
}

export class Catalog {
  /** By name, in code-unit order. */
  readonly tools: readonly CatalogTool[];
  readonly #byName: ReadonlyMap<string, CatalogTool>;
  readonly #byIdentity = new Map<string, Map<string, CatalogTool>>();

  constructor(offers: readonly ServerOffer[]) {
    const offered = offers.flatMap(({ server, tools, filter }) =>
      tools
        .filter(({ name }) => letsThrough(filter, name))
        .map((definition) => ({ server, tool: definition.name, definition })),
    );
    const names = new Map([...assignNames(offered)].map(([name, tool]) => [tool, name]));
    // A tool that its server lists twice has one name.
    const listed = offered.flatMap((tool) => {
      const name = names.get(tool);
      return name === undefined ? [] : [{ name, ...tool }];
    });
    for (const tool of listed) this.#index(tool);
    this.tools = listed.toSorted((a, b) => (a.name < b.name ? -1 : 1));
    this.#byName = new Map(this.tools.map((tool) => [tool.name, tool]));
  }

  byName(name: string): CatalogTool | undefined {
    return this.#byName.get(name);
  }

  byIdentity({ server, tool }: ToolIdentity): CatalogTool | undefined {
    return this.#byIdentity.get(server)?.get(tool);
  }

  /** In the order in which the server lists them. */
  ofServer(server: string): readonly CatalogTool[] {
    return [...(this.#byIdentity.get(server)?.values() ?? [])];
  }

  #index(tool: CatalogTool): void {
    const ofServer = this.#byIdentity.get(tool.server) ?? new Map<string, CatalogTool>();
    this.#byIdentity.set(tool.server, ofServer.set(tool.tool, tool));
  }
}
