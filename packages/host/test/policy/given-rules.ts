// Short forms of rules, calls and servers for tests.

import type { JsonObject } from '@plugboard/base';
import type {
  CallSubject,
  Effect,
  Predicate,
  Rule,
  RuleTarget,
  ServerStanding,
  ToolClaims,
} from '../../src/policy/index.ts';

const STRENGTH = { enterprise: 7, dynamic: 6, local: 5, project: 4, user: 3 } as const;

export type TestScope = keyof typeof STRENGTH;

export const SCOPES = Object.keys(STRENGTH) as readonly TestScope[];

export function rule(
  effect: Effect,
  on: string | RuleTarget,
  { scope = 'user', line = 1 }: { readonly scope?: TestScope; readonly line?: number } = {},
): Rule {
  return {
    effect,
    on: typeof on === 'string' ? { kind: 'calls', tool: on } : on,
    text: typeof on === 'string' ? on : JSON.stringify(on),
    scope,
    strength: STRENGTH[scope],
    origin: { kind: 'file', file: `/${scope}.json`, line, column: 5 },
    isOwn: scope !== 'local' && scope !== 'project',
  };
}

export function where(
  tool: string,
  ...conditions: readonly (Pick<Predicate, 'path' | 'operator' | 'value'> & {
    readonly isNegated?: boolean;
  })[]
): RuleTarget {
  const predicates = conditions.map((one) => ({ isNegated: false, ...one }));
  return { kind: 'calls', tool, arguments: predicates };
}

export const WRITES: ToolClaims = {
  isReadOnly: false,
  isDestructive: true,
  isIdempotent: false,
  isOpenWorld: true,
};

export const READS: ToolClaims = { ...WRITES, isReadOnly: true, isDestructive: false };

export function server(name: string, standing: Partial<ServerStanding> = {}): ServerStanding {
  const prefix = `mcp__${name.replaceAll(/[^A-Za-z0-9_-]/g, '_')}__`;
  return { name, prefix, unasked: [], isTrusted: true, ...standing };
}

export const SERVERS = ['github', 'files', 'a', 'a__b', 'codebase'].map((name) =>
  server(name, { unasked: name === 'codebase' ? ['*'] : [] }),
);

export function call(
  tool: string,
  given: JsonObject = {},
  more: Partial<CallSubject> = {},
): CallSubject {
  const slash = tool.indexOf('/');
  const [of, own] = [tool.slice(0, slash), tool.slice(slash + 1)];
  const name = `${server(of).prefix}${own.replaceAll(/[^A-Za-z0-9_-]/g, '_')}`;
  return { server: of, tool: own, name, claims: WRITES, arguments: given, ...more };
}
