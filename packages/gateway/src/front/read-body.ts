// Reads the body of a POST: uncompressed JSON in UTF-8, of bounded size. The server bounds its time. After a refusal the
// connection closes, since the rest of the body is not read.

import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { err, ok, type Result } from '@plugboard/base';
import type { TakeRoom } from './body-room.ts';
import { type Refusal, TOO_MUCH } from './refusal.ts';

export type BodyProblem = 'broken' | Refusal;

const JSON_TYPE = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-?8"?\s*)?$/i;
const NOTHING = Buffer.alloc(0);
const TOO_LARGE = refusal(413, 'The body is too large');
const NOT_JSON = refusal(415, 'The body has to be application/json');
const ENCODED = refusal(415, 'The body may not be compressed');
const NO_ROOM = refusal(503, TOO_MUCH);
const NOT_UTF8 = refusal(400, 'The body has to be UTF-8');

/** `broken` if the client disconnects early. The first chunk is small, so `take` is called only for the others. */
export function readBody(
  request: IncomingMessage,
  maxBytes: number,
  take: TakeRoom = () => true,
): Promise<Result<string, BodyProblem>> {
  const { headers } = request;
  if (!JSON_TYPE.test(headers['content-type'] ?? '')) return Promise.resolve(err(NOT_JSON));
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding.toLowerCase() !== 'identity') return Promise.resolve(err(ENCODED));
  if (Number(headers['content-length'] ?? 0) > maxBytes) return Promise.resolve(err(TOO_LARGE));
  return new Promise((resolve) => {
    let bytes: Buffer = NOTHING;
    let length = 0;
    const stop = (problem: Refusal): void => {
      request.pause();
      bytes = NOTHING;
      resolve(err(problem));
    };
    request.on('data', (chunk: Buffer) => {
      if (length + chunk.length > maxBytes) return stop(TOO_LARGE);
      // Most bodies are one chunk.
      if (length === 0) bytes = chunk;
      else {
        if (!take(chunk.length)) return stop(NO_ROOM);
        bytes = withRoom(bytes, length, chunk.length);
        chunk.copy(bytes, length);
      }
      length += chunk.length;
    });
    request.on('end', () => {
      const whole = bytes.subarray(0, length);
      resolve(isUtf8(whole) ? ok(whole.toString('utf8')) : err(NOT_UTF8));
    });
    request.on('error', () => resolve(err('broken')));
    request.on('close', () => resolve(err('broken')));
  });
}

function refusal(status: number, reason: string): Refusal {
  return { status, reason, headers: { Connection: 'close' } };
}

/** Chunks are copied: a chunk of one byte takes 300 bytes of memory, and a client may send only such chunks. */
function withRoom(bytes: Buffer, length: number, more: number): Buffer {
  if (length + more <= bytes.length) return bytes;
  const grown = Buffer.allocUnsafe(Math.max(2 * length, length + more));
  bytes.copy(grown, 0, 0, length);
  return grown;
}
