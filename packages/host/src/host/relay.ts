// Connects one client of a gateway with the servers behind it, over its own sessions (`relay-sessions.ts`). Messages pass
// unchanged. A tool call takes the steps of every call (`call.ts`). Its arguments are checked only by the server, unless the
// caller requests `checked`, and its result is the server's.

import { abortSignalOf, err, isObject, type JsonObject, ok, type Result } from '@plugboard/base';
import type { CatalogTool, ToolReference } from '../catalog/index.ts';
import type { ConnectionState } from '../connection/index.ts';
import {
  type MessageObserver,
  parameterHeaders,
  readToolResult,
  type RelayRequestOptions,
  type RelaySession,
  type ToolResult,
} from '../protocol/index.ts';
import {
  type CalledTool,
  calledOf,
  type CallOutcome,
  deniedCall,
  unknownServer,
  withFailure,
  withoutSession,
} from './call-outcome.ts';
import { call, type CallParts } from './call.ts';
import type { Caller, PermissionObserver } from './call-permission.ts';
import { answeredCall } from './host-calls.ts';
import type { Output } from '../output/index.ts';
import type { ListedByServer, PrimitiveList, Primitives } from './primitives.ts';
import {
  type RelayClient,
  type RelayedRequest,
  RelaySessions,
  type RelaySessionParts,
} from './relay-sessions.ts';
import { isReading } from './reading-methods.ts';
import { READING, sendRequest, CHANGING } from './send-request.ts';

/** Observes one request: its permission, and its messages to the server and back. */
export type RelayObserver = MessageObserver & PermissionObserver;

export interface RelayOptions extends Pick<
  RelayRequestOptions,
  'signal' | 'capabilities' | 'clientInfo' | 'onNotification'
> {
  readonly from?: Caller;
  /** `checked`: against the schema before they are sent. `as-given` by default. */
  readonly arguments?: 'as-given' | 'checked';
  readonly observer?: RelayObserver | undefined;
}

/** A result as the server sent it, or the reason why there is none. */
export type RelayResult = Result<JsonObject, CallOutcome>;

export interface HostRelayParts extends RelaySessionParts, CallParts {
  readonly primitives: Primitives;
  readonly output: Output;
}

export class HostRelay implements AsyncDisposable {
  readonly sessions: RelaySessions;
  readonly #parts: HostRelayParts;

  constructor(parts: HostRelayParts, client: RelayClient) {
    this.#parts = parts;
    this.sessions = new RelaySessions(parts, client);
  }

  /** The server's answer to `initialize` or `server/discover`. Connects first. */
  async hello(server: string): Promise<RelayResult> {
    const { servers } = this.#parts;
    const called = { server, tool: 'initialize' };
    if (servers.get(server) === undefined) return err(unknownServer(called, servers.names));
    const opened = await this.sessions.open(server);
    return opened.ok ? ok(opened.value.hello) : err(withoutSession(called, opened.error));
  }

  /** The known tools of all servers, except those kept back; the same list as long as nothing changes. */
  get tools(): readonly CatalogTool[] {
    return this.#parts.offers.catalog.tools;
  }

  /** The tools of one server, in its own order. */
  toolsOf(server: string): readonly CatalogTool[] {
    return this.#parts.offers.catalog.ofServer(server);
  }

  /** Makes a server's tools known. Lists them only if they are unknown, or the server is connected. */
  know(server: string, signal: AbortSignal): Promise<Result<void, ConnectionState>> {
    return this.#parts.offers.know(server, signal);
  }

  /** A list of a server other than its tools, as it sent it, over the host's own connection. */
  list(kind: PrimitiveList, server: string, signal: AbortSignal): Promise<ListedByServer> {
    return this.#parts.primitives.list(kind, server, signal);
  }

