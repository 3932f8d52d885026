// The scripted server without a transport: handles requests and sends answers. The callers implement framing and its
// faults (stdio in `main.ts`, HTTP in `../scripted-http-server.ts`).

import { existsSync, writeFileSync } from 'node:fs';
import type { JsonObject } from '@plugboard/base';
import { AskingDesk } from './asking-desk.ts';
import {
  CAPABILITIES_KEY,
  classifyEra,
  LEGACY_VERSIONS,
  MODERN_VERSION,
  SERVER_INFO_KEY,
} from './era.ts';
import { askingTool } from './asking-tool.ts';
import {
  type Incoming,
  type IncomingRequest,
  INTERNAL_ERROR,
  INVALID_PARAMS,
  isJsonObject,
  METHOD_NOT_FOUND,
  objectOf,
  type Outgoing,
  type RequestId,
  type RpcError,
} from './json-rpc.ts';
import { LegacyTasks } from './legacy-tasks.ts';
import { CACHEABLE, LibraryDesk } from './library-desk.ts';
import type { CommonScript, Era } from './script.ts';
import {
  followsTasks,
  isTaskMethod,
  MISSING_TASKS,
  TaskDesk,
  TASKS_EXTENSION,
} from './task-desk.ts';
import { taskTools } from './task-tools.ts';
import { type Machine, type Outcome, pause, type Tool } from './tool-call.ts';
import { fixedTool, toolPage, toolShelf } from './tool-shelf.ts';

/** The connection to a client. */
export interface Link {
  /** Running requests; the transport cancels one by aborting it. */
  readonly inFlight: Map<RequestId, AbortController>;
  /** Sends an answer to, or a notification of, a request with this method. */
  send(message: Outgoing, method: string): void;
}

/** A modern server logs only for requests with this key. */
const LOG_LEVEL_KEY = 'io.modelcontextprotocol/logLevel';

export class Dispatcher {
  readonly #script: CommonScript;
  readonly #machine: Machine;
  readonly #shelf: Map<string, Tool>;
  readonly #tasks: TaskDesk | undefined;
  readonly #legacyTasks: LegacyTasks | undefined;
  readonly #library: LibraryDesk | undefined;
  readonly #asking = new AskingDesk();
  #listFailuresLeft: number;
  #lists = 0;

  constructor(script: CommonScript, machine: Machine) {
    this.#script = script;
    this.#machine = machine;
    this.#tasks = script.tasks === true ? new TaskDesk() : undefined;
    this.#legacyTasks = script.tasks === true ? new LegacyTasks() : undefined;
    this.#library = script.library === undefined ? undefined : new LibraryDesk(script.library);
    this.#shelf = new Map(
      toolShelf(script, [
        ...(this.#tasks === undefined ? [] : taskTools(this.#tasks)),
        ...(script.asks === true ? [askingTool()] : []),
        ...(this.#library === undefined ? [] : [this.#library.touch, this.#library.announce]),
        ...(script.asking === true ? this.#asking.tools : []),
      ]),
    );
    this.#listFailuresLeft = script.failListTimes ?? 0;
  }

  /** Resolves when the message is handled: answered, cancelled, or ignored. */
  async receive(message: Incoming, link: Link): Promise<void> {
    if (this.#script.silent === true) return;
    if (message.kind === 'notification') cancelIfAsked(message.method, message.params, link);
    this.#asking.hear(message);
    if (message.kind !== 'request') return;
    const verdict = classifyEra(message, this.#script);
    if (verdict.kind === 'refused') {
      link.send(errorAnswer(message.id, verdict.error), message.method);
      return;
    }
    await this.#answer(message, verdict.kind, link);
  }

  async #answer(request: IncomingRequest, era: Era, link: Link): Promise<void> {
    const controller = new AbortController();
    link.inFlight.set(request.id, controller);
    this.#logRequest(request, era, link);
    const outcome = await this.#handle(request, { era, signal: controller.signal, link });
    link.inFlight.delete(request.id);
    if (controller.signal.aborted || outcome.kind === 'nothing') return;
    link.send(this.#answerOf(request, era, outcome), request.method);
    const opening = request.method === 'initialize' || request.method === 'server/discover';
    if (opening && this.#script.exitAfterInitialize !== undefined && outcome.kind === 'result') {
      this.#machine.crash(this.#script.exitAfterInitialize);
    }
  }

  #answerOf(
    request: IncomingRequest,
    era: Era,
    outcome: Exclude<Outcome, { readonly kind: 'nothing' }>,
  ): Outgoing {
    switch (outcome.kind) {
      case 'error':
        return errorAnswer(request.id, outcome.error);
      case 'text':
        return { jsonrpc: '2.0', id: request.id, resultText: outcome.text };
      case 'result':
        return this.#resultAnswer(request, era, outcome.result);
      default:
        throw new TypeError(JSON.stringify(outcome satisfies never));
    }
  }

  async #handle(
    request: IncomingRequest,
    context: { era: Era; signal: AbortSignal; link: Link },
  ): Promise<Outcome> {
    switch (`${context.era} ${request.method}`) {
      case 'legacy initialize':
        return this.#initialize(request.params);
      case 'legacy ping':
      case 'legacy logging/setLevel':
        return { kind: 'result', result: {} };
      case 'modern server/discover':
        return this.#discover();
      case 'legacy tools/list':
      case 'modern tools/list':
        return this.#list(request.params, context.signal);
      case 'legacy tools/call':
      case 'modern tools/call':
        return this.#call(request, context);
      default:
        if (this.#script.ownMethods?.includes(request.method) === true) {
          const { _meta, ...own } = request.params;
          return { kind: 'result', result: own };
        }
        return (
          (await this.#taskRequest(request, context.era)) ??
          (await this.#library?.answer({
            ...context,
            request,
            send: (message) => context.link.send(message, request.method),
          })) ??
          failed(METHOD_NOT_FOUND, `Method not found: ${request.method}`)
        );
    }
  }

  #taskRequest(request: IncomingRequest, era: Era): Outcome | Promise<Outcome> | undefined {
    if (era === 'legacy') return this.#legacyTasks?.answer(request);
    if (!isTaskMethod(request.method)) return undefined;
    return followsTasks(request)
      ? this.#tasks?.answer(request.method, request.params)
      : MISSING_TASKS;
  }

