// A remark of a translation about an entry: what was left out, what was written differently, and what its owner still
// has to do. Contains names of fields, variables and secrets, never a value from the other host's file.

export type Note =
  /** The name that the server has in the other host is not one that we allow. */
  | { readonly kind: 'renamed'; readonly from: string }
  | { readonly kind: 'left-out'; readonly field: string; readonly why: LeftOut }
  /** Something that only the other host knows, such as the open folder, was replaced by its current value. */
  | { readonly kind: 'filled-in'; readonly field: string; readonly value: string }
  /** The other host asks for this value or reads it from a file; here it is a stored secret. */
  | { readonly kind: 'needs-secret'; readonly field: string; readonly secret: string }
  /** The other host asks for this value; here it is a variable of the environment. */
  | { readonly kind: 'needs-variable'; readonly field: string; readonly variable: string }
  /** It means something to the other host and nothing to us: the server fails until it is mended. */
  | { readonly kind: 'unknown-placeholder'; readonly field: string }
  /** `${` is plain text to the other host, and was written so that it is to us as well. */
  | { readonly kind: 'plain-text'; readonly field: string }
  /** What looks like a secret stands in the file as it is; `secret` is a name to store it under. */
  | { readonly kind: 'plain-secret'; readonly field: string; readonly secret: string };

/**
 * `unknown`: we do not know the key. `no-counterpart`: we have nothing like it. `approval`: calls that
 * run without being asked about are never taken over. `unusable`: the value is none that can be used.
 */
export type LeftOut = 'unknown' | 'no-counterpart' | 'approval' | 'unusable';
