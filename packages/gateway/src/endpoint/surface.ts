// The fixed tools of an endpoint that offers a search instead of all tools: search, describe, call by name, and scripts if
// enabled. The tools behind them change with the servers. A legacy client keeps the same definitions for its session;
// modern clients are notified only when the set of servers changes.

import { abortSignalOf, type CancelSignal, isObject, type JsonObject } from '@plugboard/base';
import type { CallSettings, Host, ServerStatus } from '@plugboard/host';
import {
  type Answer,
  answerContent,
  CALL_TOOL,
  isSearchTool,
  type MadeCall,
  ModelTools,
  type OfferedTool,
  RUN_CODE,
  RUN_CODE_TOKENS,
  SEARCH_TOOLS,
} from '@plugboard/host/adapters';
import { type CatalogTool, toHostTool } from '@plugboard/host/relay';
import type { Client, Exchange } from '../client/index.ts';
import { type RpcReply, textOr } from '../message/index.ts';
import type { Forwarded, Forwarder, ServerCall } from './forwarder.ts';
import { resultFor } from './era-result.ts';
import type { FittedResults } from './fitted-results.ts';
import type { Lists, ToolIndex } from './lists.ts';
import { answerResult } from './outcome-reply.ts';

export interface SurfacePorts {
  readonly host: Pick<Host, 'servers' | 'scripts' | 'fitText'>;
  readonly lists: Lists;
  readonly fitted: FittedResults | undefined;
  /** Makes the calls that the fixed tools lead to. */
  readonly forwarder: Forwarder;
}

/** How many servers without tools the answer to a search names. */
const MOST_ABSENT = 10;

interface Current {
  readonly of: readonly CatalogTool[];
  readonly byName: ReadonlyMap<string, CatalogTool>;
  /** The names of the servers that have tools, as one key. */
  readonly servers: string;
  readonly tools: ModelTools;
}

export class Surface {
  readonly #ports: SurfacePorts;
  readonly #mode: 'search' | 'code';
  readonly #offered = new WeakMap<Client, readonly OfferedTool[]>();
  #current: Current | undefined;
  #inScripts = 0;

  constructor(ports: SurfacePorts, mode: 'search' | 'code') {
    this.#ports = ports;
    this.#mode = mode;
  }

  has(name: unknown): boolean {
    if (typeof name !== 'string') return false;
    return isSearchTool(name) || (this.#mode === 'code' && name === RUN_CODE);
  }

  /** The fixed tools, and the tools of servers that are always loaded. */
  async list(client: Client, signal: CancelSignal): Promise<readonly JsonObject[]> {
    const index = await this.#ports.lists.tools(signal);
    const { own } = this.#update(index).tools;
    const offered = client.era === 'legacy' ? (this.#offered.get(client) ?? own) : own;
    if (client.era === 'legacy') this.#offered.set(client, offered);
    const always = this.#alwaysLoaded();
    const direct = index.items.filter(({ name }) =>
      always.has(index.targets.get(name as string)?.server ?? ''),
    );
    return [...offered.map((tool) => ({ ...tool }) as unknown as JsonObject), ...direct];
  }

  /** Answers a call of one of the fixed tools. */
  async call(forwarded: Forwarded): Promise<RpcReply> {
    const { request, exchange, upstreamOf } = forwarded;
    const { client } = exchange;
    const { fitted, forwarder } = this.#ports;
    const { name, arguments: given } = request.params;
    const call = { name: name as string, arguments: isObject(given) ? given : {} };
    const { tools } = await this.#currentFor(call, exchange.signal);
    const absent = call.name === CALL_TOOL ? this.#callOfAbsentServer(call, tools) : undefined;
    if (absent !== undefined) return (await forwarder.forwardCall(absent, forwarded)).reply;
    let reply: RpcReply | undefined;
    const answer = await tools.run(call, {
      signal: abortSignalOf(exchange.signal),
      owner: client.principal,
      make: async (made, inScript) => {
        const meant = this.#serverCall(made);
        if (meant === undefined) {
          return { kind: 'unknown-tool', asked: made.name, nearest: undefined };
        }
        if (inScript !== undefined) {
          return forwarder.callInScript(
            meant,
            this.#scriptExchange(exchange, inScript),
            upstreamOf,
          );
        }
        const passed = await forwarder.forwardCall(meant, forwarded);
        // The fixed tools explain wrong arguments better than the reply.
        if (passed.outcome.kind !== 'invalid-arguments') ({ reply } = passed);
        return passed.outcome;
      },
    });
    if (reply !== undefined) return reply;
    const note = call.name === SEARCH_TOOLS ? this.#notSearchedNote() : [];
    const whole = { ...answer, parts: [...answer.parts, ...note] };
    const result = fitted?.resultOf(whole, client) ?? answerResult(answerContent(whole));
    return { result: resultFor(client.era, 'tools/call', result) };
  }

  /** A call of a tool by its name waits only for the server of that tool. */
  async #currentFor(call: MadeCall, signal: CancelSignal): Promise<Current> {
    const { lists } = this.#ports;
    if (call.name !== CALL_TOOL) return this.#update(await lists.tools(signal));
    const current = this.#update(lists.known);
    if (current.tools.resolve(call) !== call) return current;
    const named = lists.serversNamed(textOr(call.arguments['name']));
    return this.#update(
      await (named.length > 0 ? lists.toolsOf(named, signal) : lists.tools(signal)),
    );
  }

