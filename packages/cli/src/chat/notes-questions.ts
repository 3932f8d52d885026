// Asks the user whether to use the instructions of a folder, through events and answers.

import type { PendingNotes, ChatEvent, NotesAnswer } from './chat.ts';
import { Desk } from './desk.ts';

export class NotesQuestions {
  readonly #desk = new Desk<NotesAnswer>('notes-');
  readonly #emit: (event: ChatEvent) => void;

  constructor(emit: (event: ChatEvent) => void) {
    this.#emit = emit;
  }

  ask(notes: Omit<PendingNotes, 'id'>, signal: AbortSignal): Promise<NotesAnswer> {
    return this.#desk.ask({
      signal,
      unanswered: 'later',
      open: (id) => this.#emit({ kind: 'notes', notes: { ...notes, id } }),
      closed: (id) => this.#emit({ kind: 'closed', id }),
    });
  }

  answer(id: string, answer: NotesAnswer): void {
    this.#desk.answer(id, answer);
  }
}
