// The way of one client of a gateway to the servers behind it, over sessions of its own (`relay-sessions.ts`). Messages pass as
// they are. A call of a tool takes the way of every call up to the server: the tool is resolved, pins hold it back, rules, hooks and
// the user decide. Its arguments are left to the server to check, unless the caller wants help with them, and its result
// is the server's.

import { abortSignalOf, err, isObject, type JsonObject, ok, type Result } from '@plugboard/base';
import type { CatalogTool, ToolReference } from '../catalog/index.ts';
import type { ConnectionState } from '../connection/index.ts';
import {
  type MessageObserver,
  parameterHeaders,
  readToolResult,
  type RelayRequestOptions,
  type ToolResult,
} from '../protocol/index.ts';
import {
  calledOf,
  type CallOutcome,
  deniedCall,
  invalidArguments,
  unknownServer,
  withFailure,
  withoutSession,
} from './call-outcome.ts';
import { answeredCall, checkCall, checkedFor } from './call.ts';
import type { Caller, CallPermission, PermissionObserver } from './call-permission.ts';
import { mayRepeat } from './may-repeat.ts';
import type { Output } from '../output/index.ts';
import type { ListedByServer, PrimitiveList, Primitives } from './primitives.ts';
import type { ReadPermission } from './read-permission.ts';
import {
  type RelayClient,
  type RelayedRequest,
  RelaySessions,
  type RelaySessionParts,
} from './relay-sessions.ts';
import type { ToolLookup } from './tool-lookup.ts';

/** Follows one request: whether it may be made, and its messages on the way to the server and back. */
export type RelayObserver = MessageObserver & PermissionObserver;

export interface RelayOptions extends Pick<
  RelayRequestOptions,
  'signal' | 'capabilities' | 'clientInfo' | 'onNotification'
> {
  readonly from?: Caller;
  /** `checked`: by the schema before they are sent. `as-given`, unless said. */
  readonly arguments?: 'as-given' | 'checked';
  readonly observer?: RelayObserver | undefined;
}

/** A result as the server sent it, or why there is none. */
export type RelayResult = Result<JsonObject, CallOutcome>;

export interface HostRelayParts extends RelaySessionParts {
  readonly lookup: ToolLookup;
  readonly permission: CallPermission;
  readonly reading: ReadPermission;
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

  /** What a server says of itself, as it answered `initialize` or `server/discover`; connects first. */
  async hello(server: string): Promise<RelayResult> {
    const { servers } = this.#parts;
    const called = { server, tool: 'initialize' };
    if (servers.get(server) === undefined) return err(unknownServer(called, servers.names));
    const opened = await this.sessions.open(server);
    return opened.ok ? ok(opened.value.hello) : err(withoutSession(called, opened.error));
  }

  /** The tools that are known of all servers and not kept back; the same list for as long as nothing changes. */
  get tools(): readonly CatalogTool[] {
    return this.#parts.offers.catalog.tools;
  }

  /** Those of one server, in the order in which it lists them. */
  toolsOf(server: string): readonly CatalogTool[] {
    return this.#parts.offers.catalog.ofServer(server);
  }

  /** Makes a server's tools known; asks it only if it never listed them, or is connected. */
  know(server: string, signal: AbortSignal): Promise<Result<void, ConnectionState>> {
    return this.#parts.offers.know(server, signal);
  }

  /** What a server lists beside its tools, as it says it. Over the host's own connection to it. */
  list(kind: PrimitiveList, server: string, signal: AbortSignal): Promise<ListedByServer> {
    return this.#parts.primitives.list(kind, server, signal);
  }

