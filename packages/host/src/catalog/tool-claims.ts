// Interprets the annotations of a tool, with the protocol's defaults for missing ones. They are claims of the server: a
// host may use them to order calls and to phrase questions, but they never widen a permission.

import type { ToolAnnotations } from '../protocol/index.ts';

export interface ToolClaims {
  /** The tool changes nothing. False for a tool that also claims to be destructive. */
  readonly isReadOnly: boolean;
  /** The tool may run in parallel with other calls to its server: only if it is read-only. */
  readonly isConcurrencySafe: boolean;
  readonly isDestructive: boolean;
  /** A second call with the same arguments changes nothing more. */
  readonly isIdempotent: boolean;
  /** The tool interacts with entities outside of the server. */
  readonly isOpenWorld: boolean;
}

/** https://modelcontextprotocol.io/specification/2025-11-25/schema#toolannotations */
export function claimsOf(annotations: ToolAnnotations = {}): ToolClaims {
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = annotations;
  const isReadOnly = readOnlyHint === true && destructiveHint !== true;
  return {
    isReadOnly,
    isConcurrencySafe: isReadOnly,
    isDestructive: !isReadOnly && destructiveHint !== false,
    isIdempotent: isReadOnly || idempotentHint === true,
    isOpenWorld: openWorldHint !== false,
  };
}
