// A set of tools, and of requests with the tools that are right for them.

import type { JsonObject } from '@plugboard/base';

export interface SetTool {
  readonly id: string;
  readonly server: string;
  readonly name: string;
  readonly description?: string;
  readonly schema?: JsonObject;
}

export interface ToolQuery {
  readonly q: string;
  readonly gold: readonly string[];
  /** A group is found with any of its ids. Without groups, every id of `gold` has to be found. */
  readonly groups?: readonly (readonly string[])[];
  /** The steps of the work, one per line. */
  readonly steps?: string;
}

export interface ToolSet {
  readonly tools: readonly SetTool[];
  readonly queries: readonly ToolQuery[];
}

/** Finds the ids of tools, best first. */
export type Find = (query: string, limit: number) => readonly string[];
