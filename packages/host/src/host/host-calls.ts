// Makes calls over the host's own connections to servers, and fits the results for a model.

import { type JsonObject, type MaybePromise, never, type Result, shared } from '@plugboard/base';
import { type CatalogTool, claimsOf, type ToolReference } from '../catalog/index.ts';
import type { AskedServers } from '../inbound/index.ts';
import type { Output } from '../output/index.ts';
import type { CallOptions, ToolResult } from '../protocol/index.ts';
import { call, type CallParts } from './call.ts';
import type { CallOrder, Turn } from './call-order.ts';
import { calledOf, type CallOutcome } from './call-outcome.ts';
import type { HookFailure } from './hook-run.ts';
import type { CallSettings } from './host-surface.ts';
import { sendRequest } from './send-request.ts';
import type { ServerSet } from './server-set.ts';

export interface HostCallParts extends CallParts {
  readonly servers: ServerSet;
  readonly output: Output;
  readonly order: CallOrder;
  readonly asked: AskedServers;
}

/** Whatever goes wrong is an outcome, not an exception. */
export function hostCall(
  { reference, given }: { readonly reference: ToolReference; readonly given: JsonObject },
  settings: CallSettings,
  parts: HostCallParts,
): Promise<CallOutcome> {
  const signal = settings.signal === undefined ? never : shared(settings.signal);
  const request = { reference, arguments: given, signal, from: settings, as: 'checked' } as const;
  return call<ToolResult, CallOutcome>(request, parts, {
    turn: (tool) => turnOf(tool, parts),
    send: (tool, sent) => send({ tool, sent, settings, signal }, parts),
    read: (result) => result,
    replaced: (_, changed) => changed,
    answered: (tool, result, failedHooks) => {
      const answer = answeredCall({ tool, result, as: settings.result ?? 'fitted' }, parts);
      return failedHooks.length === 0 ? answer : withFailedHooks(answer, failedHooks);
    },
    failed: (outcome) => outcome,
  });
}

async function withFailedHooks(
  answer: MaybePromise<AnsweredCall>,
  failedHooks: readonly HookFailure[],
): Promise<CallOutcome> {
  return { ...(await answer), failedHooks };
}

type AnsweredCall = Extract<CallOutcome, { readonly kind: 'result' | 'tool-error' }>;

interface AnswerToFit {
  readonly tool: Pick<CatalogTool, 'server' | 'tool'> & {
    readonly definition: Parameters<Output['fit']>[1];
  };
  readonly result: ToolResult;
  /** See `CallSettings`. */
  readonly as: 'fitted' | 'whole';
}

/** The outcome of a call that the server answered. */
export function answeredCall(
  { tool, result, as }: AnswerToFit,
  { output, servers }: Pick<HostCallParts, 'output' | 'servers'>,
): MaybePromise<AnsweredCall> {
  const { server, tool: name } = tool;
  const kind = result.isError ? 'tool-error' : 'result';
  const fitting =
    as === 'whole'
      ? output.whole(result)
      : output.fit(result, tool.definition, servers.get(tool.server)?.output);
  // The spread comes last: in Node 20 a member after a spread takes 25 times as long as one before it.
  return fitting instanceof Promise
    ? fitting.then((fitted) => ({ server, tool: name, kind, ...fitted }))
    : { server, tool: name, kind, ...fitting };
}

/** A tool that changes nothing, or whose server takes calls in parallel, does not wait. */
function turnOf(
  { server, definition }: CatalogTool,
  { servers, order }: HostCallParts,
): Turn | undefined {
  const isFree =
    claimsOf(definition.annotations).isConcurrencySafe || servers.get(server)?.isParallel;
  return isFree ? undefined : order.enter(server);
}

interface CallToSend {
  readonly tool: CatalogTool;
  readonly sent: JsonObject;
  readonly settings: CallSettings;
  readonly signal: AbortSignal;
}

function send(
  { tool, sent, settings, signal }: CallToSend,
  { lookup, servers, asked }: HostCallParts,
): Promise<Result<ToolResult, CallOutcome>> {
  const { server } = tool;
  const { inputSchema, needsTask } = tool.definition;
  const called = { name: tool.tool, arguments: sent, inputSchema, needsTask };
  const { onProgress, timeoutMs, whileAsked } = settings;
  const { callIdleMs, callHardMs } = servers.deadlinesOf(server);
  const idleMs = timeoutMs ?? callIdleMs;
  const hardMs = timeoutMs ?? callHardMs;
  const options: CallOptions =
    onProgress === undefined ? { signal, idleMs, hardMs } : { signal, idleMs, hardMs, onProgress };
  // The server may ask a question as soon as it has received the call.
  const following = whileAsked && asked.follow(server, whileAsked);
  const sending = sendRequest({
    called: calledOf(tool),
    repeatable: tool.definition,
    connect: () => servers.ready(server) ?? servers.connect(server, signal),
    refused: () => lookup.recheck(tool),
    send: (session) => session.callTool(called, options),
  });
  return following === undefined ? sending : sending.finally(() => following[Symbol.dispose]());
}
