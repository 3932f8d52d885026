// The only class of errors that is thrown, for bugs and for failures that no caller can handle: a stable code with typed
// data. Callers classify by `code`, never by the text of `message`.

export class CodedError<Code extends string = string, Data = unknown> extends Error {
  readonly code: Code;
  readonly data: Data;

  constructor(code: Code, message: string, options: { data: Data; cause?: unknown }) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined);
    this.name = 'CodedError';
    this.code = code;
    this.data = options.data;
  }
}

/** The `code` of a thrown value, such as `ENOENT`, if it has one. */
export function codeOf(thrown: unknown): string | undefined {
  if (typeof thrown !== 'object' || thrown === null || !('code' in thrown)) return undefined;
  return typeof thrown.code === 'string' ? thrown.code : undefined;
}

/** The message of a thrown value, which need not be an error. */
export function messageOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  if (!isSuppressed(thrown)) return thrown.message;
  return `${messageOf(thrown.suppressed)} (and then: ${messageOf(thrown.error)})`;
}

interface SuppressedFailure {
  /** The first failure. */
  readonly suppressed: unknown;
  /** The failure of the cleanup after it. */
  readonly error: unknown;
}

/** By its name: compilers use a plain error if the runtime has no such class. */
function isSuppressed(thrown: Error): thrown is Error & SuppressedFailure {
  return thrown.name === 'SuppressedError' && 'suppressed' in thrown && 'error' in thrown;
}
