// Handles a server's sampling request in order: budget, check, scan, approve, ask, check, review. The model and
// the user are ports. Tools that the model calls go back to the server in the answer: nothing here can run one.

import { abortable, type Clock, Emitter, type Listener, messageOf } from '@plugboard/base';
import type { ScanFinding } from '../policy/index.ts';
import type { SampledMessage, SamplingAnswer, SamplingRequest } from '../protocol/index.ts';
import {
  type Reservation,
  SamplingBudget,
  type SamplingLimits,
  type SpentLimit,
} from './sampling-budget.ts';
import { problemOfAnswer, problemOfRequest } from './sampling-check.ts';
import type {
  SamplingApproval,
  SamplingEvent,
  SamplingOutcome,
  SamplingPort,
  SamplingReviewed,
} from './sampling-port.ts';
import { promptTokens, scanPrompt } from './sampling-prompt.ts';

export interface SamplingDeskPorts {
  readonly port: SamplingPort;
  readonly clock: Clock;
  readonly onListenerError: (thrown: unknown) => void;
}

export interface ServerSamplingRequest {
  readonly server: string;
  readonly limits: SamplingLimits;
  readonly request: SamplingRequest;
  readonly signal: AbortSignal;
}

interface Account {
  readonly budget: SamplingBudget;
  /** Whether the budget refused the last request: further refusals are not reported. */
  isSpent: boolean;
}

/** A request with a reservation in the budget. */
interface ReservedRequest extends ServerSamplingRequest {
  readonly promptTokens: number;
  readonly findings: readonly ScanFinding[];
  readonly reservation: Reservation;
}

export class SamplingDesk {
  readonly #ports: SamplingDeskPorts;
  readonly #accounts = new Map<string, Account>();
  readonly #events: Emitter<SamplingEvent>;

  constructor(ports: SamplingDeskPorts) {
    this.#ports = ports;
    this.#events = new Emitter(ports.onListenerError);
  }

  /** Reports each request with its outcome. */
  on(listener: Listener<SamplingEvent>): Disposable {
    return this.#events.on(listener);
  }

  /** Never throws. */
  async answer(call: ServerSamplingRequest): Promise<SamplingAnswer> {
    const { server, limits, request } = call;
    const account = this.#accountOf(server);
    const prompt = promptTokens(request);
    const tokens = { promptTokens: prompt, answerTokens: Math.max(1, request.maxTokens) };
    const reserved = account.budget.reserve(tokens, limits);
    if (!reserved.ok) {
      const outcome = { kind: 'budget-spent', ...reserved.error } as const;
      // A server that keeps asking would flood the listeners.
      if (!account.isSpent) this.#report({ ...call, findings: [] }, outcome);
      account.isSpent = true;
      return samplingAnswer(outcome);
    }
    account.isSpent = false;
    const findings = scanPrompt(request);
    const reservation = reserved.value;
    return samplingAnswer(
      await this.#process({ ...call, promptTokens: prompt, findings, reservation }),
    );
  }

