// When a server that was tried over Streamable HTTP is to be tried over HTTP+SSE, and whose failure
// counts when both failed. Pure.
// https://modelcontextprotocol.io/specification/2026-07-28/basic/transports

import { isObject, parseJson } from '@plugboard/base';
import type { ProtocolFailure } from '../neutral/failure.ts';

/** What was seen of a server while Streamable HTTP was tried. */
export interface EraEvidence {
  /** It has refused something in the words of the modern era. */
  readonly isModern: boolean;
}

/** Old servers know no POST at that address, and say so in one of these ways. */
const REFUSALS: ReadonlySet<number> = new Set([400, 404, 405]);

export function mayBeSse(failure: ProtocolFailure, seen: EraEvidence | undefined): boolean {
  return failure.kind === 'http' && REFUSALS.has(failure.status) && seen?.isModern !== true;
}

/** The second failure tells more, unless it only says that there is nothing of that kind. */
export function ofBoth(http: ProtocolFailure, sse: ProtocolFailure): ProtocolFailure {
  const isNothing =
    sse.kind === 'not-mcp' || (sse.kind === 'http' && sse.status >= 400 && sse.status < 500);
  return isNothing ? http : sse;
}

/** Errors that only the modern era has: header mismatch, missing capability, unsupported version. */
const MODERN_CODES: ReadonlySet<unknown> = new Set([-32_020, -32_021, -32_022]);

export function isModernRefusal(status: number, body: string): boolean {
  if (status !== 400) return false;
  const parsed = parseJson(body, { maxLength: 64 * 1024, maxDepth: 64 });
  if (!parsed.ok || !isObject(parsed.value)) return false;
  const { error } = parsed.value;
  return isObject(error) && MODERN_CODES.has(error['code']);
}
