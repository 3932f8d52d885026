// Keeps the texts of results that arrived over HTTP, so that they can be passed on unchanged: our fetch has the text,
// while the SDK delivers a message that it parsed itself. A text is kept together with the result that was parsed from
// it, so that it is never mistaken for that of another message.

import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { BriefMap } from '@plugboard/base';
import type { RequestId } from './failed-answer.ts';
import { MAX_MESSAGE_BYTES } from './limits.ts';

/** A result, and the text of the message that it was read from. */
export interface WrittenResult {
  readonly result: object;
  readonly line: string;
}

export class AnswerTexts {
  #written = new BriefMap<RequestId, WrittenResult>();
  #length = 0;
  #isWanted = false;

  get isWanted(): boolean {
    return this.#isWanted;
  }

  /** Starts to keep texts. */
  want(): void {
    this.#isWanted = true;
  }

  /** Keeps `line`, from which `message` was parsed. */
  note(message: JSONRPCMessage, line: string): void {
    if (!this.#isWanted || !('result' in message)) return;
    const { id, result } = message;
    this.take(id);
    // Texts of messages that the SDK does not deliver are never taken.
    if (this.#length + line.length > MAX_MESSAGE_BYTES) {
      this.#written = new BriefMap();
      this.#length = 0;
    }
    this.#length += line.length;
    this.#written.set(id, { result, line });
  }

  /** Returns the result of the request with its text, if it is kept, and removes it. */
  take(id: RequestId): WrittenResult | undefined {
    const written = this.#written.take(id);
    if (written === undefined) return undefined;
    this.#length -= written.line.length;
    return written;
  }
}
