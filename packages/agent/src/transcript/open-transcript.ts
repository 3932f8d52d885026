// A conversation that is kept from now on: what is said is added to its file without secrets, and what it amounts to is
// held in memory as it was said.

import type { SavedFile } from '@plugboard/host';
import type { Message } from '../conversation/index.ts';
import type { FileBefore, FileChange, FileChanges } from './file-changes.ts';
import { toLine } from './read-transcript.ts';
import type { TranscriptLine, TranscriptReplay, TranscriptTurn } from './transcript-replay.ts';
import type { WaitingLines } from './waiting-lines.ts';
import { withoutSecrets } from './without-secrets.ts';

export interface OpenTranscriptParts {
  readonly id: string;
  readonly changedAt: number | undefined;
  readonly replay: TranscriptReplay;
  readonly lines: WaitingLines;
  /** What stands before the first line that is added. */
  readonly first: string;
  readonly changes: FileChanges;
}

export class OpenTranscript {
  readonly id: string;
  /** When it was last added to, of one that is resumed. */
  readonly changedAt: number | undefined;
  readonly #parts: OpenTranscriptParts;
  #first: string;

  constructor(parts: OpenTranscriptParts) {
    this.id = parts.id;
    this.changedAt = parts.changedAt;
    this.#parts = parts;
    this.#first = parts.first;
  }

  get messages(): readonly Message[] {
    return this.#parts.replay.messages;
  }

  /** As they are kept: without what looks like a secret. */
  get keptMessages(): readonly Message[] {
    return this.messages.map(withoutSecrets);
  }

  /** Those that can be gone back to, the oldest first. */
  get turns(): readonly TranscriptTurn[] {
    return this.#parts.replay.turns;
  }

  /** The results that were put into files, for `host.results.adopt`. */
  get results(): readonly SavedFile[] {
    return this.#parts.replay.results;
  }

  add(message: Message): void {
    this.#write(
      { kind: 'message', message },
      { kind: 'message', message: withoutSecrets(message) },
    );
  }

  replace(messages: readonly Message[]): void {
    const kept = messages.map(withoutSecrets);
    this.#write({ kind: 'replaced', messages }, { kind: 'replaced', messages: kept });
  }

  /** Goes back to how the conversation was before this turn. */
  rewind(turn: number): void {
    this.#write({ kind: 'rewound', turn }, { kind: 'rewound', turn });
  }

  /** A tool has changed a file in the turn that runs. */
  changed(change: FileChange): void {
    this.#parts.changes.add(this.#parts.replay.lastTurn, change);
  }

  /** What files were before this turn, of those that tools changed since. */
  filesBefore(turn: number): Promise<readonly FileBefore[]> {
    return this.#parts.changes.since(turn);
  }

  /** When all of it is written. */
  async settled(): Promise<void> {
    await this.#parts.lines.settled();
    await this.#parts.changes.settled();
  }

  #write(said: TranscriptLine, kept: TranscriptLine): void {
    this.#parts.replay.apply(said);
    this.#parts.lines.add(`${this.#first}${toLine(kept)}`);
    this.#first = '';
  }
}
