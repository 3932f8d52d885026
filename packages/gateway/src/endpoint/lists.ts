// What an endpoint lists: the tools, prompts, resources and templates of its servers, with every member that the servers
// sent, under the names of the endpoint. A server that is slow is missing until it has answered; a change is announced.

import {
  abortable,
  type Clock,
  deadline,
  type JsonObject,
  type Result,
  err,
  ok,
} from '@plugboard/base';
import {
  assignNames,
  fitsTemplate,
  type HostRelay,
  type PrimitiveList,
} from '@plugboard/host/relay';
import { textOr } from '../message/index.ts';
import { GATEWAY_NAMES, type Scope } from './scope.ts';

/** For so long a list waits for servers of which nothing is known. */
const FIRST_WAIT_MS = 1500;
const PAGE = 1000;

export type ListName = 'tools' | PrimitiveList;

interface NamedItem {
  readonly server: string;
  /** The server's own name for it. */
  readonly tool: string;
  readonly item: JsonObject;
}

export interface Target {
  readonly server: string;
  /** The server's own name for it. */
  readonly name: string;
}

export interface ListPorts {
  readonly relay: HostRelay;
  readonly clock: Clock;
  readonly servers: () => readonly string[];
}

const NAME_KEY: Readonly<Record<ListName, string>> = {
  tools: 'name',
  prompts: 'name',
  resources: 'uri',
  templates: 'uriTemplate',
};

export class Lists {
  readonly #ports: ListPorts;
  readonly #scope: Scope;

  constructor(ports: ListPorts, scope: Scope) {
    this.#ports = ports;
    this.#scope = scope;
  }

  /** In a stable order. */
  async all(list: ListName, signal: AbortSignal): Promise<readonly JsonObject[]> {
    const items = await this.#items(list, signal);
    if (this.#isOwn || NAME_KEY[list] !== 'name') return items.map(({ item }) => item);
    return [...assignNames(items, GATEWAY_NAMES)]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, { item }]) => ({ ...item, name }));
  }

  /** The tool or prompt that a client means by a name. */
  async named(
    list: 'tools' | 'prompts',
    name: string,
    signal: AbortSignal,
  ): Promise<Target | undefined> {
    if (this.#scope.kind === 'server') return { server: this.#scope.server, name };
    const items = await this.#items(list, signal);
    const found = assignNames(items, GATEWAY_NAMES).get(name);
    return found === undefined ? undefined : { server: found.server, name: found.tool };
  }

  /** The server of a resource: the one that lists it, else the one with a template that it fits. */
  async ownerOf(uri: string, signal: AbortSignal): Promise<Result<string, string>> {
    if (this.#scope.kind === 'server') return ok(this.#scope.server);
    const listed = await this.#items('resources', signal);
    const exact = serversOf(listed.filter(({ tool }) => tool === uri));
    const fitting =
      exact.length > 0
        ? exact
        : serversOf(
            (await this.#items('templates', signal)).filter(
              ({ tool }) => tool === uri || fitsTemplate(tool, uri),
            ),
          );
    const [owner] = fitting;
    if (owner === undefined) return err(`No server has a resource ${shown(uri)}`);
    if (fitting.length === 1) return ok(owner);
    return err(
      `Several servers have a resource ${shown(uri)}: ${fitting.join(', ')}. Each can be reached at /mcp/<server>.`,
    );
  }

  get #isOwn(): boolean {
    return this.#scope.kind === 'server';
  }

  async #items(list: ListName, signal: AbortSignal): Promise<readonly NamedItem[]> {
    const { clock, servers } = this.#ports;
    using limit = deadline(FIRST_WAIT_MS, clock, signal);
    const isAlone = this.#scope.kind === 'server';
    const all = await Promise.all(
      servers().map(async (server) => {
        const reading = this.#itemsOf(list, server, signal);
        try {
          return await (isAlone ? reading : abortable(reading, limit.signal));
        } catch {
          // It is announced once it is there.
          reading.catch(() => {});
          return [];
        }
      }),
    );
    return all.flat();
  }

  async #itemsOf(
    list: ListName,
    server: string,
    signal: AbortSignal,
  ): Promise<readonly NamedItem[]> {
    const { relay } = this.#ports;
    if (list === 'tools') {
      const tools = await relay.tools([server], signal);
      return tools.map(({ tool, definition }) => {
        const { needsTask: _, ...item } = definition;
        return { server, tool, item: item as unknown as JsonObject };
      });
    }
    const { items } = await relay.list(list, server, signal);
    return items.map((item) => ({ server, tool: textOr(item[NAME_KEY[list]]), item }));
  }
}

function serversOf(items: readonly NamedItem[]): readonly string[] {
  return [...new Set(items.map(({ server }) => server))];
}

function shown(uri: string): string {
  return JSON.stringify(uri.slice(0, 200));
}

/** One page of a list. A cursor that is not ours is refused. */
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
