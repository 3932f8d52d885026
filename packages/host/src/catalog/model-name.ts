// The names of tools for models: `mcp__<server>__<tool>`, at most 64 characters of `[A-Za-z0-9_-]`, which every provider
// accepts. Names are assigned, never parsed: tools whose names would be equal or too long get a suffix that depends only on
// their identity.

import { hash } from 'node:crypto';

/** The identity of a tool: a configured server and the server's own name for the tool. */
export interface ToolIdentity {
  readonly server: string;
  readonly tool: string;
}

/** Names a tool by its model name or by its identity. */
export type ToolReference = string | ToolIdentity;

/** The prefix and the maximum length of names. */
export interface NameForm {
  readonly prefix: string;
  readonly maxLength: number;
}

/** The form of model names. */
const MODEL_NAMES: NameForm = { prefix: 'mcp__', maxLength: 64 };
const SUFFIX_LENGTH = 13;

/** The prefix of the model names of a server's tools, unless they are cut. */
export function namePrefixOf(server: string): string {
  return prefixOf(server, MODEL_NAMES);
}

/** Guesses which tool an unassigned name means, for messages only. */
export function namedInModelName(name: string): ToolIdentity | undefined {
  const [, server, tool] = /^mcp__(.+?)__(.+)$/s.exec(name) ?? [];
  return server === undefined || tool === undefined ? undefined : { server, tool };
}

function prefixOf(server: string, { prefix }: NameForm): string {
  return `${prefix}${sanitise(server)}__`;
}

/** The name without a suffix. */
function plainName({ server, tool }: ToolIdentity, form: NameForm): string {
  return `${prefixOf(server, form)}${sanitise(tool)}`;
}

/**
 * Assigns each tool a name that does not depend on the order of the tools. All tools whose plain names are equal or
 * too long get a suffix, so that no tool can take over another's name.
 */
export function assignNames<T extends ToolIdentity>(
  tools: readonly T[],
  form: NameForm = MODEL_NAMES,
): Map<string, T> {
  const ordered = tools.toSorted(byIdentity);
  const isSuffixed = new Set<T>();
  for (;;) {
    const named = new Map<string, T[]>();
    for (const tool of ordered) {
      const name = isSuffixed.has(tool) ? suffixedName(tool, form) : plainName(tool, form);
      named.set(name, [...(named.get(name) ?? []), tool]);
    }
    const unclear = [...named].flatMap(([name, sharing]) =>
      sharing.length > 1 || name.length > form.maxLength ? sharing : [],
    );
    const more = unclear.filter((tool) => !isSuffixed.has(tool));
    // Tools that still share a name have the same identity or a hash collision: the first one keeps it.
    if (more.length === 0) return new Map([...named].map(([name, [first]]) => [name, first as T]));
    for (const tool of more) isSuffixed.add(tool);
  }
}

function byIdentity(a: ToolIdentity, b: ToolIdentity): number {
  if (a.server !== b.server) return a.server < b.server ? -1 : 1;
  return a.tool < b.tool ? -1 : Number(a.tool > b.tool);
}

function sanitise(text: string): string {
  return text.replaceAll(/[^A-Za-z0-9_-]/gu, '_');
}

/** No server name contains a NUL, so no two identities hash the same text. */
function suffixedName(identity: ToolIdentity, form: NameForm): string {
  const { server, tool } = identity;
  const digest = hash('sha256', `${server}\0${tool}`, 'hex');
  const suffix = `_${digest.slice(0, SUFFIX_LENGTH - 1)}`;
  return `${plainName(identity, form).slice(0, form.maxLength - SUFFIX_LENGTH)}${suffix}`;
}
