// The one way to call a tool, in this order for everyone: resolve the name, check the arguments,
// decide, wait for earlier calls, connect, call, fit the result. Each step is a port; this page is only
// the order.

import { err, type JsonObject, type Result } from '@plugboard/base';
import type { CatalogTool, ToolIdentity } from '../catalog/index.ts';
import type { ConnectionState, Deadlines } from '../connection/index.ts';
import type { FittedResult } from '../output/index.ts';
import type { CallOptions, Progress, Session, ToolResult } from '../protocol/index.ts';
import type { ArgumentCheck } from './argument-issue.ts';
import { type Turn, waitFor } from './call-order.ts';
import {
  calledOf,
  type CallOutcome,
  invalidArguments,
  withFailure,
  withoutSession,
} from './call-outcome.ts';
import type {
  Caller,
  Permit,
  PermitRequest,
  Reviewed,
  ReviewedCall,
  Soon,
} from './call-permission.ts';
import { checkArguments } from './check-arguments.ts';
import { mayRepeat } from './may-repeat.ts';

/** A tool by the name a model knows, or by who it is. */
export type ToolReference = string | ToolIdentity;

export interface CallRequest {
  readonly reference: ToolReference;
  readonly arguments: JsonObject;
  readonly signal: AbortSignal;
  readonly onProgress: ((progress: Progress) => void) | undefined;
  /** How long the tool may take, in place of what its entry says. */
  readonly timeoutMs?: number | undefined;
  readonly from: Caller;
}

export interface CallSteps {
  /** The tool, or the outcome when there is none to call. */
  resolve(reference: ToolReference, signal: AbortSignal): Soon<Result<CatalogTool, CallOutcome>>;
  /** The tool as its server lists it now, where what is known of it is from an earlier run. */
  renew(tool: CatalogTool, signal: AbortSignal): Soon<CatalogTool | undefined>;
  checkOf(schema: JsonObject): Soon<ArgumentCheck>;
  /** A place among the calls to its server; none for a tool whose calls need no order. */
  enter(tool: CatalogTool): Turn | undefined;
  permit(request: PermitRequest): Soon<Permit>;
  connect(server: string, signal: AbortSignal): Soon<Result<Session, ConnectionState>>;
  deadlinesOf(server: string): Deadlines;
  /** Why a tool may not be called any more, if so: deciding takes time, and lists change meanwhile. */
  recheck(tool: CatalogTool): Soon<CallOutcome | undefined>;
  /** What hooks make of a result; at once the same where there are none. */
  review(call: ReviewedCall, result: ToolResult): Soon<Result<Reviewed, CallOutcome>>;
  fit(result: ToolResult, tool: CatalogTool): Soon<FittedResult>;
}

export async function call(request: CallRequest, steps: CallSteps): Promise<CallOutcome> {
  const { signal } = request;
  // Every await costs, also one for what is there already; so only promises are waited for.
  const resolving = steps.resolve(request.reference, signal);
  const resolved = resolving instanceof Promise ? await resolving : resolving;
  if (!resolved.ok) return resolved.error;
  const checking = check(resolved.value, request, steps);
  const { tool, checked } = checking instanceof Promise ? await checking : checking;
  if (!checked.ok) return invalidArguments(tool, checked.error);

  const turn = steps.enter(tool);
  let sent: JsonObject;
  let answered: Result<ToolResult, CallOutcome>;
  try {
    const deciding = steps.permit(permitRequest(tool, checked.value, { request, steps }));
    const permit = deciding instanceof Promise ? await deciding : deciding;
    if (!permit.ok) return permit.error;
    sent = permit.value;
    if (turn?.before !== undefined && (await waitFor(turn.before, signal)) === 'cancelled') {
      return { ...calledOf(tool), kind: 'cancelled' };
    }
    answered = await connectAndCall({ tool, sent, request }, steps);
  } finally {
    turn?.leave();
  }
  if (!answered.ok) return answered.error;

  const reviewing = steps.review({ tool, arguments: sent, signal }, answered.value);
  const reviewed = reviewing instanceof Promise ? await reviewing : reviewing;
  if (!reviewed.ok) return reviewed.error;
  const { result, failures } = reviewed.value;
  const kind = result.isError ? 'tool-error' : 'result';
  const fitting = steps.fit(result, tool);
  const fitted = fitting instanceof Promise ? await fitting : fitting;
  const { server } = tool;
  return failures.length === 0
    ? { server, tool: tool.tool, kind, ...fitted }
    : { server, tool: tool.tool, kind, ...fitted, failedHooks: failures };
}

