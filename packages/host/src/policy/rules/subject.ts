// What a decision is about: one call of one tool, and what is known of the server.

import type { JsonObject } from '@plugboard/base';
import type { RealPaths } from './path-under.ts';

/** What the tool's annotations come to, with the protocol's defaults for what they leave open. */
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
  /** Where paths in the arguments really lead, if they were resolved. */
  readonly realPaths?: RealPaths | undefined;
  /** Where relative paths in the arguments begin, if that is known. */
  readonly folder?: string | undefined;
}

export interface ServerStanding {
  readonly name: string;
  /** How the model names of its tools begin. */
  readonly prefix: string;
  /** Of a server that the program brings: patterns of tools that run without asking, unless a rule says otherwise. */
  readonly unasked: readonly string[];
  /** The user chose or approved it, so that its own claims may count where a setting says so. */
  readonly isTrusted: boolean;
  /** Where relative paths in calls of it begin, if that is known. */
  readonly folder?: string | undefined;
}
