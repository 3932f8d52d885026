// Asks the user to approve the calls and reads that no rule decides, through events and answers.

import { randomUUID } from 'node:crypto';
import type { Approval, ApprovalRequest, ReadRequest } from '@plugboard/host';
import { type HostEnvironment, userSettingsFile } from '@plugboard/host/configuration';
import { groundWords } from '../print/decision.ts';
import { shortPath } from '../print/place.ts';
import type { ApprovalAnswer, PendingApproval, ChangePreview, ChatEvent } from './chat.ts';
import { Desk } from './desk.ts';

/** What a call would change, if that is known in advance. */
export type PreviewCall = (request: ApprovalRequest) => Promise<ChangePreview | undefined>;

const CANCELLED: ApprovalAnswer = { kind: 'deny', reason: 'the turn was cancelled' };
/** The asker of a call that no sub-agent makes. */
const MAIN = 'agent';
const YOU = 'you';
/** The asker of calls that the user makes by hand. Random, since models name sub-agents and must not guess it. */
export const PERSON = `${YOU} ${randomUUID()}`;
const ALLOW: Approval = { kind: 'allow' };

export interface OtherRequest extends Pick<
  PendingApproval,
  'server' | 'tool' | 'why' | 'arguments'
> {
  readonly signal: AbortSignal;
}

export class Approvals {
  readonly #desk = new Desk<ApprovalAnswer>('approval-');
  readonly #emit: (event: ChatEvent) => void;
  readonly #from: HostEnvironment;

  /** Paths are shown relative to `from`. */
  constructor(emit: (event: ChatEvent) => void, from: HostEnvironment) {
    this.#emit = emit;
    this.#from = from;
  }

  async approve(request: ApprovalRequest, preview: PreviewCall): Promise<Approval> {
    const { tool, decision, offers, signal } = request;
    if (request.asker === PERSON && decision.because.kind === 'default') return ALLOW;
    const change = await preview(request);
    return this.#ask(signal, {
      server: tool.server,
      tool: tool.tool,
      asker: request.asker === PERSON ? YOU : (request.asker ?? MAIN),
      ...(request.callId === undefined ? {} : { callId: request.callId }),
      ...(request.script === undefined ? {} : { script: request.script }),
      arguments: request.arguments,
      why:
        decision.because.kind === 'flow'
          ? 'of what the conversation has read before, whatever rules allow'
          : groundWords(decision.because, this.#from),
      offers,
      ...(request.rules.length === 0
        ? {}
        : {
            kept: {
              rules: request.rules,
              file: shortPath(userSettingsFile(this.#from), this.#from),
            },
          }),
      ...(decision.because.kind === 'flow' ? { flow: decision.because.concern } : {}),
      ...(request.taken.length === 0 ? {} : { taken: request.taken }),
      ...(change === undefined ? {} : { preview: change }),
    });
  }

  async approveRead({ server, uri, decision, signal }: ReadRequest): Promise<Approval> {
    return this.#ask(signal, {
      server,
      tool: 'read',
      asker: MAIN,
      arguments: { uri },
      why: groundWords(decision.because, this.#from),
      offers: ['once', 'session'],
    });
  }

  /** Any other request of a server. Its approval counts once. */
  approveOther(request: OtherRequest): Promise<ApprovalAnswer> {
    const { signal, ...asked } = request;
    return this.#ask(signal, { ...asked, asker: request.server, offers: ['once'] });
  }

  /** The plan of an agent in plan mode. Approval for longer than once also allows edits of files. */
  async approvePlan(plan: string, signal: AbortSignal): Promise<ApprovalAnswer> {
    return this.#ask(signal, {
      server: '',
      tool: '',
      asker: MAIN,
      arguments: { plan },
      plan,
      why: 'the agent is in plan mode',
      offers: ['once', 'session'],
    });
  }

  answer(id: string, answer: ApprovalAnswer): void {
    this.#desk.answer(id, answer);
  }

  #ask(signal: AbortSignal, asked: Omit<PendingApproval, 'id'>): Promise<ApprovalAnswer> {
    return this.#desk.ask({
      signal,
      unanswered: CANCELLED,
      open: (id) => this.#emit({ kind: 'approval', approval: { ...asked, id } }),
      closed: (id) => this.#emit({ kind: 'closed', id }),
    });
  }
}
