// The subject of a decision: one call of one tool, and the facts about its server.

import type { JsonObject } from '@plugboard/base';
import type { RealPaths } from './path-under.ts';

/** The tool's annotations, with the protocol's defaults for missing ones. */
export interface ToolClaims {
  readonly isReadOnly: boolean;
  readonly isDestructive: boolean;
  readonly isIdempotent: boolean;
  readonly isOpenWorld: boolean;
}

export interface CallSubject {
  readonly server: string;
  /** The server's own name for the tool. */
  readonly tool: string;
  /** The model name. */
  readonly name: string;
  readonly claims: ToolClaims;
  readonly arguments: JsonObject;
  /** The targets of paths in the arguments, if they were resolved. */
  readonly realPaths?: RealPaths | undefined;
  /** The folder of relative paths in the arguments, if known. */
  readonly folder?: string | undefined;
}

export interface ServerStanding {
  readonly name: string;
  /** The prefix of the model names of its tools. */
  readonly prefix: string;
  /** For a built-in server: patterns of tools that run without asking, unless a rule says otherwise. */
  readonly unasked: readonly string[];
  /** Whether the user chose or approved it, so that its claims may count if a setting says so. */
  readonly isTrusted: boolean;
  /** The folder of relative paths in its calls, if known. */
  readonly folder?: string | undefined;
}
