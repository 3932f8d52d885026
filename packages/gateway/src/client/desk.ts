// Approvals of calls, and questions of servers, that the client cannot show to its user. They wait here, for a limited
// time, while someone watches: in the console or in `plugboard approvals`.

import { randomUUID } from 'node:crypto';
import { checkAnswer, type Clock, Emitter, type Logger } from '@plugboard/base';
import type { Remember } from '@plugboard/host';
import type { AskedQuestion } from '@plugboard/host/relay';
import type {
  AnsweredView,
  ApprovalView,
  ConsoleEvent,
  QuestionView,
  WaitingAnswer,
  WaitingView,
} from '../console-api.ts';
import { mayRead, type Reader } from './reader.ts';
import { listenerErrorLog } from './trouble-log.ts';

/** What can wait at the desk, without what the desk says of it. */
export type Wish =
  | Omit<ApprovalView, 'id' | 'at' | 'until'>
  | (Omit<QuestionView, 'id' | 'at' | 'until'> & { readonly question: AskedQuestion });

export interface Wait {
  /** The principal whose call it is, who may answer; so may administrators. */
  readonly principal: string;
  /** Of the client: its session, or its principal. */
  readonly owner: string;
  readonly signal: AbortSignal;
  /** Resolves when what is asked for has come to pass without an answer: a page was visited. */
  readonly done?: Promise<void>;
}

export interface DeskNews {
  readonly principal: string;
  readonly event: Extract<ConsoleEvent, { readonly kind: 'waiting' | 'answered' }>;
}

export type Answered =
  | { readonly kind: 'answered' }
  /** It was answered before, or is not theirs. */
  | { readonly kind: 'gone' }
  | { readonly kind: 'unfit'; readonly reason: string };

interface Waiting {
  readonly view: WaitingView;
  readonly principal: string;
  readonly owner: string;
  readonly question: AskedQuestion | undefined;
  readonly settle: (answer?: WaitingAnswer, by?: string) => void;
}

const WAITS_MS = 5 * 60_000;
/** Of one principal, which takes nothing from others. */
const MOST_OF_PRINCIPAL = 500;
/** A client that has so many wait leaves room for others of its principal. */
const MOST_OF_CLIENT = 100;
const MOST_ANSWERED = 200;

/** Only the user who runs the gateway decides whether it counts beyond this call. */
const FOR_OTHERS: ReadonlySet<Remember> = new Set(['script', 'session', 'always', 'always-here']);

export class Desk {
  readonly #clock: Clock;
  readonly #news: Emitter<DeskNews>;
  readonly #waiting = new Map<string, Waiting>();
  readonly #watching = new Set<Reader>();
  /** Newest first. */
  #answered: readonly (AnsweredView & Pick<Waiting, 'principal'>)[] = [];

  constructor(clock: Clock, logger: Logger) {
    this.#clock = clock;
    this.#news = new Emitter(listenerErrorLog(logger));
  }

  on(listener: (news: DeskNews) => void): Disposable {
    return this.#news.on(listener);
  }

