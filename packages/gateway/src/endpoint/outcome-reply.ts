// What a client is answered if its request has no result of a server. An error of a server passes unchanged; what the
// gateway itself has to say goes to the model, as the result of its call.

import { type CallOutcome, toModelText } from '@plugboard/host';
import { requestText, shortageOf } from '@plugboard/host/relay';
import { failed, INTERNAL_ERROR, INVALID_PARAMS, type RpcReply } from '../message/index.ts';

export function outcomeReply(outcome: CallOutcome, method: string): RpcReply {
  const isCall = method === 'tools/call';
  if (outcome.kind === 'protocol-error' && outcome.failure.kind === 'rpc') {
    const { code, message, data } = outcome.failure;
    return { error: { code, message, ...(data === undefined ? {} : { data }) } };
  }
  // Over HTTP some errors come with their own status.
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
  return told(text, method);
}

/** The same of a gateway that ends: requests that run are given up by it, and not by their client or server. */
export function stoppedReply(outcome: CallOutcome, method: string): RpcReply {
  if (outcome.kind !== 'cancelled' && outcome.kind !== 'not-connected') {
    return outcomeReply(outcome, method);
  }
  const what = method === 'tools/call' ? `Tool ${outcome.tool}` : method.slice(0, 100);
  return told(
    `${what} gave no result: the gateway was stopped meanwhile. What it had done until then is not known.`,
    method,
  );
}

function told(text: string, method: string): RpcReply {
  return method === 'tools/call'
    ? { result: { content: [{ type: 'text', text }], isError: true } }
    : failed(INTERNAL_ERROR, text);
}

/** What gets a server going: mostly the command that says why it does not. */
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

/** What another program says about the server is of no use where this one ran out of something. */
function shortageHelp(reason: Parameters<typeof shortageOf>[0]): string | undefined {
  const shortage = shortageOf(reason);
  return shortage === undefined ? undefined : `On the machine of the gateway ${shortage}`;
}
