// An answer too large to be read becomes an error answer to the same request. The mark is a symbol,
// which no server can put on a wire.

import type { ProtocolFailure } from './failure.ts';

type TooLarge = ProtocolFailure & { readonly kind: 'too-large' };

const OVERSIZE = Symbol('oversize answer');

interface OversizeMark {
  readonly [OVERSIZE]?: TooLarge;
}

export function oversizeError(failure: TooLarge): {
  readonly code: number;
  readonly message: string;
  readonly data: OversizeMark;
} {
  return { code: -32_000, message: 'answer too large', data: { [OVERSIZE]: failure } };
}

/** The failure that a marked error's data carries. */
export function oversizeOf(data: unknown): TooLarge | undefined {
  return typeof data === 'object' && data !== null ? (data as OversizeMark)[OVERSIZE] : undefined;
}
