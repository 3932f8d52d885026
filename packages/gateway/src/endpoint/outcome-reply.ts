// Replies that the gateway writes itself because there is no result of a server. An error of a server passes unchanged; a
// message of the gateway goes to the model, as the result of its call.

import type { JsonObject } from '@plugboard/base';
import { type CallOutcome, toModelText } from '@plugboard/host';
import type { AnswerContent } from '@plugboard/host/adapters';
import { requestText, shortageOf } from '@plugboard/host/relay';
import { failed, INTERNAL_ERROR, INVALID_PARAMS, type RpcReply } from '../message/index.ts';

/** An answer for a model, as the result of a call of a tool. */
export function answerResult({ isError, content }: AnswerContent): JsonObject {
  return {
    content: content.map((part) =>
      part.kind === 'text'
        ? { type: 'text', text: part.text }
        : { type: 'image', data: part.data, mimeType: part.mimeType },
    ),
    ...(isError ? { isError } : {}),
  };
}

export function outcomeReply(outcome: CallOutcome, method: string): RpcReply {
  const isCall = method === 'tools/call';
  if (outcome.kind === 'protocol-error' && outcome.failure.kind === 'rpc') {
    const { code, message, data } = outcome.failure;
    return { error: { code, message, ...(data === undefined ? {} : { data }) } };
  }
  // Some errors of HTTP carry a JSON-RPC error.
  if (outcome.kind === 'protocol-error' && outcome.failure.kind === 'http') {
    const { refusal } = outcome.failure;
    if (refusal !== undefined) return failed(refusal.code, refusal.message);
  }
  const what = isCall ? toModelText(outcome) : requestText(outcome, method.slice(0, 100));
  const help = helpFor(outcome);
  const text = help === undefined ? what : `${what}\n${help}`;
  if (outcome.kind === 'unknown-tool' || outcome.kind === 'unknown-server') {
    return failed(INVALID_PARAMS, text);
  }
  return messageReply(text, method);
}

/** The same while the gateway stops: the gateway gave the request up, and not the client or the server. */
export function stoppedReply(outcome: CallOutcome, method: string): RpcReply {
  if (outcome.kind !== 'cancelled' && outcome.kind !== 'not-connected') {
    return outcomeReply(outcome, method);
  }
  const what = method === 'tools/call' ? `Tool ${outcome.tool}` : method.slice(0, 100);
  return messageReply(
    `${what} gave no result: the gateway was stopped meanwhile. What it had done until then is not known.`,
    method,
  );
}

function messageReply(text: string, method: string): RpcReply {
  return method === 'tools/call'
    ? { result: answerResult({ isError: true, content: [{ kind: 'text', text }] }) }
    : failed(INTERNAL_ERROR, text);
}

/** How to make the server work: usually the command that diagnoses it. */
function helpFor(outcome: CallOutcome): string | undefined {
  if (outcome.kind !== 'not-connected') return undefined;
  const { server, reason } = outcome;
  switch (reason.kind) {
    case 'disabled':
      return `The user can run: plugboard enable ${server}`;
    case 'untrusted':
      return `The user can run: plugboard trust ${server}`;
    case 'blocked':
    case 'closed':
      return undefined;
    default:
      return shortageHelp(reason) ?? `The user can run: plugboard doctor ${server}`;
  }
}

/** If the gateway itself ran out of a resource, a diagnosis of the server does not help. */
function shortageHelp(reason: Parameters<typeof shortageOf>[0]): string | undefined {
  const shortage = shortageOf(reason);
  return shortage === undefined ? undefined : `On the machine of the gateway ${shortage}`;
}
