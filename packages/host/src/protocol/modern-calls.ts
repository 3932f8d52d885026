// Calls tools of a modern server: with the headers that it asks for, and as tasks if it answers so.

import { isDeepStrictEqual } from 'node:util';
import type { JsonObject } from '@plugboard/base';
import { findTool } from './find-tool.ts';
import { type ParameterHeaders, parameterHeaders } from './modern/parameter-headers.ts';
import type { ProtocolFailure } from './neutral/failure.ts';
import type { CallOptions, Session, ToolCall } from './neutral/session.ts';
import type { TaskTransport } from './tasks/with-tasks.ts';
import {
  type ToolCallResult,
  paramsOf,
  readCalled,
  type SendRequest,
  timedBy,
} from './tool-call.ts';

/** The headers of a call do not match its body. */
const HEADER_MISMATCH = -32_020;

export interface ModernCallPorts extends Pick<Session, 'listTools'> {
  /** Only Streamable HTTP has headers per request. */
  sendsParameterHeaders(): boolean;
  readonly request: SendRequest;
  readonly tasks: TaskTransport | undefined;
  modernMeta(meta: Record<string, unknown>): Record<string, unknown>;
  /** The tool list in use is out of date. */
  onOldList(): void;
}

export class ModernCalls {
  readonly #ports: ModernCallPorts;

  constructor(ports: ModernCallPorts) {
    this.#ports = ports;
  }

  async call(call: ToolCall, options: CallOptions): ToolCallResult {
    const headers = this.#headersOf(call, call.inputSchema);
    const answered = await this.#send(call, headers, options);
    if (answered.ok || !isHeaderMismatch(answered.error)) return answered;
    const fresh = await this.#freshHeaders(call, headers, options);
    return fresh === undefined ? answered : this.#send(call, fresh, options);
  }

  async #send(
    call: ToolCall,
    headers: ParameterHeaders | undefined,
    options: CallOptions,
  ): ToolCallResult {
    const ports = this.#ports;
    // Disposed when the call ends, however it ends: a task without a caller is cancelled.
    using task = ports.tasks?.begin();
    const params = paramsOf(call);
    const meant = task === undefined ? params : { ...params, _meta: ports.modernMeta(task.meta) };
    const timed = timedBy(options);
    const sent = headers === undefined ? timed : { ...timed, headers };
    return readCalled(await ports.request('tools/call', meant, sent));
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

function isHeaderMismatch(failure: ProtocolFailure): boolean {
  return failure.kind === 'rpc' && failure.code === HEADER_MISMATCH;
}
