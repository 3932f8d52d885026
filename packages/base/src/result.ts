// An expected outcome as a value: the type shows what a caller must handle.

export type Result<T, E> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: E };

export function ok<T>(value: T): Result<T, never> {
  return { ok: true, value };
}

export function err<E>(error: E): Result<never, E> {
  return { ok: false, error };
}

/** Synchronous if possible: awaiting a value costs a turn of the event loop. */
export type MaybePromise<T> = T | Promise<T>;
