// A task of the set as data: what a user asks for, and what a competent model does about it in each way of giving it tools.

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
  /** What is called one after the other; calls of one step are made at once, in one message of the model. */
  readonly steps: readonly (readonly Call[])[];
  /** Is in what the steps answer, which shows that the task was done. */
  readonly shows: string;
  /** What is searched for where tools are not sent. */
  readonly queries: readonly string[];
  /** Left out where a script would only make the same calls one by one: then they are made by `call_tool`. */
  readonly code?: {
    /** Tools whose parameters or results the model looks up first. */
    readonly describe?: readonly string[];
    /** One after the other: the later ones where the model has to see something before. */
    readonly scripts: readonly string[];
    readonly shows: string;
  };
}
