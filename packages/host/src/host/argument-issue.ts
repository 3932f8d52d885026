// What a check of arguments says.

import type { JsonObject } from '@plugboard/base';

export interface ArgumentIssue {
  /** A JSON pointer into the arguments; empty for the arguments as a whole. */
  readonly path: string;
  readonly message: string;
}

export type ArgumentCheck = (given: JsonObject) => readonly ArgumentIssue[];
