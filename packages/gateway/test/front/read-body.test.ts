// The memory of a body while it arrives.

import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { verifies, waitUntil } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { readBody } from '../../src/front/read-body.ts';

const MOST = 1024 * 1024;

function incoming(): PassThrough & IncomingMessage {
  const headers = { 'content-type': 'application/json' };
  return Object.assign(new PassThrough(), { headers }) as unknown as PassThrough & IncomingMessage;
}

function collect(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}

describe('a body that arrives in pieces', () => {
  verifies('GWY-01');

  it('is the same text however it is cut', async () => {
    const text = JSON.stringify({ text: 'ä€😀'.repeat(500) });
    const bytes = Buffer.from(text);
    for (const size of [1, 2, 3, 1000, bytes.length]) {
      const request = incoming();
      const read = readBody(request, MOST);
      for (let at = 0; at < bytes.length; at += size) request.write(bytes.subarray(at, at + size));
      request.end();
      expect(await read).toEqual({ ok: true, value: text });
    }
  });

  it('keeps no object for each piece', async () => {
    const request = incoming();
    const read = readBody(request, MOST);
    const pieces: WeakRef<Buffer>[] = [];
    const feed = (): void => {
      for (let index = 0; index < 1000; index += 1) {
        const piece = Buffer.alloc(1, ' ');
        pieces.push(new WeakRef(piece));
        request.write(piece);
      }
    };
    feed();
    await waitUntil(
      async () => {
        await turn();
        collect();
        // The first chunk may be the whole body.
        return pieces.filter((piece) => piece.deref() !== undefined).length <= 1;
      },
      { describe: 'the pieces to be let go' },
    );
    request.end('1');
    expect(await read).toEqual({ ok: true, value: `${' '.repeat(1000)}1` });
  });
});