  /** What waits that this one may answer, the oldest first. */
  waitingFor(reader: Reader): readonly WaitingView[] {
    return [...this.#waiting.values()]
      .filter((each) => mayRead(reader, each))
      .map(({ view }) => view);
  }

  /** What waited before and was this one's to answer, newest first. */
  answeredFor(reader: Reader): readonly AnsweredView[] {
    return this.#answered
      .filter((each) => mayRead(reader, each))
      .map(({ principal: _, ...view }) => view);
  }

  /** A person looks, until disposed. */
  watch(reader: Reader): Disposable {
    const own = { ...reader };
    this.#watching.add(own);
    return { [Symbol.dispose]: () => void this.#watching.delete(own) };
  }

  /** Whether a person looks who may answer for this principal. */
  isWatched(principal: string): boolean {
    return [...this.#watching].some((reader) => mayRead(reader, { principal }));
  }

  /** A person's answer. None if no person looks, in time or at all, or the call is given up. */
  ask(wish: Wish, wait: Wait): Promise<WaitingAnswer | undefined> {
    const { principal, owner, signal, done } = wait;
    if (signal.aborted || !this.#hasRoom(wait) || !this.isWatched(principal))
      return Promise.resolve(undefined);
    const { question, ...shown } = 'question' in wish ? wish : { ...wish, question: undefined };
    const since = this.#clock.now();
    const times = { at: since, until: since + WAITS_MS };
    const view = { ...shown, ...times, id: randomUUID() } as WaitingView;
    return new Promise((resolve) => {
      const settle: Waiting['settle'] = (answer, by) => {
        if (!this.#waiting.delete(view.id)) return;
        limit[Symbol.dispose]();
        signal.removeEventListener('abort', giveUp);
        const event = { kind: 'answered', id: view.id, answer: answer?.kind ?? 'gone' } as const;
        const remember = answer?.kind === 'allow' ? answer.remember : undefined;
        const at = this.#clock.now();
        const answered = { waiting: view, answer: event.answer, remember, by, at, principal };
        this.#answered = [answered, ...this.#answered].slice(0, MOST_ANSWERED);
        this.#news.emit({ principal, event });
        resolve(answer);
      };
      const giveUp = (): void => settle();
      const limit = this.#clock.after(WAITS_MS, giveUp);
      signal.addEventListener('abort', giveUp, { once: true });
      this.#waiting.set(view.id, { view, principal, owner, question, settle });
      void done?.then(() => settle({ kind: 'accept' }, principal));
      this.#news.emit({ principal, event: { kind: 'waiting', waiting: view } });
    });
  }

  answer(id: string, answer: WaitingAnswer, reader: Reader): Answered {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined || !mayRead(reader, waiting)) return { kind: 'gone' };
    const { view, question, settle } = waiting;
    const fit =
      question === undefined
        ? approvalAnswer(view as ApprovalView, answer, reader)
        : questionAnswer(question, answer);
    if ('reason' in fit) return { kind: 'unfit', reason: fit.reason };
    settle(fit.answer, reader.principal);
    if (fit.answer.kind === 'allow' && fit.answer.remember === 'session') {
      this.#allowOthers(view as ApprovalView, reader);
    }
    return { kind: 'answered' };
  }

  #hasRoom({ principal, owner }: Wait): boolean {
    const own = [...this.#waiting.values()].filter((each) => each.principal === principal);
    const ofClient = own.filter((each) => each.owner === owner);
    return own.length < MOST_OF_PRINCIPAL && ofClient.length < MOST_OF_CLIENT;
  }

  /** What was allowed for the session is not asked about again: not for calls that already wait, either. */
  #allowOthers({ server, tool, reason }: ApprovalView, { principal }: Reader): void {
    for (const { view, settle } of [...this.#waiting.values()]) {
      if (view.kind !== 'approval' || view.server !== server || view.tool !== tool) continue;
      // Asked for another reason, it is another question.
      const isSame = view.reason === reason && view.offers.includes('session');
      if (isSame) settle({ kind: 'allow', remember: 'session' }, principal);
    }
  }

  /** Nothing waits any more. */
  close(): void {
    for (const { settle } of [...this.#waiting.values()]) settle();
  }
}

type Fit = { readonly answer: WaitingAnswer } | { readonly reason: string };

function approvalAnswer({ offers }: ApprovalView, answer: WaitingAnswer, by: Reader): Fit {
  if (answer.kind === 'deny') return { answer };
  if (answer.kind !== 'allow') return { reason: 'an approval is answered with allow or deny' };
  if (!offers.includes(answer.remember)) return { reason: `"${answer.remember}" is not offered` };
  if (FOR_OTHERS.has(answer.remember) && !by.isAdministrator) {
    return { reason: 'only an administrator can allow more than this call' };
  }
  return { answer };
}

function questionAnswer(question: AskedQuestion, answer: WaitingAnswer): Fit {
  if (answer.kind === 'decline' || answer.kind === 'cancel') return { answer };
  if (answer.kind !== 'accept') {
    return { reason: 'a question is answered with accept, decline or cancel' };
  }
  if (question.kind === 'url') return { answer: { kind: 'accept' } };
  const content = checkAnswer(question.fields, answer.content ?? {});
  if (content.ok) return { answer: { kind: 'accept', content: content.value } };
  const fields = content.error.map(({ field, problem }) => `${field}: ${problem.kind}`);
  return { reason: `the form does not take this (${fields.join(', ')})` };
}
