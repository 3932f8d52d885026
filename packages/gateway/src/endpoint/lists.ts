// What an endpoint lists: the tools, prompts, resources and templates of its servers, with all members that the servers
// sent, under the endpoint's names; and the lookup from a name or a URI back to its server.

import {
  type CancelSignal,
  err,
  isObject,
  type JsonObject,
  ok,
  type Result,
} from '@plugboard/base';
import type { Host } from '@plugboard/host';
import { assignNames, type CatalogTool, fitsTemplate } from '@plugboard/host/relay';
import { textOr } from '../message/index.ts';
import { GATEWAY_NAMES, offersTool, type Scope, serversIn } from './scope.ts';
import { type ListName, LISTS, type ServerLists } from './server-lists.ts';

const PAGE = 1000;
/** How many links of results are kept with the server that sent them. */
const MOST_LINKS = 10_000;

interface NamedItem {
  readonly server: string;
  /** The server's own name for the item. */
  readonly tool: string;
  readonly item: JsonObject;
}

export interface Target {
  readonly server: string;
  /** The server's own name for the tool or prompt. */
  readonly name: string;
  /** Only for a tool. */
  readonly inputSchema?: JsonObject;
}

/** Derived from the known tools; rebuilt only when they change. */
export interface ToolIndex {
  readonly of: readonly CatalogTool[];
  /** Those of this endpoint. */
  readonly own: readonly CatalogTool[];
  readonly targets: ReadonlyMap<string, Target>;
  readonly items: readonly JsonObject[];
  /** By URI: the servers whose tools name it as their MCP App. */
  readonly apps: ReadonlyMap<string, readonly string[]>;
}

export class Lists {
  readonly #host: Pick<Host, 'servers'>;
  readonly #lists: ServerLists;
  readonly #scope: Scope;
  readonly #links = new Map<string, string>();
  #index: ToolIndex | undefined;

  constructor(host: Pick<Host, 'servers'>, lists: ServerLists, scope: Scope) {
    this.#host = host;
    this.#lists = lists;
    this.#scope = scope;
  }

