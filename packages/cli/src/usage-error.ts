// The errors that end a command early: wrong use, with one sentence about the problem and one about the fix; and a stop by
// the user, which needs no advice.

export interface UsageErrorOptions {
  /** For programs. The default is `usage`. */
  readonly kind?: 'unknown-server';
  /** The place in a file. */
  readonly where?: string;
  readonly details?: readonly string[];
}

export class UsageError extends Error {
  readonly kind: 'usage' | 'unknown-server';
  readonly fix: string;
  readonly where: string | undefined;
  readonly details: readonly string[];

  constructor(message: string, fix: string, options: UsageErrorOptions = {}) {
    super(message);
    this.name = 'UsageError';
    this.kind = options.kind ?? 'usage';
    this.fix = fix;
    this.where = options.where;
    this.details = options.details ?? [];
  }
}

/** The fix for an unknown name. */
export function didYouMean(nearest: string | undefined, otherwise: string): string {
  return nearest === undefined ? otherwise : `did you mean "${nearest}"?`;
}

/** The user stopped the command at a question or with a signal. */
export class CancelledError extends Error {
  constructor() {
    super('cancelled');
    this.name = 'Cancelled';
  }
}
