// Which servers and tools an endpoint offers, and how it names them.

import { matchesWildcard } from '@plugboard/base';

export type Scope =
  /** Every server, under prefixed names. */
  | { readonly kind: 'all' }
  /** One server, under its own names. */
  | { readonly kind: 'server'; readonly server: string }
  /** A chosen set, under prefixed names. */
  | { readonly kind: 'profile'; readonly name: string; readonly profile: Profile };

/** How an endpoint gives clients the tools of its servers. */
export interface Offering {
  /** `search` and `code` offer a fixed set of tools in place of all. `direct`, by default. */
  readonly mode?: 'direct' | 'search' | 'code' | undefined;
  /** `fitted`: as a model reads them best, within a budget, and with notes of the host. `as-is`, by default. */
  readonly results?: 'as-is' | 'fitted' | undefined;
}

export interface Profile extends Offering {
  /** Names of servers; all, by default. */
  readonly servers?: readonly string[] | undefined;
  /** Which of their tools, as `SERVER/TOOL`; `*` stands for anything. Exclude wins. */
  readonly tools?:
    | {
        readonly include?: readonly string[] | undefined;
        readonly exclude?: readonly string[] | undefined;
      }
    | undefined;
}

/** The path of the endpoint over HTTP. */
export function pathOf(scope: Scope): string {
  switch (scope.kind) {
    case 'all':
      return '/mcp';
    case 'server':
      return `/mcp/${encodeURIComponent(scope.server)}`;
    case 'profile':
      return `/mcp/profile/${encodeURIComponent(scope.name)}`;
    default:
      return scope satisfies never;
  }
}

/** `all` configures the endpoint of all servers. The endpoint of one server offers everything unchanged. */
export function offeringOf(scope: Scope, all: Offering): Offering {
  switch (scope.kind) {
    case 'all':
      return all;
    case 'server':
      return {};
    case 'profile':
      return scope.profile;
    default:
      return scope satisfies never;
  }
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

/** Whether a tool of one of the scope's servers is offered. */
export function offersTool(scope: Scope, server: string, tool: string): boolean {
  if (scope.kind !== 'profile') return true;
  const { include, exclude } = scope.profile.tools ?? {};
  const matches = (pattern: string): boolean => matchesWildcard(pattern, `${server}/${tool}`);
  if (exclude?.some(matches) === true) return false;
  return include?.some(matches) ?? true;
}