  /** In a stable order. */
  async all(list: ListName, signal: CancelSignal): Promise<readonly JsonObject[]> {
    if (list === 'tools') return (await this.tools(signal)).items;
    const items = await this.#items(list, signal);
    if (this.#scope.kind === 'server' || LISTS[list].named !== 'name') {
      return items.map(({ item }) => item);
    }
    return [...assignNames(items, GATEWAY_NAMES)]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, { item }]) => ({ ...item, name }));
  }

  /** The tools of all servers that list theirs within the time limit of a list. */
  async tools(signal: CancelSignal): Promise<ToolIndex> {
    await this.#read('tools', signal);
    return this.known;
  }

  /** Waits for these servers without a time limit. */
  async toolsOf(servers: readonly string[], signal: CancelSignal): Promise<ToolIndex> {
    await Promise.all(servers.map((server) => this.#lists.one('tools', server, signal)));
    return this.known;
  }

  /** The servers of this endpoint that are not disabled. */
  get servers(): readonly string[] {
    const usable = this.#host.servers.filter(({ state }) => state.kind !== 'disabled');
    return serversIn(
      this.#scope,
      usable.map(({ name }) => name),
    );
  }

  /** The servers that could have a tool of this name, in the form that models use. */
  serversNamed(name: string): readonly string[] {
    return this.servers.filter((server) => name.startsWith(`${server}.`));
  }

  /** Finds a tool by its name at this endpoint; synchronously if it is known. */
  tool(name: string, signal: CancelSignal): Target | undefined | Promise<Target | undefined> {
    const known = this.known.targets.get(name);
    if (known !== undefined) return known;
    return this.#readFor('tools', name, signal).then(
      () => this.known.targets.get(name) ?? this.#unlisted(name),
    );
  }

  /** Finds a prompt by its name at this endpoint. */
  async prompt(name: string, signal: CancelSignal): Promise<Target | undefined> {
    await this.#readFor('prompts', name, signal);
    const items = await this.#items('prompts', signal);
    const found = assignNames(items, GATEWAY_NAMES).get(name);
    return found === undefined ? undefined : { server: found.server, name: found.tool };
  }

  /**
   * The server of a resource: the one that lists it, else one whose tools name it, else one with a matching template, else
   * the one that sent a link to it.
   */
  async ownerOf(uri: string, signal: CancelSignal): Promise<Result<string, string>> {
    if (this.#scope.kind === 'server') return ok(this.#scope.server);
    const listed = await this.#items('resources', signal);
    const [owner, ...others] = unlessEmpty(serversOf(listed.filter(({ tool }) => tool === uri))) ??
      unlessEmpty(this.known.apps.get(uri) ?? []) ??
      unlessEmpty(await this.#serversWithTemplate(uri, signal)) ?? [this.#links.get(uri)];
    if (owner === undefined) return err(`No server has a resource ${quoted(uri)}`);
    if (others.length === 0) return ok(owner);
    return err(
      `Several servers have a resource ${quoted(uri)}: ${[owner, ...others].join(', ')}. Each can be reached at /mcp/<server>.`,
    );
  }

  /** Records the resource links of a result, which no list need have. */
  noteLinks({ content }: JsonObject, server: string): void {
    if (!Array.isArray(content)) return;
    for (const block of content) {
      if (!isObject(block) || block['type'] !== 'resource_link') continue;
      const { uri } = block;
      if (typeof uri !== 'string' || this.#links.has(uri)) continue;
      this.#links.set(uri, server);
      const [oldest] = this.#links.keys();
      if (this.#links.size > MOST_LINKS && oldest !== undefined) this.#links.delete(oldest);
    }
  }

  async #serversWithTemplate(uri: string, signal: CancelSignal): Promise<readonly string[]> {
    const templates = await this.#items('templates', signal);
    return serversOf(templates.filter(({ tool }) => tool === uri || fitsTemplate(tool, uri)));
  }

  get known(): ToolIndex {
    const { tools } = this.#lists;
    if (this.#index?.of !== tools) this.#index = indexOf(tools, this.#own(tools), this.#scope);
    return this.#index;
  }

  /** The tools of this endpoint; of one server, in its own order. */
  #own(tools: readonly CatalogTool[]): readonly CatalogTool[] {
    if (this.#scope.kind === 'server') return this.#lists.toolsOf(this.#scope.server);
    const scope = this.#scope;
    const servers = new Set(serversIn(scope, [...new Set(tools.map(({ server }) => server))]));
    return tools.filter(
      ({ server, tool }) => servers.has(server) && offersTool(scope, server, tool),
    );
  }

  async #items(list: ListName, signal: CancelSignal): Promise<readonly NamedItem[]> {
    const all = await this.#read(list, signal);
    return all.flatMap(({ server, items }) =>
      items.map((item) => ({ server, tool: textOr(item[LISTS[list].named]), item })),
    );
  }

  /** A tool of a server that could not list its tools; the call reports why. */
  #unlisted(name: string): Target | undefined {
    const listed = new Set(this.known.own.map(({ server }) => server));
    const [server, ...others] = this.#serversWithPrefix(name).filter((one) => !listed.has(one));
    if (server === undefined || others.length > 0) return undefined;
    return { server, name: name.slice(namePrefix(server).length) };
  }

  #serversWithPrefix(name: string): readonly string[] {
    return this.servers.filter((server) => name.startsWith(namePrefix(server)));
  }

  /** Reads from the servers that could have this name, without a time limit; from all if there are none. */
  async #readFor(list: ListName, name: string, signal: CancelSignal): Promise<void> {
    const fitting = this.#serversWithPrefix(name);
    if (fitting.length === 0) await this.#read(list, signal);
    else await Promise.all(fitting.map((server) => this.#lists.one(list, server, signal)));
  }

  async #read(
    list: ListName,
    signal: CancelSignal,
  ): Promise<readonly { readonly server: string; readonly items: readonly JsonObject[] }[]> {
    const { servers } = this;
    const read =
      this.#scope.kind === 'server'
        ? await Promise.all(servers.map((server) => this.#lists.one(list, server, signal)))
        : await this.#lists.all(list, servers, signal);
    return servers.map((server, index) => ({ server, items: read[index] ?? [] }));
  }
}

function indexOf(
  tools: readonly CatalogTool[],
  own: readonly CatalogTool[],
  scope: Scope,
): ToolIndex {
  const named =
    scope.kind === 'server'
      ? own.map((tool) => [tool.tool, tool] as const)
      : [...assignNames(own, GATEWAY_NAMES)].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const apps = new Map<string, readonly string[]>();
  for (const { server, definition } of own) {
    const uri = appOf(definition as unknown as JsonObject);
    if (uri !== undefined) apps.set(uri, [...new Set([...(apps.get(uri) ?? []), server])]);
  }
  return {
    of: tools,
    own,
    targets: new Map(
      named.map(([name, { server, tool, definition }]) => [
        name,
        { server, name: tool, inputSchema: definition.inputSchema },
      ]),
    ),
    items: named.map(([name, { definition }]) => {
      const { needsTask: _, ...item } = definition;
      return { ...(item as unknown as JsonObject), name };
    }),
    apps,
  };
}

/** The URI of the MCP App of a tool. */
export function appOf({ _meta }: JsonObject): string | undefined {
  if (!isObject(_meta)) return undefined;
  const { ui, 'ui/resourceUri': flat } = _meta;
  const uri = isObject(ui) ? ui['resourceUri'] : flat;
  return typeof uri === 'string' ? uri : undefined;
}

function namePrefix(server: string): string {
  return `${server.replaceAll(/[^A-Za-z0-9_-]/gu, '_')}__`;
}

function serversOf(items: readonly NamedItem[]): readonly string[] {
  return [...new Set(items.map(({ server }) => server))];
}

function unlessEmpty(servers: readonly string[]): readonly string[] | undefined {
  return servers.length === 0 ? undefined : servers;
}

function quoted(uri: string): string {
  return JSON.stringify(uri.slice(0, 200));
}

/** One page of a list. Refuses a cursor that this function did not make. */
export function pageOf(
  items: readonly JsonObject[],
  cursor: unknown,
): Result<{ readonly items: readonly JsonObject[]; readonly nextCursor?: string }, string> {
  const start = cursor === undefined ? 0 : Number(/^p(\d{1,9})$/.exec(textOr(cursor))?.[1]);
  if (!Number.isSafeInteger(start) || start > items.length || start < 0)
    return err('Unknown cursor');
  const page = items.slice(start, start + PAGE);
  return ok(
    start + PAGE < items.length ? { items: page, nextCursor: `p${start + PAGE}` } : { items: page },
  );
}
