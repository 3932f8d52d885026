// How a command ends early: it was used wrongly, which one sentence explains along with what to do instead; or the user
// stopped it, which needs no advice.

export interface UsageErrorOptions {
  /** For programs: `usage`, by default. */
  readonly kind?: 'unknown-server';
  /** The place in a file that it is about. */
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

/** The person stopped the command at a question, or by a signal. */
export class CancelledError extends Error {
  constructor() {
    super('cancelled');
    this.name = 'Cancelled';
  }
}
