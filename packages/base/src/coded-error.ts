// The only thing we throw: a bug or a lost cause, named by a stable code with typed data.
// Callers classify by `code`, never by the text of `message`.

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

/** The `code` of anything thrown, ours or Node's (`ENOENT`), where it has one. */
export function codeOf(thrown: unknown): string | undefined {
  if (typeof thrown !== 'object' || thrown === null || !('code' in thrown)) return undefined;
  return typeof thrown.code === 'string' ? thrown.code : undefined;
}

/** Text for anything thrown, since JavaScript lets anything be thrown. */
export function messageOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  if (!isSuppressed(thrown)) return thrown.message;
  return `${messageOf(thrown.suppressed)} (and then: ${messageOf(thrown.error)})`;
}

interface SuppressedFailure {
  /** What went wrong first. */
  readonly suppressed: unknown;
  /** What went wrong in cleaning up after it. */
  readonly error: unknown;
}

/** By its name: what compilers put in place where a runtime has no such class is a plain error. */
function isSuppressed(thrown: Error): thrown is Error & SuppressedFailure {
  return thrown.name === 'SuppressedError' && 'suppressed' in thrown && 'error' in thrown;
}
