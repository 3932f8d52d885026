// The texts of results that came over HTTP, for those who pass them on as they are: our fetch sees the text, and the
// SDK hands over a message of its own making. A text is kept together with the result that was read from it, so that
// no message can be given the text of another.

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

  /** From now on texts are kept. */
  want(): void {
    this.#isWanted = true;
  }

  /** `message` was read from `line`. */
  note(message: JSONRPCMessage, line: string): void {
    if (!this.#isWanted || !('result' in message)) return;
    const { id, result } = message;
    this.take(id);
    // What the SDK does not hand over is never taken.
    if (this.#length + line.length > MAX_MESSAGE_BYTES) {
      this.#written = new BriefMap();
      this.#length = 0;
    }
    this.#length += line.length;
    this.#written.set(id, { result, line });
  }

  /** The result of the request, if its text is known. Once. */
  take(id: RequestId): WrittenResult | undefined {
    const written = this.#written.take(id);
    if (written === undefined) return undefined;
    this.#length -= written.line.length;
    return written;
  }
}