  /** Sends a request that is not a call of a tool. */
  async request(
    server: string,
    { method, params }: RelayedRequest,
    options: RelayOptions,
  ): Promise<RelayResult> {
    const called = { server, tool: method };
    if (method === 'resources/read' && typeof params['uri'] === 'string') {
      const permit = await this.#parts.reading.permit(
        { server, uri: params['uri'], observer: options.observer },
        abortSignalOf(options.signal),
      );
      if (permit.kind === 'deny') {
        const { reason, decision } = permit;
        return err(deniedCall(called, reason, { kind: 'policy', decision }));
      }
    }
    return this.#send(called, { method, params, options, mayRepeat: isReading(method) });
  }

  /** Calls a tool; `params` are those of `tools/call`, but for the name, which is the server's own. */
  async call(
    reference: ToolReference,
    params: JsonObject,
    options: RelayOptions,
  ): Promise<RelayResult> {
    const { lookup, permission } = this.#parts;
    const { signal, from = {}, observer } = options;
    const isChecked = options.arguments === 'checked';
    const resolving = lookup.resolve(reference, signal);
    const resolved = resolving instanceof Promise ? await resolving : resolving;
    if (!resolved.ok) return resolved;
    const written = argumentsIn(params);
    const { tool, checked } = isChecked
      ? await checkCall(
          resolved.value,
          { arguments: written, signal: abortSignalOf(signal) },
          lookup,
        )
      : { tool: resolved.value, checked: ok(written) };
    if (!checked.ok) return err(invalidArguments(tool, checked.error));
    const given = checked.value;
    const deciding = permission.permit({
      tool,
      arguments: given,
      signal,
      from,
      observer,
      check: (other) => (isChecked ? checkedFor(tool, other) : ok(other)),
    });
    const permit = deciding instanceof Promise ? await deciding : deciding;
    if (!permit.ok) return permit;
    const meant = permit.value === written ? params : { ...params, arguments: permit.value };
    const answered = await this.#send(calledOf(tool), {
      method: 'tools/call',
      params: meant['name'] === tool.tool ? meant : { ...meant, name: tool.tool },
      options,
      tool,
    });
    if (!answered.ok || !permission.hooks.has('afterCall', tool)) return answered;
    return this.#reviewed(tool, permit.value, { result: answered.value, options });
  }

  /** What a result of a tool is to a program that takes outcomes. */
  async outcome(
    called: { readonly server: string; readonly tool: string },
    result: JsonObject,
    as: 'fitted' | 'whole',
  ): Promise<CallOutcome> {
    const read = readToolResult(result);
    if (!read.ok) return withFailure(called, { kind: 'invalid-result', detail: read.error });
    // A tool that went while it was called promises nothing any more.
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

  async #send(
    called: { readonly server: string; readonly tool: string },
    request: {
      readonly method: string;
      readonly params: JsonObject;
      readonly options: RelayOptions;
      readonly tool?: CatalogTool;
      readonly mayRepeat?: boolean;
    },
  ): Promise<RelayResult> {
    const { servers, lookup, supervisor } = this.#parts;
    const { server } = called;
    if (servers.get(server) === undefined) return err(unknownServer(called, servers.names));
    const { callIdleMs: idleMs, callHardMs: hardMs } = servers.deadlinesOf(server);
    const { method, params, options, tool } = request;
    for (let isFirst = true; ; isFirst = false) {
      const ready = this.sessions.ready(server);
      const connected = ready === undefined ? await this.sessions.open(server) : ok(ready);
      if (!connected.ok) return err(withoutSession(called, connected.error));
      if (tool !== undefined) {
        const checking = lookup.recheck(tool);
        const refused = checking instanceof Promise ? await checking : checking;
        if (refused !== undefined) return err(refused);
      }
      const { signal, capabilities, clientInfo, onNotification, observer } = options;
      const headers =
        tool !== undefined && connected.value.era === 'modern'
          ? parameterHeaders(tool.definition.inputSchema, argumentsIn(params))
          : undefined;
      const answered = await connected.value.request(method, params, {
        signal,
        idleMs,
        hardMs,
        capabilities,
        clientInfo,
        headers,
        onNotification,
        observer,
      });
      if (answered.ok) return answered;
      if (answered.error.kind === 'unauthorized') supervisor.get(server)?.heard(answered.error);
      const definition = tool?.definition ?? { annotations: { readOnlyHint: request.mayRepeat } };
      if (!isFirst || !mayRepeat(definition as CatalogTool['definition'], answered.error)) {
        return err(withFailure(called, answered.error));
      }
    }
  }

  /** Hooks read a result as the host knows it; what they make of it replaces those members, and no others. */
  async #reviewed(
    tool: CatalogTool,
    given: JsonObject,
    { result, options }: { readonly result: JsonObject; readonly options: RelayOptions },
  ): Promise<RelayResult> {
    const read = readToolResult(result);
    if (!read.ok) return ok(result);
    const reviewed = await this.#parts.permission.review(
      { tool, arguments: given, signal: options.signal, observer: options.observer },
      read.value,
    );
    if (!reviewed.ok) return reviewed;
    const made = reviewed.value.result;
    return made === read.value ? ok(result) : ok(withReview(result, made));
  }
}

function argumentsIn(params: JsonObject): JsonObject {
  return isObject(params['arguments']) ? params['arguments'] : {};
}

function withReview(result: JsonObject, made: ToolResult): JsonObject {
  const { content: _, structuredContent: _was, isError: _error, ...rest } = result;
  const { content, structuredContent, isError } = made;
  return {
    ...rest,
    content: content,
    ...(structuredContent === undefined ? {} : { structuredContent }),
    ...(isError ? { isError } : {}),
  };
}

const READING: ReadonlySet<string> = new Set([
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'prompts/list',
  'prompts/get',
  'tools/list',
  'completion/complete',
  'server/discover',
]);

function isReading(method: string): boolean {
  return READING.has(method);
}
