// Decides which tools a rule matches by name. A rule that denies or asks matches every tool that could be meant; a rule
// that allows matches only if it is certain: if `mcp__a__b__x` could be a tool of server `a` or of server
// `a__b`, it is one of the server with the longer name, and of none if two servers have the same prefix.

import { compilePattern, headOf, type TextMatch } from './name-pattern.ts';
import type { CallPattern, Effect } from './rule.ts';
import type { CallSubject, ServerStanding } from './subject.ts';

export interface ToolNames extends Pick<CallSubject, 'server' | 'tool' | 'name'> {
  /** The model name without being cut and without a suffix. */
  readonly plainName: string;
}

export function namesOf(
  { server, tool, name }: Pick<CallSubject, 'server' | 'tool' | 'name'>,
  prefix: string,
): ToolNames {
  return { server, tool, name, plainName: `${prefix}${tool.replaceAll(/[^A-Za-z0-9_-]/gu, '_')}` };
}

export interface ToolMatch {
  /** False if no tool of the server can match. */
  readonly mayMean: (server: ServerStanding) => boolean;
  readonly fits: (names: ToolNames) => boolean;
  /** Whether it matches exactly one tool. */
  readonly isExact: boolean;
}

const PREFIX = 'mcp__';

export function compileToolPattern(
  { tool, server }: Pick<CallPattern, 'tool' | 'server'>,
  effect: Effect,
  servers: readonly ServerStanding[],
): ToolMatch {
  const named = tool === undefined ? ANY : fromText(tool, effect, servers);
  if (server === undefined) return named;
  const isServer = compilePattern(server);
  return {
    mayMean: (one) => isServer(one.name) && named.mayMean(one),
    fits: (names) => isServer(names.server) && named.fits(names),
    isExact: named.isExact,
  };
}

const ANY: ToolMatch = { mayMean: () => true, fits: () => true, isExact: false };

function fromText(text: string, effect: Effect, servers: readonly ServerStanding[]): ToolMatch {
  const isExact = !text.includes('*');
  if (text.startsWith(PREFIX)) {
    const isServer = servers.some(({ prefix }) => prefix === `${text}__`);
    return { ...fromModelName(text, effect, servers), isExact: isExact && !isServer };
  }
  const slash = text.indexOf('/');
  const isServer = compilePattern(text.slice(0, slash));
  const isTool = compilePattern(text.slice(slash + 1));
  return {
    mayMean: ({ name }) => isServer(name),
    fits: ({ server, tool }) => isServer(server) && isTool(tool),
    isExact,
  };
}

function fromModelName(
  text: string,
  effect: Effect,
  servers: readonly ServerStanding[],
): Omit<ToolMatch, 'isExact'> {
  const isName = compilePattern(text);
  // `mcp__server` means all tools of the server, as in other hosts.
  const whole = text.includes('*') ? undefined : `${text}__`;
  const named = new Set(servers.filter(({ prefix }) => prefix === whole).map(({ name }) => name));
  const head = headOf(text);
  const mayMean = ({ name, prefix }: ServerStanding): boolean =>
    named.has(name) || head.startsWith(prefix) || prefix.startsWith(head);
  if (effect === 'allow') {
    const isOwner = ownersOf(whole ?? head, servers);
    return {
      mayMean: (server) => isOwner(server.name) && mayMean(server),
      fits: ({ server, name }) => (named.has(server) || isName(name)) && isOwner(server),
    };
  }
  return {
    mayMean,
    // The model name may be cut or have a suffix; the tool must still be denied by its plain name.
    fits: ({ server, name, plainName }) => isName(name) || isName(plainName) || named.has(server),
  };
}

function ownersOf(head: string, servers: readonly ServerStanding[]): TextMatch {
  const named = servers.filter(({ prefix }) => head.startsWith(prefix));
  if (named.length === 0) return () => true;
  const longest = Math.max(...named.map(({ prefix }) => prefix.length));
  const owners = named.filter(({ prefix }) => prefix.length === longest);
  return (server) => owners.length === 1 && owners[0]?.name === server;
}
