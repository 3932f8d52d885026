// Asks a person about a call that no rule decides: the user of the client that makes it if the client can show a question,
// otherwise the person who watches the desk. Without either, the call is denied with the command that allows it.

import { createHash } from 'node:crypto';
import { BriefMap, isObject } from '@plugboard/base';
import type { Approval, ApprovalRequest, Remember } from '@plugboard/host';
import { decisionReason } from '@plugboard/host/relay';
import type { ApprovalView } from '../console-api.ts';
import {
  type Client,
  clientName,
  type Desk,
  deskFor,
  type Exchange,
  lackOf,
  QUESTION,
} from '../client/index.ts';
import { approvalQuestion } from './approval-question.ts';

const ONCE = 'Allow once';
/** In the order in which they are offered. */
const CHOICES: readonly (readonly [Remember, string])[] = [
  ['once', ONCE],
  ['script', 'Allow for this script'],
  ['session', 'Allow for this session'],
];
const DENY = 'Deny';
const DENIED = 'the user said no';

export class ClientApprovals {
  readonly #desk: Desk;
  readonly #exchanges = new BriefMap<string, Exchange>();
  /**
   * Approvals that last longer than a call. The gateway keeps them per client, since those of the host hold for all
   * clients.
   */
  readonly #allowed = new WeakMap<Client, Set<string>>();

  constructor(desk: Desk) {
    this.#desk = desk;
  }

  /** Registers a request whose calls may need approval. */
  begin(exchange: Exchange): void {
    this.#exchanges.set(exchange.id, exchange);
  }

  end(exchange: Exchange): void {
    this.#exchanges.take(exchange.id);
  }

  readonly approve = async (request: ApprovalRequest): Promise<Approval> => {
    const exchange = this.#exchanges.get(request.callId ?? '');
    if (exchange === undefined) return { kind: 'deny', reason: noPersonReason(request) };
    const { client } = exchange;
    const choices = [...offeredChoices(request, client).map(([, words]) => words), DENY];
    const params = approvalQuestion(request, { choices, chosen: ONCE });
    const isAskable = lackOf(client, QUESTION, params) === undefined;
    if (!isAskable || deskFor(client, QUESTION, params) !== undefined) {
      return this.#approveAtDesk(request, exchange);
    }
    const allowed = this.#allowed.get(client) ?? new Set();
    this.#allowed.set(client, allowed);
    const known = [...subjectsFor('session', request), ...subjectsFor('script', request)];
    const isAllowed = known.some((each) => allowed.has(each));
    if (isAllowed) return { kind: 'allow', remember: 'once' };
    const reply = await exchange.ask(QUESTION, params, request.signal);
    if (!('result' in reply)) return { kind: 'deny', reason: noPersonReason(request) };
    const { action, content } = reply.result;
    const chosen = isObject(content) ? content['decision'] : undefined;
    const [remember] = offeredChoices(request, client).find(([, words]) => words === chosen) ?? [];
    if (action !== 'accept' || remember === undefined) return { kind: 'deny', reason: DENIED };
    for (const subject of subjectsFor(remember, request)) allowed.add(subject);
    return { kind: 'allow', remember: 'once' };
  };

  async #approveAtDesk(request: ApprovalRequest, exchange: Exchange): Promise<Approval> {
    const { tool, arguments: given, script, offers, decision } = request;
    const { client, inScript } = exchange;
    using _pause = inScript?.whileAsked?.();
    const answer = await this.#desk.ask(
      {
        kind: 'approval',
        server: tool.server,
        tool: tool.tool,
        client: clientName(client),
        call: exchange.record?.id,
        arguments: given,
        script,
        offers: offers.filter(isOffered),
        reason: decisionReason(decision),
      },
      { principal: client.principal, owner: client.owner, signal: request.signal },
    );
    if (answer === undefined) {
      exchange.record?.approved('unanswered');
      return { kind: 'deny', reason: noPersonReason(request) };
    }
    return answer.kind === 'allow'
      ? { kind: 'allow', remember: answer.remember }
      : { kind: 'deny', reason: DENIED };
  }
}

/** Clients may work in different projects, so an approval for "here" is not offered. */
function isOffered(remember: Remember): remember is ApprovalView['offers'][number] {
  return remember !== 'always-here';
}

/** Modern clients have no session. */
function offeredChoices({ offers }: ApprovalRequest, { era }: Client): typeof CHOICES {
  return CHOICES.filter(
    ([remember]) =>
      remember === 'once' ||
      (offers.includes(remember) && (remember !== 'session' || era === 'legacy')),
  );
}

/** With another reason, it is another question. */
function subjectOf({ tool: { server, tool }, decision }: ApprovalRequest): string {
  return JSON.stringify([server, tool, decisionReason(decision)]);
}

/** What an approval covers beyond this call: the question, and for a script also its exact code. */
function subjectsFor(remember: Remember, request: ApprovalRequest): readonly string[] {
  const { script } = request;
  if (remember === 'session') return [subjectOf(request)];
  if (remember !== 'script' || script === undefined) return [];
  const digest = createHash('sha256').update(script.code).digest('base64url');
  return [`${digest} ${subjectOf(request)}`];
}

/** Suggests a rule only if there is none: it would not override another rule, or the check of what was read before. */
function noPersonReason({ tool: { server, tool }, decision }: ApprovalRequest): string {
  const reason = decisionReason(decision);
  return decision.because.kind === 'default'
    ? `${reason}, and no person could be asked. To allow it: plugboard permissions ${server}/${tool} --allow`
    : `a person has to be asked first (${reason}), and none could be. The user can be asked at a terminal: plugboard approvals`;
}