  async #process(call: ReservedRequest): Promise<SamplingOutcome> {
    const { request, reservation, signal, server } = call;
    const problem = problemOfRequest(request);
    if (problem !== undefined) {
      reservation.settle(0);
      return this.#report(call, { kind: 'invalid', problem });
    }
    const capped = { ...request, maxTokens: reservation.answerTokens };
    const approval = await this.#approval({ ...call, request: capped });
    if (approval.kind === 'deny') {
      reservation.settle(0);
      return this.#report(call, { kind: 'denied', reason: approval.reason });
    }
    const asked = withinReservation(approval.request ?? capped, reservation);
    const sampled = await this.#sample(asked, call);
    if (sampled.kind === 'failed') return this.#report({ ...call, request: asked }, sampled);
    const review = { server, request: asked, message: sampled.message, signal };
    const reviewed = await this.#review(review);
    return this.#report(
      { ...call, request: asked },
      reviewed.kind === 'deny'
        ? { kind: 'denied', reason: reviewed.reason }
        : { kind: 'answered', message: reviewed.message ?? sampled.message },
    );
  }

  async #approval(call: ReservedRequest): Promise<SamplingApproval> {
    const { port } = this.#ports;
    if (port.approve === undefined)
      return { kind: 'deny', reason: 'there is no terminal to ask at' };
    const { server, request, findings, promptTokens: tokens, signal } = call;
    const asked = { server, request, findings, promptTokens: tokens, signal };
    try {
      return await abortable(Promise.resolve(port.approve(asked)), signal);
    } catch (thrown) {
      // A failed approval is a refusal.
      return { kind: 'deny', reason: signal.aborted ? 'it was given up' : messageOf(thrown) };
    }
  }

  async #sample(
    request: SamplingRequest,
    { server, reservation, signal }: ReservedRequest,
  ): Promise<
    | { readonly kind: 'sampled'; readonly message: SampledMessage }
    | { readonly kind: 'failed'; readonly problem: string }
  > {
    try {
      const sampled = await abortable(this.#ports.port.sample(request, { server, signal }), signal);
      const { tokens, ...message } = sampled;
      if (tokens !== undefined) reservation.settle(tokens);
      const problem = problemOfAnswer(message, request);
      if (problem === undefined) return { kind: 'sampled', message };
      return { kind: 'failed', problem: `the model ${problem}` };
    } catch (thrown) {
      return { kind: 'failed', problem: signal.aborted ? 'it was given up' : messageOf(thrown) };
    }
  }

  async #review(
    review: Parameters<NonNullable<SamplingPort['review']>>[0],
  ): Promise<SamplingReviewed> {
    const { port } = this.#ports;
    if (port.review === undefined) return { kind: 'allow' };
    try {
      return await abortable(Promise.resolve(port.review(review)), review.signal);
    } catch (thrown) {
      return { kind: 'deny', reason: messageOf(thrown) };
    }
  }

  #accountOf(server: string): Account {
    const known = this.#accounts.get(server);
    if (known !== undefined) return known;
    const account = { budget: new SamplingBudget(this.#ports.clock), isSpent: false };
    this.#accounts.set(server, account);
    return account;
  }

  #report(
    { server, request, findings }: Pick<ReservedRequest, 'server' | 'request' | 'findings'>,
    outcome: SamplingOutcome,
  ): SamplingOutcome {
    this.#events.emit({ kind: 'sampling', server, request, findings, outcome });
    return outcome;
  }
}

/** Limits the answer of a changed request to the reservation. */
function withinReservation(
  request: SamplingRequest,
  { answerTokens }: Reservation,
): SamplingRequest {
  return { ...request, maxTokens: Math.min(request.maxTokens, answerTokens) };
}

/** The answer to the server, without the reasons of the user or the failure of the model. */
function samplingAnswer(outcome: SamplingOutcome): SamplingAnswer {
  switch (outcome.kind) {
    case 'answered':
      return { kind: 'message', message: outcome.message };
    case 'denied':
      return refused('rejected', 'User rejected sampling request');
    case 'invalid':
      return refused('invalid', outcome.problem);
    case 'failed':
      return refused('failed', 'The model could not be asked');
    case 'budget-spent':
      return refused('rejected', spentWords(outcome));
    default:
      return outcome satisfies never;
  }
}

function refused(why: 'rejected' | 'invalid' | 'failed', message: string): SamplingAnswer {
  return { kind: 'refused', why, message };
}

const SPENT: Readonly<Record<SpentLimit['limit'], string>> = {
  maxRequests: 'requests',
  maxRequestsPerMinute: 'requests a minute',
  maxTokens: 'tokens',
  maxTokensPerMinute: 'tokens a minute',
};

function spentWords({ limit, most }: SpentLimit): string {
  return `Sampling budget spent: at most ${most} ${SPENT[limit]}`;
}
