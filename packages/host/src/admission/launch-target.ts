// What of a server decides which rules are about it and which other server is the same: what would
// run, or what would be reached. To be given with its variables filled in, as it would be started.

export type LaunchTarget =
  | { readonly kind: 'command'; readonly argv: readonly string[] }
  | { readonly kind: 'url'; readonly url: string }
  /** A server of the program itself. */
  | { readonly kind: 'none' };
