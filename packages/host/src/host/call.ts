// The one way to call a tool, in this order for everyone: resolve the name, check the arguments,
// decide, wait for earlier calls, connect, call, fit the result.

import { err, type JsonObject, type Result } from '@plugboard/base';
import { type CatalogTool, claimsOf, type ToolReference } from '../catalog/index.ts';
import type { Deadlines } from '../connection/index.ts';
import type { AskedServers } from '../inbound/index.ts';
import type { Output } from '../output/index.ts';
import type { CallOptions, Progress, ToolResult } from '../protocol/index.ts';
import { type CallOrder, waitFor } from './call-order.ts';
import {
  calledOf,
  type CallOutcome,
  invalidArguments,
  withFailure,
  withoutSession,
} from './call-outcome.ts';
import type { CallPermission, Caller, PermitRequest, MaybePromise } from './call-permission.ts';
import { checkArguments } from './check-arguments.ts';
import { mayRepeat } from './may-repeat.ts';
import { schemaCheck } from './schema-check.ts';
import type { ServerSet } from './server-set.ts';
import type { ToolLookup } from './tool-lookup.ts';

export interface CallRequest {
  readonly reference: ToolReference;
  readonly arguments: JsonObject;
  readonly signal: AbortSignal;
  readonly onProgress: ((progress: Progress) => void) | undefined;
  /** How long the tool may take, in place of what its entry says. */
  readonly timeoutMs?: number | undefined;
  /** As `CallSettings` says. */
  readonly result?: 'fitted' | 'whole' | undefined;
  readonly from: Caller;
}

/** What takes part in a call. */
export interface CallParts {
  readonly lookup: ToolLookup;
  readonly permission: CallPermission;
  readonly servers: ServerSet;
  readonly output: Output;
  readonly order: CallOrder;
  readonly asked: AskedServers;
}

export async function call(request: CallRequest, parts: CallParts): Promise<CallOutcome> {
  const { signal } = request;
  // Only promises are waited for: to await also what is there already takes 7 % of a call to a server that answers at
  // once, measured with and without.
  const resolving = parts.lookup.resolve(request.reference, signal);
  const resolved = resolving instanceof Promise ? await resolving : resolving;
  if (!resolved.ok) return resolved.error;
  const checking = checkCall(resolved.value, request, parts.lookup);
  const { tool, checked } = checking instanceof Promise ? await checking : checking;
  if (!checked.ok) return invalidArguments(tool, checked.error);

  const turn = isOrdered(tool, parts.servers) ? parts.order.enter(tool.server) : undefined;
  let sent: JsonObject;
  let answered: Result<ToolResult, CallOutcome>;
  try {
    const deciding = parts.permission.permit(permitRequest(tool, checked.value, request));
    const permit = deciding instanceof Promise ? await deciding : deciding;
    if (!permit.ok) return permit.error;
    sent = permit.value;
    if (turn?.before !== undefined && (await waitFor(turn.before, signal)) === 'cancelled') {
      return { ...calledOf(tool), kind: 'cancelled' };
    }
    answered = await connectAndCall({ tool, sent, request }, parts);
  } finally {
    turn?.leave();
  }
  if (!answered.ok) return answered.error;

  const reviewing = parts.permission.review({ tool, arguments: sent, signal }, answered.value);
  const reviewed = reviewing instanceof Promise ? await reviewing : reviewing;
  if (!reviewed.ok) return reviewed.error;
  const { result, failures } = reviewed.value;
  const making = answeredCall({ tool, result, as: request.result ?? 'fitted' }, parts);
  const answer = making instanceof Promise ? await making : making;
  return failures.length === 0 ? answer : { ...answer, failedHooks: failures };
}

type AnsweredCall = Extract<CallOutcome, { readonly kind: 'result' | 'tool-error' }>;

interface Answered {
  readonly tool: Pick<CatalogTool, 'server' | 'tool'> & {
    readonly definition: Parameters<Output['fit']>[1];
  };
  readonly result: ToolResult;
  /** As `CallSettings` says. */
  readonly as: 'fitted' | 'whole';
}

