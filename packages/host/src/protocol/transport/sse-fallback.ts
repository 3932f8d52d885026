// Decides whether to try HTTP+SSE after Streamable HTTP failed, and which failure to report if both failed. Pure.
// https://modelcontextprotocol.io/specification/2026-07-28/basic/transports

import { isObject, parseJson } from '@plugboard/base';
import type { ProtocolFailure } from '../neutral/failure.ts';

/** What the attempt over Streamable HTTP showed about the server. */
export interface EraEvidence {
  /** It has refused a request with an error of the modern era. */
  readonly isModern: boolean;
}

/** The statuses with which old servers refuse a POST to that address. */
const REFUSALS: ReadonlySet<number> = new Set([400, 404, 405]);

export function mayBeSse(failure: ProtocolFailure, seen: EraEvidence | undefined): boolean {
  return failure.kind === 'http' && REFUSALS.has(failure.status) && seen?.isModern !== true;
}

/** The second failure is more specific, unless it only shows that the server does not support HTTP+SSE. */
export function moreSpecific(http: ProtocolFailure, sse: ProtocolFailure): ProtocolFailure {
  const isUnsupported =
    sse.kind === 'not-mcp' || (sse.kind === 'http' && sse.status >= 400 && sse.status < 500);
  return isUnsupported ? http : sse;
}

/** The error codes of the modern era: header mismatch, missing capability, unsupported version. */
const MODERN_CODES: ReadonlySet<unknown> = new Set([-32_020, -32_021, -32_022]);

export function isModernRefusal(status: number, body: string): boolean {
  if (status !== 400) return false;
  const parsed = parseJson(body, { maxLength: 64 * 1024, maxDepth: 64 });
  if (!parsed.ok || !isObject(parsed.value)) return false;
  const { error } = parsed.value;
  return isObject(error) && MODERN_CODES.has(error['code']);
}
