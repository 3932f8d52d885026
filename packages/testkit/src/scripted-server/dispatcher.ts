// The scripted server without its wire: takes requests, says the answers. Framing, and the faults of
// framing, are left to whoever feeds it (stdio in `main.ts`, HTTP in `../scripted-http-server.ts`).

import type { JsonObject } from '@plugboard/base';
import { classifyEra, LEGACY_VERSIONS, MODERN_VERSION, SERVER_INFO_KEY } from './era.ts';
import {
  type Incoming,
  type IncomingRequest,
  INTERNAL_ERROR,
  INVALID_PARAMS,
  METHOD_NOT_FOUND,
  objectOf,
  type Outgoing,
  type RequestId,
  type RpcError,
} from './json-rpc.ts';
import type { CommonScript, Era } from './script.ts';
import { type Machine, type Outcome, pause, type Tool } from './tool-call.ts';
import { toolPage, toolShelf } from './tool-shelf.ts';

/** The other side of a conversation. */
export interface Link {
  /** Requests under way; aborting one is how its frame cancels it. */
  readonly inFlight: Map<RequestId, AbortController>;
  /** Sends an answer, or a notification that belongs to a request of the method named. */
  send(message: Outgoing, method: string): void;
}

export class Dispatcher {
  readonly #script: CommonScript;
  readonly #machine: Machine;
  readonly #shelf: ReadonlyMap<string, Tool>;
  #listFailuresLeft: number;

  constructor(script: CommonScript, machine: Machine) {
    this.#script = script;
    this.#machine = machine;
    this.#shelf = toolShelf(script);
    this.#listFailuresLeft = script.failListTimes ?? 0;
  }

  /** Resolves when the message is dealt with: answered, cancelled, or ignored as scripted. */
  async receive(message: Incoming, link: Link): Promise<void> {
    if (this.#script.silent === true) return;
    if (message.kind === 'notification') cancelIfAsked(message.method, message.params, link);
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
    const outcome = await this.#handle(request, { era, signal: controller.signal, link });
    link.inFlight.delete(request.id);
    if (controller.signal.aborted || outcome.kind === 'nothing') return;
    const answer =
      outcome.kind === 'error'
        ? errorAnswer(request.id, outcome.error)
        : this.#resultAnswer(request, era, outcome.result);
    link.send(answer, request.method);
    const opening = request.method === 'initialize' || request.method === 'server/discover';
    if (opening && this.#script.exitAfterInitialize !== undefined && outcome.kind === 'result') {
      this.#machine.crash(this.#script.exitAfterInitialize);
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
        return failed(METHOD_NOT_FOUND, `Method not found: ${request.method}`);
    }
  }

  #initialize(params: JsonObject): Outcome {
    const versions = this.#script.legacyVersions ?? LEGACY_VERSIONS;
    const requested = params['protocolVersion'];
    const agreed =
      typeof requested === 'string' && versions.includes(requested) ? requested : versions[0];
    const result = { protocolVersion: agreed ?? '', ...this.#self(), serverInfo: this.#info() };
    return { kind: 'result', result };
  }

  #discover(): Outcome {
    return { kind: 'result', result: { supportedVersions: [MODERN_VERSION], ...this.#self() } };
  }

  async #list(params: JsonObject, signal: AbortSignal): Promise<Outcome> {
    if (this.#script.listDelayMs !== undefined) await pause(this.#script.listDelayMs, signal);
    if (this.#listFailuresLeft > 0) {
      this.#listFailuresLeft -= 1;
      return failed(INTERNAL_ERROR, 'the list is not ready');
    }
    return toolPage(this.#shelf, this.#script.pages, params['cursor']);
  }

  async #call(
    request: IncomingRequest,
    { era, signal, link }: { era: Era; signal: AbortSignal; link: Link },
  ): Promise<Outcome> {
    const name = request.params['name'];
    const tool = typeof name === 'string' ? this.#shelf.get(name) : undefined;
    if (tool === undefined) return failed(INVALID_PARAMS, `Unknown tool: ${JSON.stringify(name)}`);
    const { crashOn } = this.#script;
    if (crashOn !== undefined && crashOn.tool === name) {
      this.#machine.crash(crashOn);
      return { kind: 'nothing' };
    }
    const token = objectOf(request.params['_meta'])['progressToken'];
    return tool.run({
      args: objectOf(request.params['arguments']),
      signal,
      machine: this.#machine,
      progress(done, total) {
        if (token === undefined) return;
        const params = { progressToken: token, progress: done, total };
        link.send({ jsonrpc: '2.0', method: 'notifications/progress', params }, request.method);
      },
      lineBytes: (result) =>
        Buffer.byteLength(JSON.stringify(this.#resultAnswer(request, era, result))),
    });
  }

  #resultAnswer(request: IncomingRequest, era: Era, result: JsonObject): Outgoing {
    const { id, method } = request;
    if (era === 'legacy') return { jsonrpc: '2.0', id, result };
    const cacheable = method === 'tools/list' || method === 'server/discover';
    const modern = {
      ...result,
      resultType: 'complete',
      ...(cacheable ? { ttlMs: this.#script.ttlMs ?? 0, cacheScope: 'private' } : {}),
      _meta: { ...objectOf(result['_meta']), [SERVER_INFO_KEY]: this.#info() },
    };
    return { jsonrpc: '2.0', id, result: modern };
  }

  #self(): JsonObject {
    const { capabilities = { tools: {} }, instructions } = this.#script;
    return { capabilities, ...(instructions === undefined ? {} : { instructions }) };
  }

  #info(): JsonObject {
    return this.#script.serverInfo ?? { name: 'scripted', version: '1.0.0' };
  }
}

export function errorAnswer(id: RequestId | null, error: RpcError): Outgoing {
  return { jsonrpc: '2.0', id, error };
}

/** The text of a message, broken where the script says so. */
export function encode(message: Outgoing, method: string, script: CommonScript): string {
  const json = JSON.stringify(message);
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
