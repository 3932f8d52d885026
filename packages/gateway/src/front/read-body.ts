// The body of a POST, within bounds of size and time.

import type { IncomingMessage } from 'node:http';
import { err, ok, type Result } from '@plugboard/base';
import { HTTP_LIMITS } from './limits.ts';

export type BodyProblem = 'too-large' | 'broken';

export function readBody(request: IncomingMessage): Promise<Result<string, BodyProblem>> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let length = 0;
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length > HTTP_LIMITS.bodyBytes) {
        request.pause();
        resolve(err('too-large'));
        return;
      }
      chunks.push(chunk);
    });
    request.on('end', () => {
      const [only] = chunks;
      const bytes = chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks);
      resolve(ok(bytes.toString('utf8')));
    });
    request.on('error', () => resolve(err('broken')));
    request.on('close', () => resolve(err('broken')));
  });
}
