// Approvals of calls, and questions of servers, that the client cannot show to its user. They wait here for a limited time
// while a person watches: in the console or in `plugboard approvals`.

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

/** An approval or a question, without the fields that the desk adds. */
export type DeskItem =
  | Omit<ApprovalView, 'id' | 'at' | 'until'>
  | (Omit<QuestionView, 'id' | 'at' | 'until'> & { readonly question: AskedQuestion });

/** For whom the desk asks, and for how long. */
export interface DeskAsker {
  /** The principal of the call. This principal and administrators may answer. */
  readonly principal: string;
  /** The client's session, or its principal if it has no session. */
  readonly owner: string;
  readonly signal: AbortSignal;
  /** Resolves if the request is fulfilled without an answer: the page was visited. */
  readonly done?: Promise<void>;
}

export interface DeskNews {
  readonly principal: string;
  readonly event: Extract<ConsoleEvent, { readonly kind: 'waiting' | 'answered' }>;
}

export type DeskAnswer =
  | { readonly kind: 'answered' }
  /** It was answered before, or the reader may not see it. */
  | { readonly kind: 'gone' }
  | { readonly kind: 'unfit'; readonly reason: string };

interface PendingItem {
  readonly view: WaitingView;
  readonly principal: string;
  readonly owner: string;
  readonly question: AskedQuestion | undefined;
  readonly settle: (answer?: WaitingAnswer, by?: string) => void;
}

const WAITS_MS = 5 * 60_000;
/** Per principal, so that none can use up the room of others. */
const MOST_OF_PRINCIPAL = 500;
/** Per client, so that other clients of the principal have room. */
const MOST_OF_CLIENT = 100;
const MOST_ANSWERED = 200;

/** Only administrators may allow more than the one call. */
const FOR_OTHERS: ReadonlySet<Remember> = new Set(['script', 'session', 'always', 'always-here']);

export class Desk {
  readonly #clock: Clock;
  readonly #news: Emitter<DeskNews>;
  readonly #waiting = new Map<string, PendingItem>();
  readonly #watching = new Set<Reader>();
  /** Newest first. */
  #answered: readonly (AnsweredView & Pick<PendingItem, 'principal'>)[] = [];

  constructor(clock: Clock, logger: Logger) {
    this.#clock = clock;
    this.#news = new Emitter(listenerErrorLog(logger));
  }

  on(listener: (news: DeskNews) => void): Disposable {
    return this.#news.on(listener);
  }

  /** Pending items that the reader may answer, oldest first. */
  waitingFor(reader: Reader): readonly WaitingView[] {
    return [...this.#waiting.values()]
      .filter((each) => mayRead(reader, each))
      .map(({ view }) => view);
  }

  /** Answered items that the reader may see, newest first. */
  answeredFor(reader: Reader): readonly AnsweredView[] {
    return this.#answered
      .filter((each) => mayRead(reader, each))
      .map(({ principal: _, ...view }) => view);
  }

  /** Registers a person who watches, until disposed. */
  watch(reader: Reader): Disposable {
    const own = { ...reader };
    this.#watching.add(own);
    return { [Symbol.dispose]: () => void this.#watching.delete(own) };
  }

  /** Whether a person watches who may answer for this principal. */
  isWatched(principal: string): boolean {
    return [...this.#watching].some((reader) => mayRead(reader, { principal }));
  }

  /** The answer of a person; `undefined` if nobody watches or answers in time, or if the call is cancelled. */
  ask(item: DeskItem, asker: DeskAsker): Promise<WaitingAnswer | undefined> {
    const { principal, owner, signal, done } = asker;
    if (signal.aborted || !this.#hasRoomFor(asker) || !this.isWatched(principal))
      return Promise.resolve(undefined);
    const { question, ...shown } = 'question' in item ? item : { ...item, question: undefined };
    const since = this.#clock.now();
    const times = { at: since, until: since + WAITS_MS };
    const view = { ...shown, ...times, id: randomUUID() } as WaitingView;
    return new Promise((resolve) => {
      const settle: PendingItem['settle'] = (answer, by) => {
        if (!this.#waiting.delete(view.id)) return;
        limit[Symbol.dispose]();
        signal.removeEventListener('abort', cancel);
        const event = { kind: 'answered', id: view.id, answer: answer?.kind ?? 'gone' } as const;
        const remember = answer?.kind === 'allow' ? answer.remember : undefined;
        const at = this.#clock.now();
        const answered = { waiting: view, answer: event.answer, remember, by, at, principal };
        this.#answered = [answered, ...this.#answered].slice(0, MOST_ANSWERED);
        this.#news.emit({ principal, event });
        resolve(answer);
      };
      const cancel = (): void => settle();
      const limit = this.#clock.after(WAITS_MS, cancel);
      signal.addEventListener('abort', cancel, { once: true });
      this.#waiting.set(view.id, { view, principal, owner, question, settle });
      void done?.then(() => settle({ kind: 'accept' }, principal));
      this.#news.emit({ principal, event: { kind: 'waiting', waiting: view } });
    });
  }

  answer(id: string, answer: WaitingAnswer, reader: Reader): DeskAnswer {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined || !mayRead(reader, waiting)) return { kind: 'gone' };
    const { view, question, settle } = waiting;
    const checked =
      question === undefined
        ? checkApproval(view as ApprovalView, answer, reader)
        : checkQuestion(question, answer);
    if ('reason' in checked) return { kind: 'unfit', reason: checked.reason };
    settle(checked.answer, reader.principal);
    if (checked.answer.kind === 'allow' && checked.answer.remember === 'session') {
      this.#allowOthers(view as ApprovalView, reader);
    }
    return { kind: 'answered' };
  }

  #hasRoomFor({ principal, owner }: DeskAsker): boolean {
    const own = [...this.#waiting.values()].filter((each) => each.principal === principal);
    const ofClient = own.filter((each) => each.owner === owner);
    return own.length < MOST_OF_PRINCIPAL && ofClient.length < MOST_OF_CLIENT;
  }

  /** An approval for the session also answers the calls that already wait for the same one. */
  #allowOthers({ server, tool, reason }: ApprovalView, { principal }: Reader): void {
    for (const { view, settle } of [...this.#waiting.values()]) {
      if (view.kind !== 'approval' || view.server !== server || view.tool !== tool) continue;
      // With another reason, it is another question.
      const isSame = view.reason === reason && view.offers.includes('session');
      if (isSame) settle({ kind: 'allow', remember: 'session' }, principal);
    }
  }

  /** Ends all pending items without an answer. */
  close(): void {
    for (const { settle } of [...this.#waiting.values()]) settle();
  }
}

type CheckedAnswer = { readonly answer: WaitingAnswer } | { readonly reason: string };

function checkApproval({ offers }: ApprovalView, answer: WaitingAnswer, by: Reader): CheckedAnswer {
  if (answer.kind === 'deny') return { answer };
  if (answer.kind !== 'allow') return { reason: 'an approval is answered with allow or deny' };
  if (!offers.includes(answer.remember)) return { reason: `"${answer.remember}" is not offered` };
  if (FOR_OTHERS.has(answer.remember) && !by.isAdministrator) {
    return { reason: 'only an administrator can allow more than this call' };
  }
  return { answer };
}

function checkQuestion(question: AskedQuestion, answer: WaitingAnswer): CheckedAnswer {
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
