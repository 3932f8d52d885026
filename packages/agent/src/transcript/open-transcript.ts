// A stored conversation: new messages are appended to its file without secrets, and the messages themselves stay in memory
// unchanged.

import type { SavedFile } from '@plugboard/host';
import type { Message } from '../conversation/index.ts';
import type { FileBefore, FileChange } from '../platform/index.ts';
import type { FileChanges } from './file-changes.ts';
import { toLine } from './read-transcript.ts';
import type { TranscriptLine, TranscriptReplay, TranscriptTurn } from './transcript-replay.ts';
import type { WaitingLines } from './waiting-lines.ts';
import { withoutSecrets } from './without-secrets.ts';

export interface OpenTranscriptParts {
  readonly id: string;
  readonly changedAt: number | undefined;
  readonly replay: TranscriptReplay;
  readonly lines: WaitingLines;
  /** Written before the first line that is added. */
  readonly first: string;
  readonly changes: FileChanges;
}

export class OpenTranscript {
  readonly id: string;
  /** When a resumed transcript was last changed. */
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

  /** The messages as they are stored: without text that looks like a secret. */
  get keptMessages(): readonly Message[] {
    return this.messages.map(withoutSecrets);
  }

  /** The turns that the user can go back to, the oldest first. */
  get turns(): readonly TranscriptTurn[] {
    return this.#parts.replay.turns;
  }

  /** The results that were saved in files, for `host.results.adopt`. */
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
    const stored = messages.map(withoutSecrets);
    this.#write({ kind: 'replaced', messages }, { kind: 'replaced', messages: stored });
  }

  /** Restores the conversation from before this turn. */
  rewind(turn: number): void {
    this.#write({ kind: 'rewound', turn }, { kind: 'rewound', turn });
  }

  /** Records that a tool changed a file in the current turn. */
  changed(change: FileChange): void {
    this.#parts.changes.add(this.#parts.replay.lastTurn, change);
  }

  /** The files that tools changed since this turn, with their contents before it. */
  filesBefore(turn: number): Promise<readonly FileBefore[]> {
    return this.#parts.changes.since(turn);
  }

  /** Resolves when everything is written. */
  async settled(): Promise<void> {
    await this.#parts.lines.settled();
    await this.#parts.changes.settled();
  }

  #write(line: TranscriptLine, stored: TranscriptLine): void {
    this.#parts.replay.apply(line);
    this.#parts.lines.add(`${this.#first}${toLine(stored)}`);
    this.#first = '';
  }
}
