// What a server's annotations of a tool mean, with the protocol's defaults for missing ones. They are claims: a host
// may use them to order calls and to word questions, and they never widen a permission.

import type { ToolAnnotations } from '../protocol/index.ts';

export interface ToolClaims {
  /** It changes nothing. A tool that is also called destructive is not believed. */
  readonly isReadOnly: boolean;
  /** It may run beside other calls to its server: only what changes nothing. */
  readonly isConcurrencySafe: boolean;
  readonly isDestructive: boolean;
  /** A second call with the same arguments changes nothing more. */
  readonly isIdempotent: boolean;
  /** It reaches beyond what the server itself has. */
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