  /** A call of a server whose tools are unknown; its reply explains the state of the server. */
  #callOfAbsentServer(call: MadeCall, tools: ModelTools): ServerCall | undefined {
    if (tools.resolve(call) !== call) return undefined;
    const { name, arguments: given } = call.arguments;
    const named = new Set(this.#ports.lists.serversNamed(textOr(name)));
    const server = this.#absentServers().find((each) => named.has(each.name))?.name;
    if (server === undefined) return undefined;
    const tool = textOr(name).slice(server.length + 1);
    return { server, name: tool, arguments: isObject(given) ? given : {} };
  }

  #notSearchedNote(): Answer['parts'] {
    const absentServers = this.#absentServers();
    if (absentServers.length === 0) return [];
    const shown = absentServers
      .slice(0, MOST_ABSENT)
      .map(({ name, state }) => `${name} (${state.kind})`);
    const more =
      absentServers.length > MOST_ABSENT ? ` and ${absentServers.length - MOST_ABSENT} more` : '';
    return [{ kind: 'text', text: `Not searched, without tools now: ${shown.join(', ')}${more}.` }];
  }

  /** Servers of this endpoint that are not connected and have no known tools. */
  #absentServers(): readonly ServerStatus[] {
    const { host, lists } = this.#ports;
    const known = new Set(lists.known.own.map(({ server }) => server));
    const own = new Set(lists.servers);
    return host.servers.filter(
      ({ name, state }) => own.has(name) && !known.has(name) && state.kind !== 'ready',
    );
  }

  #update({ own }: ToolIndex): Current {
    const last = this.#current;
    if (last?.of === own) return last;
    const servers = JSON.stringify([...new Set(own.map(({ server }) => server))]);
    const tools = last?.servers === servers ? last.tools : new ModelTools(this.#scriptHost());
    tools.set(own.map(toHostTool), {
      mode: this.#mode,
      budget: 0,
      always: this.#alwaysLoaded(),
      codeTokens: RUN_CODE_TOKENS,
    });
    const byName = new Map(own.map((tool) => [tool.name, tool]));
    this.#current = { of: own, byName, servers, tools };
    return this.#current;
  }

  #alwaysLoaded(): ReadonlySet<string> {
    const { servers } = this.#ports.host;
    return new Set(servers.filter(({ isAlwaysLoaded }) => isAlwaysLoaded).map(({ name }) => name));
  }

  #scriptHost(): Pick<Host, 'scripts' | 'fitText'> {
    const { host, fitted } = this.#ports;
    return {
      scripts: host.scripts,
      fitText: (text) =>
        fitted === undefined ? Promise.resolve([{ kind: 'text', text }]) : host.fitText(text),
    };
  }

  #serverCall({ name, arguments: given }: MadeCall): ServerCall | undefined {
    const tool = this.#current?.byName.get(name);
    return tool && { server: tool.server, name: tool.tool, arguments: given };
  }

  /** The exchange of a call in a script: the client's, with the script's clock paused while the client is asked. */
  #scriptExchange(exchange: Exchange, { signal, ...script }: CallSettings): Exchange {
    const { id, client, logLevel, record } = exchange;
    const { whileAsked } = script;
    this.#inScripts += 1;
    return {
      id: `${id}/${this.#inScripts}`,
      client,
      signal: signal ?? exchange.signal,
      inScript: script,
      logLevel,
      record,
      // The progress of one call is not the progress of the script.
      progressToken: undefined,
      get parked() {
        return exchange.parked;
      },
      notify: (method, params) => exchange.notify(method, params),
      ask: async (method, params, abort) => {
        using _pause = whileAsked?.();
        return await exchange.ask(method, params, abort);
      },
    };
  }
}
