// Passes the questions of servers to the user, through events and answers. The code that assembles the chat opens the page
// that the user agrees to visit.

import type { AskedForm, AskedPage, ElicitationAnswer, ElicitationRequest } from '@plugboard/host';
import type { ChatEvent, Notice } from './chat.ts';
import { Desk } from './desk.ts';

/** Opens a page in the user's browser. Returns a notice about the outcome. */
export type OpenPage = (page: AskedPage) => Promise<Notice>;

export class Questions {
  readonly #desk = new Desk<ElicitationAnswer>('question-');
  readonly #emit: (event: ChatEvent) => void;

  constructor(emit: (event: ChatEvent) => void) {
    this.#emit = emit;
  }

  async elicit(request: ElicitationRequest, openPage: OpenPage): Promise<ElicitationAnswer> {
    const answer = await this.#ask(request);
    const { question } = request;
    if (question.kind === 'form' || answer.kind !== 'accept') return answer;
    this.#emit({ kind: 'notice', notice: await openPage(question) });
    return question.waitsFor === 'consent' ? answer : this.#untilDone(request, question);
  }

  answer(id: string, answer: ElicitationAnswer): void {
    this.#desk.answer(id, answer);
  }

  /** Not every server reports that the user is done on its page, so the user can report it too. */
  async #untilDone(
    { server, signal }: ElicitationRequest,
    { finished }: AskedPage,
  ): Promise<ElicitationAnswer> {
    const done = await this.#ask({
      server,
      question: DONE_THERE,
      signal: AbortSignal.any([signal, finished]),
    });
    return finished.aborted || done.kind === 'accept' ? { kind: 'accept' } : done;
  }

  #ask(request: ElicitationRequest): Promise<ElicitationAnswer> {
    return this.#desk.ask({
      signal: request.signal,
      unanswered: { kind: 'cancel' },
      open: (id) => this.#emit({ kind: 'question', id, request }),
      closed: (id) => this.#emit({ kind: 'closed', id }),
    });
  }
}

const DONE_THERE: AskedForm = {
  kind: 'form',
  message: 'Are you done on the page? The call goes on once you are.',
  fields: [],
  soundsSecret: false,
};
