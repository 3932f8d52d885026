// A command that was used wrongly: said in one sentence, with what to do instead.

export interface UsageErrorOptions {
  /** The place in a file that it is about. */
  readonly where?: string;
  readonly details?: readonly string[];
}

export class UsageError extends Error {
  readonly fix: string;
  readonly where: string | undefined;
  readonly details: readonly string[];

  constructor(message: string, fix: string, options: UsageErrorOptions = {}) {
    super(message);
    this.name = 'UsageError';
    this.fix = fix;
    this.where = options.where;
    this.details = options.details ?? [];
  }
}
