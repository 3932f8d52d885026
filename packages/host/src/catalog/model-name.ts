// Names under which tools are shown to a model: `mcp__<server>__<tool>`, at most 64 characters of
// `[A-Za-z0-9_-]`, as every provider accepts. Names are assigned, never parsed back: two tools that
// would get the same name, or one too long, get a suffix that depends on nothing but who they are.

import { createHash } from 'node:crypto';

/** Who a tool is: a configured server and the server's own name for the tool. */
export interface ToolIdentity {
  readonly server: string;
  readonly tool: string;
}

/** A tool by the name a model knows, or by who it is. */
export type ToolReference = string | ToolIdentity;

/** How names begin, and how long they may be. */
export interface NameForm {
  readonly prefix: string;
  readonly maxLength: number;
}

/** As models know tools. */
const MODEL_NAMES: NameForm = { prefix: 'mcp__', maxLength: 64 };
const SUFFIX_LENGTH = 13;

/** How the names of a server's tools begin, as far as they are not cut. */
export function namePrefixOf(server: string): string {
  return prefixOf(server, MODEL_NAMES);
}

/** The tool that an unassigned name seems to mean. A guess, for messages only. */
export function namedInModelName(name: string): ToolIdentity | undefined {
  const [, server, tool] = /^mcp__(.+?)__(.+)$/s.exec(name) ?? [];
  return server === undefined || tool === undefined ? undefined : { server, tool };
}

function prefixOf(server: string, { prefix }: NameForm): string {
  return `${prefix}${sanitise(server)}__`;
}

/** The name before anyone else's is looked at. */
function plainName({ server, tool }: ToolIdentity, form: NameForm): string {
  return `${prefixOf(server, form)}${sanitise(tool)}`;
}

/**
 * Gives each tool its name, whatever order the tools come in. Those whose plain names are equal or
 * too long all get a suffix, so that no tool can take over another's name.
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
    // What still shares a name has the same identity, or a broken hash: the first one keeps it.
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

/** NUL separates the two: no server name holds one, so no two identities hash the same text. */
function suffixedName(identity: ToolIdentity, form: NameForm): string {
  const { server, tool } = identity;
  const digest = createHash('sha256').update(`${server}\0${tool}`).digest('hex');
  const suffix = `_${digest.slice(0, SUFFIX_LENGTH - 1)}`;
  return `${plainName(identity, form).slice(0, form.maxLength - SUFFIX_LENGTH)}${suffix}`;
}
