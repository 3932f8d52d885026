// Calls tools over one session: through the lane if there is one, as a task if a legacy tool requires it, else
// through the SDK's client, with the headers that a modern server asks for.

import { isDeepStrictEqual } from 'node:util';
import { err, type JsonObject, ok, type Result } from '@plugboard/base';
import type { CallLane } from './call-lane.ts';
import type { Questions } from './elicitation.ts';
import { findTool } from './find-tool.ts';
import { type ParameterHeaders, parameterHeaders } from './modern/parameter-headers.ts';
import type { ProtocolFailure } from './neutral/failure.ts';
import type { Era, ToolResult } from './neutral/model.ts';
import type { CallOptions, RequestOptions, Session, ToolCall } from './neutral/session.ts';
import { readToolResult } from './read-result.ts';
import { callAsTask, type SendRequest } from './legacy-task.ts';
import type { TaskTransport } from './tasks/with-tasks.ts';

/** In the modern era: the headers of a call do not match its body. */
const HEADER_MISMATCH = -32_020;

type ToolCallResult = Promise<Result<ToolResult, ProtocolFailure>>;

export interface ToolCallPorts extends Pick<Session, 'listTools'> {
  era(): Era;
  /** Only Streamable HTTP in the modern era has headers per request. */
  sendsParameterHeaders(): boolean;
  readonly request: SendRequest;
  readonly tasks: TaskTransport | undefined;
  /** Only for servers that may ask questions. */
  readonly questions: Questions | undefined;
  modernMeta(meta: Record<string, unknown>): Record<string, unknown>;
  /** A call was answered without the client. */
  onAnswered(): void;
  failureOf(thrown: unknown, options: RequestOptions): ProtocolFailure;
  /** The tool list in use is out of date. */
  onOldList(): void;
}

export class ToolCalls {
  readonly #ports: ToolCallPorts;
  #lane: CallLane | undefined;

  constructor(ports: ToolCallPorts) {
    this.#ports = ports;
  }

  takeLane(lane: CallLane | undefined): void {
    this.#lane = lane;
    if (lane !== undefined) this.#ports.questions?.follow(lane);
  }

  call(call: ToolCall, options: CallOptions): ToolCallResult {
    if (call.needsTask === true && this.#ports.era() === 'legacy') {
      return this.#callAsTask(call, options);
    }
    return this.#lane === undefined
      ? this.#callByClient(call, options)
      : this.#callByLane(this.#lane, call, options);
  }

  async #callAsTask(call: ToolCall, options: CallOptions): ToolCallResult {
    return read(await callAsTask(call, options, this.#ports.request));
  }

  async #callByLane(lane: CallLane, call: ToolCall, options: CallOptions): ToolCallResult {
    const answered = await this.#sendByLane(lane, call, options);
    const { questions } = this.#ports;
    if (answered.ok || questions === undefined) return answered;
    const again = (): ToolCallResult => this.#sendByLane(lane, call, options);
    return questions.afterPages(answered, options.signal, again);
  }

  async #sendByLane(lane: CallLane, call: ToolCall, options: CallOptions): ToolCallResult {
    try {
      const answer = await lane.call(call, options);
      this.#ports.onAnswered();
      return read({ ok: true, value: answer });
    } catch (thrown) {
      const { signal, idleMs: timeoutMs } = options;
      return err(this.#ports.failureOf(thrown, { signal, timeoutMs }));
    }
  }

  async #callByClient(call: ToolCall, options: CallOptions): ToolCallResult {
    const headers = this.#headersOf(call, call.inputSchema);
    const answered = await this.#sendByClient(call, headers, options);
    if (answered.ok || !isHeaderMismatch(answered.error)) return answered;
    const fresh = await this.#freshHeaders(call, headers, options);
    return fresh === undefined ? answered : this.#sendByClient(call, fresh, options);
  }

  async #sendByClient(
    call: ToolCall,
    headers: ParameterHeaders | undefined,
    options: CallOptions,
  ): ToolCallResult {
    const ports = this.#ports;
    // Disposed when the call ends, however it ends: a task without a caller is cancelled.
    using task = ports.era() === 'modern' ? ports.tasks?.begin() : undefined;
    const params = { name: call.name, arguments: call.arguments };
    const meant = task === undefined ? params : { ...params, _meta: ports.modernMeta(task.meta) };
    return read(
      await ports.request('tools/call', meant, {
        signal: options.signal,
        timeout: options.idleMs,
        maxTotalTimeout: options.hardMs,
        ...(headers === undefined ? {} : { headers }),
        // A progress token is always sent: a server that reports progress keeps its call alive.
        resetTimeoutOnProgress: true,
        onprogress: options.onProgress ?? ignore,
      }),
    );
  }

  #headersOf(call: ToolCall, schema: JsonObject | undefined): ParameterHeaders | undefined {
    return this.#ports.sendsParameterHeaders()
      ? parameterHeaders(schema, call.arguments)
      : undefined;
  }

  /** The headers by the server's current schema; `undefined` if they would be the same. */
  async #freshHeaders(
    call: ToolCall,
    stale: ParameterHeaders | undefined,
    { signal, idleMs }: CallOptions,
  ): Promise<ParameterHeaders | undefined> {
    if (stale === undefined) return undefined;
    const listed = await findTool(this.#ports, call.name, { signal, timeoutMs: idleMs });
    if (listed === undefined) return undefined;
    const fresh = this.#headersOf(call, listed.inputSchema);
    if (isDeepStrictEqual(fresh, stale)) return undefined;
    this.#ports.onOldList();
    return fresh;
  }
}

function read(answered: Result<unknown, ProtocolFailure>): Result<ToolResult, ProtocolFailure> {
  if (!answered.ok) return answered;
  const result = readToolResult(answered.value);
  return result.ok ? ok(result.value) : err({ kind: 'invalid-result', detail: result.error });
}

function isHeaderMismatch(failure: ProtocolFailure): boolean {
  return failure.kind === 'rpc' && failure.code === HEADER_MISMATCH;
}

function ignore(): void {}
