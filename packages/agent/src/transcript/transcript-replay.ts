// What the lines of a transcript amount to, read from a file or as they are added: the messages, the turns that can be
// gone back to, and the results that were put into files. Holds state in memory only.

import type { SavedFile } from '@plugboard/host';
import {
  type Message,
  resultsOf,
  type UserMessage,
  wholeConversation,
} from '../conversation/index.ts';

/** The first line of a file. */
export interface TranscriptHead {
  readonly kind: 'session';
  readonly version: 1;
  readonly id: string;
  readonly folder: string;
  readonly model: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** The conversation that this one began as a copy of. */
  readonly forkedFrom?: string;
}

export type TranscriptLine =
  | TranscriptHead
  | { readonly kind: 'message'; readonly message: Message }
  /** These stand for all that was before. */
  | { readonly kind: 'replaced'; readonly messages: readonly Message[] }
  /** The conversation is again as it was before this turn. */
  | { readonly kind: 'rewound'; readonly turn: number };

/** A message of the user, and what came of it. */
export interface TranscriptTurn {
  /** Counts every turn of the transcript, including those that were taken back: no number is used twice. */
  readonly number: number;
  readonly message: UserMessage;
}

interface ReplayedTurn extends TranscriptTurn {
  /** The messages before it: so many of this list, which only grows. */
  readonly list: readonly Message[];
  readonly length: number;
}

export class TranscriptReplay {
  readonly #results = new Map<string, SavedFile>();
  #messages: Message[] = [];
  #turns: readonly ReplayedTurn[] = [];
  #count = 0;

  /** Every call in them has its answer. */
  get messages(): readonly Message[] {
    return wholeConversation(this.#messages);
  }

  get turns(): readonly TranscriptTurn[] {
    return this.#turns.map(({ number, message }) => ({ number, message }));
  }

  /** The number of the last turn that began; 0 before the first. */
  get lastTurn(): number {
    return this.#count;
  }

  /** Of all that was ever said, including of what was replaced since. */
  get results(): readonly SavedFile[] {
    return [...this.#results.values()];
  }

  apply(line: TranscriptLine): void {
    switch (line.kind) {
      case 'session':
        return;
      case 'message':
        this.#add(line.message);
        return;
      case 'replaced':
        this.#keepResults(line.messages);
        this.#messages = [...line.messages];
        return;
      case 'rewound':
        this.#rewind(line.turn);
        return;
      default:
        line satisfies never;
    }
  }

  #add(message: Message): void {
    if (message.kind === 'user') {
      this.#count += 1;
      const at = { list: this.#messages, length: this.#messages.length };
      this.#turns = [...this.#turns, { number: this.#count, message, ...at }];
    }
    this.#keepResults([message]);
    this.#messages.push(message);
  }

  /** Nothing happens for a turn that is not part of the conversation. */
  #rewind(number: number): void {
    const turn = this.#turns.find((one) => one.number === number);
    if (turn === undefined) return;
    this.#messages = turn.list.slice(0, turn.length);
    this.#turns = this.#turns.filter((one) => one.number < number);
  }

  #keepResults(messages: readonly Message[]): void {
    for (const file of resultsOf(messages)) this.#results.set(file.id, file);
  }
}
