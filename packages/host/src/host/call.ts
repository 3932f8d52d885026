// The one way to call a tool, in this order: resolve the name, check the arguments, decide, wait for earlier calls, send, review the
// answer. Where it is sent, and what an answer is there, says the route: the host's own connection to a server, or a session
// that a client of a gateway has with it.

import {
  abortSignalOf,
  type CancelSignal,
  type JsonObject,
  type MaybePromise,
  ok,
  type Result,
} from '@plugboard/base';
import type { CatalogTool, ToolReference } from '../catalog/index.ts';
import type { ToolResult } from '../protocol/index.ts';
import { type Turn, waitFor } from './call-order.ts';
import { calledOf, type CallOutcome, invalidArguments } from './call-outcome.ts';
import type { Caller, CallPermission, PermissionObserver } from './call-permission.ts';
import { checkArguments } from './check-arguments.ts';
import type { HookFailure } from './hook-run.ts';
import { schemaCheck } from './schema-check.ts';
import type { ToolLookup } from './tool-lookup.ts';

export interface CallRequest {
  readonly reference: ToolReference;
  readonly arguments: JsonObject;
  readonly signal: CancelSignal;
  readonly from: Caller;
  readonly observer?: PermissionObserver | undefined;
  /** `checked`: by the schema before they are sent. `as-given`: only by the server. */
  readonly as: 'checked' | 'as-given';
}

/** What takes part in a call on every route. */
export interface CallParts {
  readonly lookup: ToolLookup;
  readonly permission: CallPermission;
}

export interface CallRoute<Answer, Outcome> {
  /** The place of the call among those that run in order; `undefined` if it waits for none. */
  turn?(tool: CatalogTool): Turn | undefined;
  /** Connects where needed. */
  send(tool: CatalogTool, sent: JsonObject): Promise<Result<Answer, CallOutcome>>;
  /** The answer as hooks look at it; `undefined` if it cannot be read as a result. */
  read(answer: Answer): ToolResult | undefined;
  /** The answer with what hooks made of the result. */
  replaced(answer: Answer, made: ToolResult): Answer;
  /** What the caller gets; `failures` are of hooks that were to look at the answer. */
  answered(
    tool: CatalogTool,
    answer: Answer,
    failures: readonly HookFailure[],
  ): MaybePromise<Outcome>;
  failed(outcome: CallOutcome): Outcome;
}

const NO_FAILURES: readonly HookFailure[] = [];

export async function call<Answer, Outcome>(
  request: CallRequest,
  { lookup, permission }: CallParts,
  route: CallRoute<Answer, Outcome>,
): Promise<Outcome> {
  const { signal, from, observer } = request;
  // Only promises are waited for: to await also what is there already takes 7 % of a call to a server that answers at
  // once, measured with and without.
  const resolving = lookup.resolve(request.reference, signal);
  const resolved = resolving instanceof Promise ? await resolving : resolving;
  if (!resolved.ok) return route.failed(resolved.error);
  const checking = checkKnown(resolved.value, request, lookup);
  const { tool, checked } = checking instanceof Promise ? await checking : checking;
  if (!checked.ok) return route.failed(invalidArguments(tool, checked.error));

  const turn = route.turn?.(tool);
  let sent: JsonObject;
  let answered: Result<Answer, CallOutcome>;
  try {
    const check = (given: JsonObject) => checkGiven(tool, given, request);
    const asked = { tool, arguments: checked.value, signal, from, observer, check };
    const deciding = permission.permit(asked);
    const permit = deciding instanceof Promise ? await deciding : deciding;
    if (!permit.ok) return route.failed(permit.error);
    sent = permit.value;
    if (
      turn?.before !== undefined &&
      (await waitFor(turn.before, abortSignalOf(signal))) === 'cancelled'
    ) {
      return route.failed({ ...calledOf(tool), kind: 'cancelled' });
    }
    answered = await route.send(tool, sent);
  } finally {
    turn?.leave();
  }
  if (!answered.ok) return route.failed(answered.error);

  const answer = answered.value;
  const isReviewed = permission.hooks.has('afterCall', tool);
  const result = isReviewed ? route.read(answer) : undefined;
  if (result === undefined) return route.answered(tool, answer, NO_FAILURES);
  const reviewed = await permission.review({ tool, arguments: sent, signal, observer }, result);
  if (!reviewed.ok) return route.failed(reviewed.error);
  const { result: made, failures } = reviewed.value;
  return route.answered(tool, made === result ? answer : route.replaced(answer, made), failures);
}

type Checked = ReturnType<typeof checkArguments>;
type HowToCheck = Pick<CallRequest, 'as' | 'arguments' | 'signal'>;

interface CheckedCall {
  readonly tool: CatalogTool;
  readonly checked: Checked;
}

/** Against the tool as it is known, at once where its check is known, as it is for all calls but the first. */
function checkGiven(
  tool: CatalogTool,
  given: JsonObject,
  { as }: Pick<HowToCheck, 'as'>,
): MaybePromise<Checked> {
  if (as === 'as-given') return ok(given);
  const found = schemaCheck(tool.definition.inputSchema);
  return found instanceof Promise
    ? found.then((check) => checkArguments(given, check))
    : checkArguments(given, found);
}

function checkKnown(
  tool: CatalogTool,
  how: HowToCheck,
  lookup: ToolLookup,
): MaybePromise<CheckedCall> {
  const checked = checkGiven(tool, how.arguments, how);
  const isSound = !(checked instanceof Promise) && checked.ok;
  return isSound ? { tool, checked } : checkAnew({ tool, checked }, how, lookup);
}

/**
 * A schema from an earlier run may be outdated, so a call is not refused by it before the tool is listed
 * again.
 */
async function checkAnew(
  {
    tool,
    checked: checking,
  }: { readonly tool: CatalogTool; readonly checked: MaybePromise<Checked> },
  how: HowToCheck,
  lookup: ToolLookup,
): Promise<CheckedCall> {
  const checked = await checking;
  if (checked.ok) return { tool, checked };
  const renewed = await lookup.renew(tool, abortSignalOf(how.signal));
  if (renewed === undefined) return { tool, checked };
  return { tool: renewed, checked: await checkGiven(renewed, how.arguments, how) };
}