  #initialize(params: JsonObject): Outcome {
    const versions = this.#script.legacyVersions ?? LEGACY_VERSIONS;
    const requested = params['protocolVersion'];
    const agreed =
      typeof requested === 'string' && versions.includes(requested) ? requested : versions[0];
    const self = this.#self();
    const tasks = this.#legacyTasks === undefined ? {} : { tasks: LegacyTasks.capability };
    const capabilities = { ...self.capabilities, ...tasks };
    const result = {
      protocolVersion: agreed ?? '',
      ...self,
      capabilities,
      serverInfo: this.#info(),
    };
    return { kind: 'result', result };
  }

  #discover(): Outcome {
    return { kind: 'result', result: { supportedVersions: [MODERN_VERSION], ...this.#self() } };
  }

  async #list(params: JsonObject, signal: AbortSignal): Promise<Outcome> {
    if (this.#script.listDelayMs !== undefined) await pause(this.#script.listDelayMs, signal);
    this.#lists += 1;
    if (this.#listFailuresLeft > 0 || this.#lists >= (this.#script.failListFrom ?? Infinity)) {
      this.#listFailuresLeft -= 1;
      return failed(INTERNAL_ERROR, 'the list is not ready');
    }
    return toolPage(this.#swapped(), this.#script.pages, params['cursor']);
  }

  async #call(
    request: IncomingRequest,
    { era, signal, link }: { era: Era; signal: AbortSignal; link: Link },
  ): Promise<Outcome> {
    const name = request.params['name'];
    const tool = typeof name === 'string' ? this.#swapped().get(name) : undefined;
    if (tool === undefined) return failed(INVALID_PARAMS, `Unknown tool: ${JSON.stringify(name)}`);
    if (tool.makesTask === true && (era === 'legacy' || !followsTasks(request))) {
      return MISSING_TASKS;
    }
    const { crashOn } = this.#script;
    if (crashOn !== undefined && crashOn.tool === name && isDue(crashOn.onceAt)) {
      this.#machine.crash(crashOn);
      return { kind: 'nothing' };
    }
    const mayLog = isLogWanted(request, era);
    const notify = (method: string, params: JsonObject): void =>
      link.send({ jsonrpc: '2.0', method, params }, request.method);
    this.#announce(tool.definition.name, mayLog, notify);
    const { progressToken: token, [CAPABILITIES_KEY]: declared } = objectOf(
      request.params['_meta'],
    );
    const { inputResponses, requestState, task } = request.params;
    const running = tool.run({
      args: objectOf(request.params['arguments']),
      signal,
      machine: this.#machine,
      era,
      inputResponses: isJsonObject(inputResponses) ? inputResponses : undefined,
      requestState: typeof requestState === 'string' ? requestState : undefined,
      capabilities: objectOf(declared),
      ask: (method, params) =>
        this.#asking.ask(method, params, (asked) => link.send(asked, request.method)),
      notify,
      progress(done, total) {
        if (token === undefined) return;
        const params = { progressToken: token, progress: done, total };
        link.send({ jsonrpc: '2.0', method: 'notifications/progress', params }, request.method);
      },
      lineBytes: (result) =>
        Buffer.byteLength(JSON.stringify(this.#resultAnswer(request, era, result))),
    });
    return era === 'legacy' && task !== undefined && this.#legacyTasks !== undefined
      ? this.#legacyTasks.create(running)
      : running;
  }

  #logRequest(request: IncomingRequest, era: Era, link: Link): void {
    const { method } = request;
    const isFirst = method === 'initialize' || method === 'server/discover';
    if (this.#script.logsOnRequest !== true || isFirst || !isLogWanted(request, era)) return;
    const params = { level: 'info', data: method };
    link.send({ jsonrpc: '2.0', method: 'notifications/message', params }, method);
  }

  /** Sends the notifications that the script has for a call. */
  #announce(
    name: string,
    mayLog: boolean,
    notify: (method: string, params: JsonObject) => void,
  ): void {
    const { growOn, logsOnCall, swap } = this.#script;
    if (logsOnCall !== undefined && mayLog) {
      notify('notifications/message', { level: 'info', logger: 'scripted', data: logsOnCall });
    }
    if (swap?.announcedBy === name) notify('notifications/tools/list_changed', {});
    if (growOn?.tool === name) {
      const grown = `grown-${this.#shelf.size}`;
      this.#shelf.set(grown, fixedTool({ name: grown }));
      notify('notifications/tools/list_changed', {});
    }
  }

  #resultAnswer(request: IncomingRequest, era: Era, result: JsonObject): Outgoing {
    const { id, method } = request;
    if (era === 'legacy') return { jsonrpc: '2.0', id, result };
    const { ttlMs = 0, cacheScope = 'private' } = this.#script;
    const modern = {
      resultType: 'complete',
      ...result,
      ...(CACHEABLE.has(method) ? { ttlMs, cacheScope } : {}),
      _meta: { ...objectOf(result['_meta']), [SERVER_INFO_KEY]: this.#info() },
    };
    return { jsonrpc: '2.0', id, result: modern };
  }

  #self(): { readonly capabilities: JsonObject; readonly instructions?: string } {
    const extensions = this.#tasks === undefined ? {} : { extensions: { [TASKS_EXTENSION]: {} } };
    const own = this.#library?.capabilities ?? { tools: {}, ...extensions };
    const { capabilities = own, swap } = this.#script;
    const said = this.#isSwapped() ? swap?.instructions : undefined;
    const instructions = said ?? this.#script.instructions;
    return { capabilities, ...(instructions === undefined ? {} : { instructions }) };
  }

  #isSwapped(): boolean {
    const { swap } = this.#script;
    return swap !== undefined && existsSync(swap.at);
  }

  #swapped(): ReadonlyMap<string, Tool> {
    const { swap } = this.#script;
    if (swap === undefined || !this.#isSwapped()) return this.#shelf;
    const shelf = new Map(this.#shelf);
    for (const name of swap.removed ?? []) shelf.delete(name);
    for (const tool of swap.tools ?? []) shelf.set(tool.name, fixedTool(tool));
    return shelf;
  }

  #info(): JsonObject {
    return this.#script.serverInfo ?? { name: 'scripted', version: '1.0.0' };
  }
}

