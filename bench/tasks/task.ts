// A task as data: the user's request, and the calls of a competent model in each way of giving it tools.

import type { JsonObject } from '@plugboard/base';

export const WAYS = ['direct', 'search', 'code'] as const;
/** All definitions in every request; a search for them; a search, and scripts over what it found. */
export type Way = (typeof WAYS)[number];

export type ServerName = 'dbhub' | 'everything' | 'filesystem' | 'git' | 'memory';
/** One server alone, all five, or all five among 500 further tools. */
export type SetUp = ServerName | 'five' | 'many';

/** `FOLDER` in an argument, a request or a script is the folder that servers work in. */
export type Call = readonly [tool: `${ServerName}.${string}`, given: JsonObject];

export interface Task {
  readonly name: string;
  readonly kind: 'lookup' | 'steps' | 'loop' | 'large';
  readonly setUp: SetUp;
  readonly request: string;
  /** The steps in order; the calls of one step are made in parallel, in one message of the model. */
  readonly steps: readonly (readonly Call[])[];
  /** A text in the results that shows that the task was done. */
  readonly shows: string;
  /** The search queries if tools are not sent. */
  readonly queries: readonly string[];
  /** Absent if a script would only make the same calls one by one; then `call_tool` makes them. */
  readonly code?: {
    /** Tools whose parameters or results the model looks up first. */
    readonly describe?: readonly string[];
    /** The scripts in order; later ones depend on earlier results. */
    readonly scripts: readonly string[];
    readonly shows: string;
  };
}