  /** Sends a request that is not a tool call. */
  async request(
    server: string,
    { method, params }: RelayedRequest,
    options: RelayOptions,
  ): Promise<RelayResult> {
    const called = { server, tool: method };
    if (method === 'resources/read' && typeof params['uri'] === 'string') {
      const denied = await this.#parts.permission.permitRead(
        { server, uri: params['uri'] },
        abortSignalOf(options.signal),
        options.observer,
      );
      if (denied !== undefined) {
        const { reason, decision } = denied;
        return err(deniedCall(called, reason, { kind: 'policy', decision }));
      }
    }
    return this.#send({ called, method, params, options });
  }

  /** Calls a tool with the `params` of `tools/call`; their name is replaced by the server's own. */
  call(reference: ToolReference, params: JsonObject, options: RelayOptions): Promise<RelayResult> {
    const { signal, from = {}, arguments: as = 'as-given', observer } = options;
    const given = argumentsIn(params);
    const request = { reference, arguments: given, signal, from, observer, as };
    // No turn: the client decides the order of its calls.
    return call<JsonObject, RelayResult>(request, this.#parts, {
      send: (tool, sent) => {
        const called = calledOf(tool);
        const withSent = sent === given ? params : { ...params, arguments: sent };
        const named =
          params['name'] === called.tool ? withSent : { ...withSent, name: called.tool };
        return this.#send({ called, method: 'tools/call', params: named, options, tool });
      },
      read: resultIn,
      replaced: withResult,
      answered: (_, answer) => ok(answer),
      failed: err,
    });
  }

  /** Converts a tool's result to an outcome. */
  async outcome(
    called: { readonly server: string; readonly tool: string },
    result: JsonObject,
    as: 'fitted' | 'whole',
  ): Promise<CallOutcome> {
    const read = readToolResult(result);
    if (!read.ok) return withFailure(called, { kind: 'invalid-result', detail: read.error });
    // A tool that was removed during the call has no output schema any more.
    const known = this.#parts.offers.catalog.byIdentity(called);
    const tool = { ...called, definition: known?.definition ?? { name: called.tool } };
    return answeredCall({ tool, result: read.value, as }, this.#parts);
  }

  notify(server: string, method: string, params: JsonObject): void {
    void this.sessions.ready(server)?.notify(method, params);
  }

  /** Ends all sessions. */
  async close(): Promise<void> {
    await this.sessions.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #send({ called, method, params, options, tool }: OutgoingRequest): Promise<RelayResult> {
    const { servers, supervisor, lookup } = this.#parts;
    const { server } = called;
    if (servers.get(server) === undefined) {
      return Promise.resolve(err(unknownServer(called, servers.names)));
    }
    const { callIdleMs: idleMs, callHardMs: hardMs } = servers.deadlinesOf(server);
    const { signal, capabilities, clientInfo, onNotification, observer } = options;
    return sendRequest({
      called,
      repeatable: tool?.definition ?? (isReading(method) ? READING : CHANGING),
      connect: () => {
        const ready = this.sessions.ready(server);
        return ready === undefined ? this.sessions.open(server) : ok(ready);
      },
      refused: () => (tool === undefined ? undefined : lookup.recheck(tool)),
      send: (session: RelaySession) =>
        session.request(method, params, {
          signal,
          idleMs,
          hardMs,
          capabilities,
          clientInfo,
          headers: tool === undefined ? undefined : headersOf(session, tool, params),
          onNotification,
          observer,
        }),
      failed: (failure) => {
        if (failure.kind === 'unauthorized') supervisor.get(server)?.noteOutcome(failure);
      },
    });
  }
}

interface OutgoingRequest {
  readonly called: CalledTool;
  readonly method: string;
  readonly params: JsonObject;
  readonly options: RelayOptions;
  /** The called tool; absent for other requests. */
  readonly tool?: CatalogTool;
}

/** Modern servers also expect arguments in headers if the tool's schema says so. */
function headersOf(
  { era }: RelaySession,
  { definition }: CatalogTool,
  params: JsonObject,
): RelayRequestOptions['headers'] {
  if (era === 'legacy') return undefined;
  return parameterHeaders(definition.inputSchema, argumentsIn(params));
}

function resultIn(result: JsonObject): ToolResult | undefined {
  const read = readToolResult(result);
  return read.ok ? read.value : undefined;
}

function argumentsIn(params: JsonObject): JsonObject {
  return isObject(params['arguments']) ? params['arguments'] : {};
}

function withResult(result: JsonObject, changed: ToolResult): JsonObject {
  const { content: _, structuredContent: _was, isError: _error, ...rest } = result;
  const { content, structuredContent, isError } = changed;
  return {
    ...rest,
    content,
    ...(structuredContent === undefined ? {} : { structuredContent }),
    ...(isError ? { isError } : {}),
  };
}
