// Takes servers' questions to the user and back: limited per server, one question at a time, checked and
// sanitized before the user sees it, and answered only with what the question asked for. Each server has its
// own port, so none can ask in another's name. The surface decides how the user is asked.

import {
  abortable,
  checkAnswer,
  type Clock,
  err,
  type Logger,
  messageOf,
  ok,
  type Result,
  Semaphore,
} from '@plugboard/base';
import type { Answer, InboundPort, Question } from '../protocol/index.ts';
import type { DeclinedQuestion, DeclineReason, Elicit, ElicitationAnswer } from './elicitation.ts';
import { QuestionBrake } from './question-brake.ts';
import { type AskedQuestion, readQuestion } from './read-question.ts';
import { shownLine } from './shown-text.ts';

const LINE_LENGTH = 200;

export interface QuestionDeskOptions {
  /** Without it questions are not supported. */
  readonly elicit: Elicit | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** A question of a server, and the answer to it. */
export interface AnsweredQuestion {
  readonly server: string;
  readonly question: Question;
  readonly answer: Answer;
}

/** Lets the host review answers, and reports declined questions. */
export interface QuestionReviewer {
  /** Returns the answer to send, or the reason why it is blocked. */
  review(answered: AnsweredQuestion, signal: AbortSignal): Promise<Result<Answer, string>>;
  onDeclined(declined: DeclinedQuestion): void;
}

export class QuestionDesk {
  readonly #options: QuestionDeskOptions;
  /** The user reads one question at a time. */
  readonly #screen = new Semaphore(1);
  readonly #brakes = new Map<string, QuestionBrake>();
  #host: QuestionReviewer | undefined;

  constructor(options: QuestionDeskOptions) {
    this.#options = options;
  }

  attach(host: QuestionReviewer): void {
    this.#host = host;
  }

  /** The port for one server. Its sessions share one limit. */
  of(server: string): InboundPort {
    const { elicit, clock } = this.#options;
    if (elicit === undefined) return {};
    const brake = this.#brakes.get(server) ?? new QuestionBrake(clock);
    this.#brakes.set(server, brake);
    return {
      elicit: async (question, signals) => {
        const decline = (reason: DeclineReason): Answer => this.#decline(server, question, reason);
        const passes = brake.count();
        if (passes === 'silent') return DECLINE;
        if (passes === 'silenced') return decline({ kind: 'too-many' });
        const asked = readQuestion(question, signals);
        if (!asked.ok) return decline(asked.error);
        const given = await this.#ask(elicit, { server, asked: asked.value }, signals.signal);
        if (!given.ok) return decline(given.error);
        const answer = await this.#review({ server, question }, asked.value, {
          given: given.value,
          signal: signals.signal,
        });
        return answer.ok ? answer.value : decline(answer.error);
      },
    };
  }

  async #ask(
    elicit: Elicit,
    { server, asked }: { readonly server: string; readonly asked: AskedQuestion },
    signal: AbortSignal,
  ): Promise<Result<ElicitationAnswer, DeclineReason>> {
    try {
      return ok(
        await this.#screen.run(signal, () =>
          abortable(elicit({ server, question: asked, signal }), signal),
        ),
      );
    } catch (thrown) {
      if (signal.aborted) return ok(CANCEL);
      const detail = messageOf(thrown);
      this.#options.logger.log('error', 'a question could not be asked', {
        server,
        reason: detail,
      });
      return err({ kind: 'failed', detail });
    }
  }

  /** Checks an answer, has hooks review it, and checks it again if they changed it. */
  async #review(
    about: { readonly server: string; readonly question: Question },
    asked: AskedQuestion,
    { given, signal }: { readonly given: ElicitationAnswer; readonly signal: AbortSignal },
  ): Promise<Result<Answer, DeclineReason>> {
    const answer = checkedAnswer(asked, given);
    if (!answer.ok) return answer;
    const reviewed =
      this.#host === undefined
        ? ok(answer.value)
        : await this.#host.review({ ...about, answer: answer.value }, signal);
    if (signal.aborted) return ok(CANCEL);
    if (!reviewed.ok) return err({ kind: 'hook', detail: reviewed.error });
    if (reviewed.value === answer.value) {
      const isDecided = given.kind !== 'decline' || given.because === undefined;
      return isDecided ? answer : err({ kind: 'nobody-to-ask' });
    }
    // Only the user may agree to visit a page.
    if (asked.kind === 'url' && given.kind !== 'accept' && reviewed.value.kind === 'accept') {
      return err({ kind: 'hook', detail: 'accepted a page in place of the person' });
    }
    return checkedAnswer(asked, reviewed.value);
  }

  #decline(server: string, { kind, message }: Question, reason: DeclineReason): Answer {
    const shown = shownLine(message, LINE_LENGTH);
    this.#host?.onDeclined({ server, question: kind, message: shown, reason });
    return DECLINE;
  }
}

const DECLINE: Answer = { kind: 'decline' };
const CANCEL: Answer & ElicitationAnswer = { kind: 'cancel' };

/** The answer with only what the question asked for. */
function checkedAnswer(
  asked: AskedQuestion,
  given: ElicitationAnswer,
): Result<Answer, DeclineReason> {
  if (given.kind !== 'accept') return ok({ kind: given.kind });
  if (asked.kind === 'url') return ok({ kind: 'accept', content: {} });
  const content = checkAnswer(asked.fields, given.content ?? {});
  return content.ok
    ? ok({ kind: 'accept', content: content.value })
    : err({ kind: 'invalid-answer', issues: content.error });
}
