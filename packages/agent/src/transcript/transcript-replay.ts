// The state that results from the lines of a transcript, read from a file or added one by one: the messages, the turns that
// the user can go back to, and the results that were saved in files. In memory only.

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
  /** The conversation that this one is a copy of. */
  readonly forkedFrom?: string;
}

export type TranscriptLine =
  | TranscriptHead
  | { readonly kind: 'message'; readonly message: Message }
  /** Replaces all messages before it. */
  | { readonly kind: 'replaced'; readonly messages: readonly Message[] }
  /** Restores the conversation from before this turn. */
  | { readonly kind: 'rewound'; readonly turn: number };

/** A turn, with the message of the user that started it. */
export interface TranscriptTurn {
  /** Counts every turn of the transcript, including rewound ones, so each number is unique. */
  readonly number: number;
  readonly message: UserMessage;
}

interface ReplayedTurn extends TranscriptTurn {
  /** The messages before it are the first `length` of this list, which only grows. */
  readonly list: readonly Message[];
  readonly length: number;
}

export class TranscriptReplay {
  readonly #results = new Map<string, SavedFile>();
  #messages: Message[] = [];
  #turns: readonly ReplayedTurn[] = [];
  #count = 0;

  /** A valid conversation, in which every call has an answer. */
  get messages(): readonly Message[] {
    return wholeConversation(this.#messages);
  }

  get turns(): readonly TranscriptTurn[] {
    return this.#turns.map(({ number, message }) => ({ number, message }));
  }

  /** The number of the latest turn; 0 before the first. */
  get lastTurn(): number {
    return this.#count;
  }

  /** The saved results of all messages, including replaced ones. */
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
        this.#addResults(line.messages);
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
    this.#addResults([message]);
    this.#messages.push(message);
  }

  /** Ignores a turn that is not part of the conversation. */
  #rewind(number: number): void {
    const turn = this.#turns.find((one) => one.number === number);
    if (turn === undefined) return;
    this.#messages = turn.list.slice(0, turn.length);
    this.#turns = this.#turns.filter((one) => one.number < number);
  }

  #addResults(messages: readonly Message[]): void {
    for (const file of resultsOf(messages)) this.#results.set(file.id, file);
  }
}