/** True the first time; creates the file, so that it is false afterwards. */
function isDue(onceAt: string | undefined): boolean {
  if (onceAt === undefined) return true;
  if (existsSync(onceAt)) return false;
  writeFileSync(onceAt, '');
  return true;
}

export function errorAnswer(id: RequestId | null, error: RpcError): Outgoing {
  return { jsonrpc: '2.0', id, error };
}

/** The text of a message, broken if the script says so. */
export function encode(message: Outgoing, method: string, script: CommonScript): string {
  const json =
    'resultText' in message
      ? `{"jsonrpc":"2.0","id":${JSON.stringify(message.id)},"result":${message.resultText}}`
      : JSON.stringify(message);
  const broken = script.invalidJson === 'always' || script.invalidJson?.includes(method) === true;
  return broken ? json.slice(0, -1) : json;
}

function cancelIfAsked(method: string, params: JsonObject, link: Link): void {
  const id = params['requestId'];
  if (method !== 'notifications/cancelled') return;
  if (typeof id === 'string' || typeof id === 'number') link.inFlight.get(id)?.abort();
}

function failed(code: number, message: string): Outcome {
  return { kind: 'error', error: { code, message } };
}

function isLogWanted({ params }: IncomingRequest, era: Era): boolean {
  return era === 'legacy' || LOG_LEVEL_KEY in objectOf(params['_meta']);
}
