// Who is asked about a call that no rule decides: the person at the client that makes it, by a question of the gateway,
// where the client can be asked. Else it is denied, with the command that allows it.

import { isObject, type Json } from '@plugboard/base';
import type { Approval, ApprovalRequest, Remember } from '@plugboard/host';
import { canBeAsked, type Exchange } from '../client/index.ts';

const ONCE = 'Allow once';
const SESSION = 'Allow until the gateway stops';
const DENY = 'Deny';
const METHOD = 'elicitation/create';
const LONGEST = 4000;

export class ClientApprovals {
  readonly #exchanges = new Map<string, Exchange>();

  /** A call of this request may have to be asked about. */
  async during<T>(exchange: Exchange, work: () => Promise<T>): Promise<T> {
    this.#exchanges.set(exchange.id, exchange);
    try {
      return await work();
    } finally {
      this.#exchanges.delete(exchange.id);
    }
  }

  readonly approve = async (request: ApprovalRequest): Promise<Approval> => {
    const exchange = this.#exchanges.get(request.callId ?? '');
    const params = questionOf(request);
    if (exchange === undefined || !canBeAsked(exchange.client, METHOD, params)) {
      return { kind: 'deny', reason: noPerson(request) };
    }
    const reply = await exchange.ask(METHOD, params, request.signal);
    if (!('result' in reply)) return { kind: 'deny', reason: noPerson(request) };
    const { action, content } = reply.result;
    const chosen = isObject(content) ? content['decision'] : undefined;
    if (action === 'accept' && chosen === ONCE) return { kind: 'allow', remember: 'once' };
    if (action === 'accept' && chosen === SESSION) return { kind: 'allow', remember: 'session' };
    return { kind: 'deny', reason: 'the user said no' };
  };
}

function questionOf({ tool, arguments: given, offers }: ApprovalRequest): { [key: string]: Json } {
  const choices = [ONCE, ...(offers.includes('session' satisfies Remember) ? [SESSION] : []), DENY];
  const text = JSON.stringify(given, undefined, 2);
  const shown =
    text.length > LONGEST
      ? `${text.slice(0, LONGEST)}\n… ${text.length - LONGEST} more characters`
      : text;
  return {
    message: `Plugboard: may ${tool.server} / ${tool.tool} be called with this?\n${shown}`,
    requestedSchema: {
      type: 'object',
      properties: {
        decision: { type: 'string', title: 'Decision', enum: choices, default: ONCE },
      },
      required: ['decision'],
    },
  };
}

function noPerson({ tool: { server, tool } }: ApprovalRequest): string {
  return `no rule allows it, and this client cannot ask its user. To allow it: plugboard permissions ${server}/${tool} --allow`;
}
