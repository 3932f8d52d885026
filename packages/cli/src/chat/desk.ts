// Questions that wait for the user, each with an id. Every question gets exactly one answer: the user's, or `unanswered`
// when its signal aborts.

export interface QuestionOptions<Answer> {
  /** Aborts when the answer is no longer needed. */
  readonly signal: AbortSignal;
  readonly unanswered: Answer;
  readonly open: (id: string) => void;
  readonly closed: (id: string) => void;
}

export class Desk<Answer> {
  readonly #waiting = new Map<string, (answer: Answer) => void>();
  readonly #prefix: string;
  #count = 0;

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  ask({ signal, unanswered, open, closed }: QuestionOptions<Answer>): Promise<Answer> {
    if (signal.aborted) return Promise.resolve(unanswered);
    this.#count += 1;
    const id = `${this.#prefix}${this.#count}`;
    return new Promise((resolve) => {
      const settle = (answer: Answer): void => {
        if (!this.#waiting.delete(id)) return;
        signal.removeEventListener('abort', giveUp);
        closed(id);
        resolve(answer);
      };
      const giveUp = (): void => settle(unanswered);
      this.#waiting.set(id, settle);
      signal.addEventListener('abort', giveUp, { once: true });
      open(id);
    });
  }

  /** Ignores an answer that comes too late. */
  answer(id: string, answer: Answer): void {
    this.#waiting.get(id)?.(answer);
  }
}
