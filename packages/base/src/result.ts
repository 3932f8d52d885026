// An expected outcome as a value: what a caller must handle is in the type, not in a throw.

export type Result<T, E> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: E };

export function ok<T>(value: T): Result<T, never> {
  return { ok: true, value };
}

export function err<E>(error: E): Result<never, E> {
  return { ok: false, error };
}

/** At once where it can be: to wait for what is there already costs a turn of the event loop. */
export type MaybePromise<T> = T | Promise<T>;