function permitRequest(
  tool: CatalogTool,
  given: JsonObject,
  { request, steps }: { readonly request: CallRequest; readonly steps: CallSteps },
): PermitRequest {
  return {
    tool,
    arguments: given,
    signal: request.signal,
    from: request.from,
    check: (other) => {
      const found = checkAgainst(tool, other, steps);
      return found instanceof Promise ? found.then(({ checked }) => checked) : found.checked;
    },
  };
}

interface Checked {
  readonly tool: CatalogTool;
  readonly checked: ReturnType<typeof checkArguments>;
}

function check(known: CatalogTool, request: CallRequest, steps: CallSteps): Soon<Checked> {
  const first = checkAgainst(known, request.arguments, steps);
  const isSound = !(first instanceof Promise) && first.checked.ok;
  return isSound ? first : checkAnew(first, { known, request, steps });
}

/** What a tool took in an earlier run refuses nobody: it may take something else by now. */
async function checkAnew(
  checking: Soon<Checked>,
  { known, request, steps }: { known: CatalogTool; request: CallRequest; steps: CallSteps },
): Promise<Checked> {
  const first = await checking;
  if (first.checked.ok) return first;
  const renewed = await steps.renew(known, request.signal);
  return renewed === undefined ? first : checkAgainst(renewed, request.arguments, steps);
}

/** At once where the check is known, as it is for all calls but the first. */
function checkAgainst(tool: CatalogTool, given: JsonObject, steps: CallSteps): Soon<Checked> {
  const found = steps.checkOf(tool.definition.inputSchema);
  return found instanceof Promise
    ? found.then((argumentCheck) => ({ tool, checked: checkArguments(given, argumentCheck) }))
    : { tool, checked: checkArguments(given, found) };
}

/** Calls, and once more where the first try was lost with the connection and may be repeated. */
async function connectAndCall(
  { tool, sent, request }: { tool: CatalogTool; sent: JsonObject; request: CallRequest },
  steps: CallSteps,
): Promise<Result<ToolResult, CallOutcome>> {
  const { inputSchema, needsTask } = tool.definition;
  const called = { name: tool.tool, arguments: sent, inputSchema, needsTask };
  const options = callOptions(request, steps.deadlinesOf(tool.server));
  for (let isFirst = true; ; isFirst = false) {
    const connecting = steps.connect(tool.server, request.signal);
    const connected = connecting instanceof Promise ? await connecting : connecting;
    if (!connected.ok) return err(withoutSession(tool, connected.error));
    const checking = steps.recheck(tool);
    const refused = checking instanceof Promise ? await checking : checking;
    if (refused !== undefined) return err(refused);
    const answered = await connected.value.callTool(called, options);
    if (answered.ok) return answered;
    if (!isFirst || !mayRepeat(tool.definition, answered.error)) {
      return err(withFailure(calledOf(tool), answered.error));
    }
  }
}

function callOptions(request: CallRequest, { callIdleMs, callHardMs }: Deadlines): CallOptions {
  const { signal, onProgress, timeoutMs } = request;
  const idleMs = timeoutMs ?? callIdleMs;
  const hardMs = timeoutMs ?? callHardMs;
  return onProgress === undefined
    ? { signal, idleMs, hardMs }
    : { signal, idleMs, hardMs, onProgress };
}
