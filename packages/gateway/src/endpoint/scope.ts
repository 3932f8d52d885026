// Which servers an endpoint offers, and how their things are named there.

export type Scope =
  /** Every server, under prefixed names. */
  | { readonly kind: 'all' }
  /** One server, under its own names. */
  | { readonly kind: 'server'; readonly server: string }
  /** A chosen set, under prefixed names. */
  | { readonly kind: 'profile'; readonly name: string; readonly profile: Profile };

export interface Profile {
  /** Names of servers; all, unless given. */
  readonly servers?: readonly string[];
  /** `search` and `code` offer a fixed set of tools in place of all. */
  readonly mode?: 'direct' | 'search' | 'code';
}

/** Leaves room for the prefix that clients put before names of their own: `mcp__plugboard__`. */
export const GATEWAY_NAMES = { prefix: '', maxLength: 48 };

export function serversIn(scope: Scope, usable: readonly string[]): readonly string[] {
  switch (scope.kind) {
    case 'all':
      return usable;
    case 'server':
      return usable.filter((name) => name === scope.server);
    case 'profile': {
      const { servers } = scope.profile;
      return servers === undefined ? usable : usable.filter((name) => servers.includes(name));
    }
    default:
      return scope satisfies never;
  }
}
