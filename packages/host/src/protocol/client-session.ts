// A `Session` over the SDK's client. Requests go out with a schema that lets everything through,
// and results are checked once by our own hand: the SDK's generic result schemas are most of the
// cost of a call.

import {
  Client,
  type RequestOptions,
  type StandardSchemaV1,
  type Transport,
} from '@modelcontextprotocol/client';
import { err, ok, type Result } from '@plugboard/base';
import { classify, type FailureContext } from './classify.ts';
import type { ProtocolFailure } from './failure.ts';
import type { EraPreference } from './launch.ts';
import type { Era, ServerIdentity, ToolPage, ToolResult } from './model.ts';
import { readToolPage, readToolResult } from './read-result.ts';
import type { CallOptions, Session, ToolCall } from './session.ts';

const MODERN_REVISION = '2026-07-28';

/** A transport, and what is known of it beside the SDK's interface. */
export interface Link {
  readonly transport: Transport;
  readonly url: string;
  readonly era: EraPreference;
  end(): ProtocolFailure | undefined;
  /** Says goodbye where the transport has a way to; bounded in time, never throws. */
  farewell(): Promise<void>;
}

export interface OpenOptions {
  readonly client: ServerIdentity;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
}

/** Connects and negotiates. On failure everything that was started has been closed again. */
export async function openClientSession(
  link: Link,
  options: OpenOptions,
): Promise<Result<Session, ProtocolFailure>> {
  const client = new Client(
    { ...options.client },
    { capabilities: {}, versionNegotiation: { mode: negotiationMode(link.era) } },
  );
  const closed = new Promise<ProtocolFailure>((resolve) => {
    client.onclose = () => resolve(link.end() ?? { kind: 'closed' });
  });
  const { signal, timeoutMs } = options;
  try {
    // The SDK checks the signal only between its own steps; closing is what ends a hung one.
    const abort = (): void => void link.transport.close();
    signal.addEventListener('abort', abort, { once: true });
    try {
      await client.connect(link.transport, { signal, timeout: timeoutMs });
      signal.throwIfAborted();
    } finally {
      signal.removeEventListener('abort', abort);
    }
  } catch (thrown) {
    const failure = classify(thrown, { signal, timeoutMs, url: link.url, end: () => link.end() });
    await link.transport.close();
    return err(failure);
  }
  return ok(new ClientSession(client, link, closed));
}

function negotiationMode(era: EraPreference): 'auto' | 'legacy' | { pin: string } {
  return era === 'modern' ? { pin: MODERN_REVISION } : era;
}

class ClientSession implements Session {
  readonly era: Era;
  readonly protocolVersion: string;
  readonly server: ServerIdentity | undefined;
  readonly instructions: string | undefined;
  readonly closed: Promise<ProtocolFailure>;
  readonly #client: Client;
  readonly #link: Link;
  #closing: Promise<void> | undefined;

  constructor(client: Client, link: Link, closed: Promise<ProtocolFailure>) {
    this.#client = client;
    this.#link = link;
    this.closed = closed;
    this.era = client.getProtocolEra() ?? 'legacy';
    this.protocolVersion = client.getNegotiatedProtocolVersion() ?? '';
    const info = client.getServerVersion();
    this.server = info === undefined ? undefined : { name: info.name, version: info.version };
    this.instructions = client.getInstructions();
  }

  async listTools(
    cursor: string | undefined,
    options: { readonly signal: AbortSignal; readonly timeoutMs: number },
  ): Promise<Result<ToolPage, ProtocolFailure>> {
    if (this.#client.getServerCapabilities()?.tools === undefined) return ok(NO_TOOLS);
    const { signal, timeoutMs } = options;
    const params = cursor === undefined ? {} : { cursor };
    const answered = await this.#request('tools/list', params, { signal, timeout: timeoutMs });
    return answered.ok ? checked(readToolPage(answered.value)) : answered;
  }

  async callTool(
    call: ToolCall,
    options: CallOptions,
  ): Promise<Result<ToolResult, ProtocolFailure>> {
    const params = { name: call.name, arguments: call.arguments };
    const answered = await this.#request('tools/call', params, {
      signal: options.signal,
      timeout: options.idleMs,
      maxTotalTimeout: options.hardMs,
      // A progress token is always sent: a server that reports keeps its call alive.
      resetTimeoutOnProgress: true,
      onprogress: options.onProgress ?? ignoreProgress,
    });
    return answered.ok ? checked(readToolResult(answered.value)) : answered;
  }

  close(): Promise<void> {
    this.#closing ??= this.#end();
    return this.#closing;
  }

  async #end(): Promise<void> {
    await this.#link.farewell();
    await this.#client.close();
    await this.#link.transport.close();
  }

  async #request(
    method: string,
    params: Record<string, unknown>,
    options: RequestOptions & { readonly signal: AbortSignal; readonly timeout: number },
  ): Promise<Result<unknown, ProtocolFailure>> {
    try {
      return ok(await this.#client.request({ method, params }, PASS_THROUGH, options));
    } catch (thrown) {
      const context: FailureContext = {
        signal: options.signal,
        timeoutMs: options.timeout,
        url: this.#link.url,
        end: () => this.#link.end(),
      };
      return err(classify(thrown, context));
    }
  }
}

function checked<T>(read: Result<T, string>): Result<T, ProtocolFailure> {
  return read.ok ? read : err({ kind: 'invalid-result', detail: read.error });
}

function ignoreProgress(): void {}

const NO_TOOLS: ToolPage = { tools: [], nextCursor: undefined, rejected: [] };

/** A schema that accepts anything, for results that are checked elsewhere. */
const PASS_THROUGH: StandardSchemaV1<unknown, unknown> = {
  '~standard': { version: 1, vendor: 'plugboard', validate: (value) => ({ value }) },
};
