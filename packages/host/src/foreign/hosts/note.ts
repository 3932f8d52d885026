// A note about a translated entry: what was left out, what was changed, and what the user still has to do.
// Contains names of fields, variables and secrets, never a value from the other host's file.

export type Note =
  /** The name of the server in the other host is not valid here. */
  | { readonly kind: 'renamed'; readonly from: string }
  | { readonly kind: 'left-out'; readonly field: string; readonly why: LeftOut }
  /** A placeholder of the other host, such as the open folder, was replaced by its current value. */
  | { readonly kind: 'filled-in'; readonly field: string; readonly value: string }
  /** The other host asks for this value or reads it from a file; here it is a stored secret. */
  | { readonly kind: 'needs-secret'; readonly field: string; readonly secret: string }
  /** The other host asks for this value; here it is a variable of the environment. */
  | { readonly kind: 'needs-variable'; readonly field: string; readonly variable: string }
  /** A placeholder of the other host without a counterpart: the server fails until it is corrected. */
  | { readonly kind: 'unknown-placeholder'; readonly field: string }
  /** `${` is plain text in the other host, and was escaped so that it is here as well. */
  | { readonly kind: 'plain-text'; readonly field: string }
  /** The file seems to contain a secret in clear; `secret` is a name under which to store it. */
  | { readonly kind: 'plain-secret'; readonly field: string; readonly secret: string };

/**
 * `unknown`: the key is unknown. `no-counterpart`: there is no similar field. `approval`: permissions to call
 * tools without asking are never imported. `unusable`: the value is invalid.
 */
export type LeftOut = 'unknown' | 'no-counterpart' | 'approval' | 'unusable';
