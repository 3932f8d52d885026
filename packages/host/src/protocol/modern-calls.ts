// Calls tools of a modern server: sends the arguments that it requires as headers, and follows tasks.

import { isDeepStrictEqual } from 'node:util';
import type { JsonObject } from '@plugboard/base';
import { checkedBy } from './client-primitives.ts';
import type { Link } from './link-to.ts';
import { findTool } from './find-tool.ts';
import { type ParameterHeaders, parameterHeaders } from './modern/parameter-headers.ts';
import type { ProtocolFailure } from './neutral/failure.ts';
import type { CallOptions, Session, ToolCall } from './neutral/session.ts';
import { readToolResult } from './read-result.ts';
import type { ServerNews } from './server-news.ts';
import type { TaskTransport } from './tasks/task-transport.ts';
import { paramsOf, type SendRequest, timedBy, type ToolCallResult } from './tool-call.ts';

/** The headers of a call do not match its body. */
const HEADER_MISMATCH = -32_020;

export interface ModernCallPorts extends Pick<Session, 'listTools'> {
  readonly link: Link;
  readonly request: SendRequest;
  readonly tasks: TaskTransport | undefined;
  readonly news: ServerNews;
}

export class ModernCalls {
  readonly #ports: ModernCallPorts;

  constructor(ports: ModernCallPorts) {
    this.#ports = ports;
  }

  async call(call: ToolCall, options: CallOptions): ToolCallResult {
    const headers = this.#headersOf(call, call.inputSchema);
    const response = await this.#send(call, headers, options);
    if (response.ok || !isHeaderMismatch(response.error)) return response;
    const fresh = await this.#freshHeaders(call, headers, options);
    return fresh === undefined ? response : this.#send(call, fresh, options);
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
    const followed = task === undefined ? params : { ...params, _meta: task.meta };
    const timed = timedBy(options);
    const sent = headers === undefined ? timed : { ...timed, headers };
    const response = await ports.request('tools/call', ports.news.askForLog(followed), sent);
    return checkedBy(readToolResult, response);
  }

  #headersOf(call: ToolCall, schema: JsonObject | undefined): ParameterHeaders | undefined {
    return sendsHeadersPerRequest(this.#ports.link)
      ? parameterHeaders(schema, call.arguments)
      : undefined;
  }

  /** The headers that the server's current schema requires; `undefined` if they are the same. */
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
    // The tool list in use is out of date.
    this.#ports.news.listChanged('tools');
    return fresh;
  }
}

/** Only Streamable HTTP has headers per request. */
export function sendsHeadersPerRequest({ transport }: Link): boolean {
  return transport.hasPerRequestStream === true;
}

function isHeaderMismatch(failure: ProtocolFailure): boolean {
  return failure.kind === 'rpc' && failure.code === HEADER_MISMATCH;
}
