// The one way to call a tool, in this order for everyone: resolve the name, check the arguments,
// decide, connect, call, fit the result. Each step is a port; this page is only the order.

import type { JsonObject, Result } from '@plugboard/base';
import type { CatalogTool, ToolIdentity } from '../catalog/index.ts';
import type { ConnectionState, Deadlines } from '../connection/index.ts';
import type { Part } from '../output/index.ts';
import type { Progress, Session, ToolResult } from '../protocol/index.ts';
import type { Approver } from './approver.ts';
import type { ArgumentCheck } from './argument-check.ts';
import { type CallOutcome, withFailure, withoutSession } from './call-outcome.ts';

/** A tool by the name a model knows, or by who it is. */
export type ToolReference = string | ToolIdentity;

export interface CallRequest {
  readonly reference: ToolReference;
  readonly arguments: JsonObject;
  readonly signal: AbortSignal;
  readonly onProgress: ((progress: Progress) => void) | undefined;
}

/** A step answers at once where it can: most calls wait for nothing but the server. */
type Soon<T> = T | Promise<T>;

export interface CallSteps {
  /** The tool, or the outcome when there is none to call. */
  resolve(reference: ToolReference, signal: AbortSignal): Soon<Result<CatalogTool, CallOutcome>>;
  checkOf(schema: JsonObject): Soon<ArgumentCheck>;
  readonly approve: Approver;
  connect(server: string, signal: AbortSignal): Soon<Result<Session, ConnectionState>>;
  deadlinesOf(server: string): Deadlines;
  fit(result: ToolResult): readonly Part[];
}

export async function call(request: CallRequest, steps: CallSteps): Promise<CallOutcome> {
  const { signal, arguments: given } = request;
  const resolved = await steps.resolve(request.reference, signal);
  if (!resolved.ok) return resolved.error;
  const tool = resolved.value;
  const called = { server: tool.server, tool: tool.tool };

  const check = await steps.checkOf(tool.definition.inputSchema);
  const issues = check(given);
  if (issues.length > 0) {
    const schema = tool.definition.inputSchema;
    return { ...called, kind: 'invalid-arguments', issues, schema };
  }

  const approval = await steps.approve({ tool, arguments: given, signal });
  if (approval.kind === 'deny') return { ...called, kind: 'denied', reason: approval.reason };

  const connected = await steps.connect(tool.server, signal);
  if (!connected.ok) return withoutSession(called, connected.error);

  const { callIdleMs, callHardMs } = steps.deadlinesOf(tool.server);
  const answered = await connected.value.callTool(
    { name: tool.tool, arguments: given },
    {
      signal,
      idleMs: callIdleMs,
      hardMs: callHardMs,
      ...(request.onProgress === undefined ? {} : { onProgress: request.onProgress }),
    },
  );
  if (!answered.ok) return withFailure(called, answered.error);

  const parts = steps.fit(answered.value);
  return { ...called, kind: answered.value.isError ? 'tool-error' : 'result', parts };
}