/** The outcome of a call that the server answered. */
export function answeredCall(
  { tool, result, as }: Answered,
  { output, servers }: Pick<CallParts, 'output' | 'servers'>,
): MaybePromise<AnsweredCall> {
  const { server, tool: name } = tool;
  const kind = result.isError ? 'tool-error' : 'result';
  const fitting =
    as === 'whole'
      ? output.whole(result)
      : output.fit(result, tool.definition, servers.get(tool.server)?.output);
  // What is spread comes last: in Node 20 a member after a spread takes 25 times as long as one before it.
  return fitting instanceof Promise
    ? fitting.then((fitted) => ({ server, tool: name, kind, ...fitted }))
    : { server, tool: name, kind, ...fitting };
}

function permitRequest(tool: CatalogTool, given: JsonObject, request: CallRequest): PermitRequest {
  return {
    tool,
    arguments: given,
    signal: request.signal,
    from: request.from,
    check: (other) => checkedFor(tool, other),
  };
}

/** Arguments that the caller has not given, against the tool as it is known. */
export function checkedFor(
  tool: CatalogTool,
  given: JsonObject,
): MaybePromise<CheckedCall['checked']> {
  const found = checkAgainst(tool, given);
  return found instanceof Promise ? found.then(({ checked }) => checked) : found.checked;
}

interface CheckedCall {
  readonly tool: CatalogTool;
  readonly checked: ReturnType<typeof checkArguments>;
}

export function checkCall(
  known: CatalogTool,
  request: Pick<CallRequest, 'arguments' | 'signal'>,
  lookup: ToolLookup,
): MaybePromise<CheckedCall> {
  const first = checkAgainst(known, request.arguments);
  const isSound = !(first instanceof Promise) && first.checked.ok;
  return isSound ? first : checkAnew(first, { known, request, lookup });
}

/**
 * A schema from an earlier run may be outdated, so a call is not refused by it before the tool is listed
 * again.
 */
async function checkAnew(
  checking: MaybePromise<CheckedCall>,
  {
    known,
    request,
    lookup,
  }: {
    readonly known: CatalogTool;
    readonly request: Pick<CallRequest, 'arguments' | 'signal'>;
    readonly lookup: ToolLookup;
  },
): Promise<CheckedCall> {
  const first = await checking;
  if (first.checked.ok) return first;
  const renewed = await lookup.renew(known, request.signal);
  return renewed === undefined ? first : checkAgainst(renewed, request.arguments);
}

/** At once where the check is known, as it is for all calls but the first. */
function checkAgainst(tool: CatalogTool, given: JsonObject): MaybePromise<CheckedCall> {
  const found = schemaCheck(tool.definition.inputSchema);
  return found instanceof Promise
    ? found.then((argumentCheck) => ({ tool, checked: checkArguments(given, argumentCheck) }))
    : { tool, checked: checkArguments(given, found) };
}

/** A tool that changes nothing needs no order, nor one of a server that takes calls side by side. */
function isOrdered({ server, definition }: CatalogTool, servers: ServerSet): boolean {
  return !claimsOf(definition.annotations).isConcurrencySafe && !servers.get(server)?.isParallel;
}

/** Calls, and once more where the first try was lost with the connection and may be repeated. */
async function connectAndCall(
  { tool, sent, request }: { tool: CatalogTool; sent: JsonObject; request: CallRequest },
  { lookup, servers, asked }: CallParts,
): Promise<Result<ToolResult, CallOutcome>> {
  const { inputSchema, needsTask } = tool.definition;
  const called = { name: tool.tool, arguments: sent, inputSchema, needsTask };
  const options = callOptions(request, servers.deadlinesOf(tool.server));
  const { whileAsked } = request.from;
  using _asked = whileAsked === undefined ? undefined : asked.follow(tool.server, whileAsked);
  for (let isFirst = true; ; isFirst = false) {
    const connecting = servers.ready(tool.server) ?? servers.connect(tool.server, request.signal);
    const connected = connecting instanceof Promise ? await connecting : connecting;
    if (!connected.ok) return err(withoutSession(tool, connected.error));
    const checking = lookup.recheck(tool);
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
