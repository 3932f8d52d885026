// Limits the length and the nesting depth of JSON bodies. A body that breaks off fails with the code of the network error.

import { DepthMeter } from '@plugboard/base';
import { MAX_DEPTH } from '../frame/limits.ts';
import type { AnswerTexts } from '../frame/answer-texts.ts';
import { readFrame } from '../frame/read-frame.ts';
import { UNREADABLE } from '../frame/failed-answer.ts';
import { FailureError } from '../neutral/failure.ts';
import { networkCodeOf } from '../network/network-code.ts';

export function guardJson(
  body: ReadableStream<Uint8Array>,
  options: { readonly limit: number; readonly url: string; readonly texts: AnswerTexts },
): ReadableStream<Uint8Array> {
  const { limit, url, texts } = options;
  const pieces: Uint8Array[] = [];
  const reader = body.getReader();
  const meter = new DepthMeter(MAX_DEPTH);
  let bytes = 0;
  const refusalOf = (piece: Uint8Array): FailureError | undefined => {
    bytes += piece.byteLength;
    if (bytes > limit) return new FailureError({ kind: 'too-large', bytes, limit });
    return meter.isTooDeep(latin1(piece)) ? new FailureError(UNREADABLE) : undefined;
  };
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) {
          if (texts.isWanted) noteBody(Buffer.concat(pieces).toString('utf8').trim(), texts);
          controller.close();
          return;
        }
        const refusal = refusalOf(value);
        if (refusal === undefined) {
          if (texts.isWanted) pieces.push(value);
          controller.enqueue(value);
          return;
        }
        controller.error(refusal);
        await reader.cancel();
      } catch (thrown) {
        const code = networkCodeOf(thrown);
        controller.error(new FailureError({ kind: 'unreachable', url, code }));
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

function noteBody(text: string, texts: AnswerTexts): void {
  const frame = readFrame(text);
  if (frame.kind === 'message') texts.note(frame.message, text);
}

/** Returns the beginning of a body as text; the rest is not fetched. */
export async function headOf(body: ReadableStream<Uint8Array>, maxBytes: number): Promise<string> {
  const reader = body.getReader();
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  try {
    while (bytes < maxBytes) {
      const { done, value } = await reader.read();
      if (done) break;
      pieces.push(value);
      bytes += value.byteLength;
    }
    await reader.cancel();
  } catch {
    // The body broke off; the part before that is used.
  }
  return Buffer.concat(pieces).toString('utf8', 0, maxBytes);
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}
