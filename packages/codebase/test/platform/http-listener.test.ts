import { connect, type Socket } from 'node:net';
import { systemClock } from '@plugboard/base';
import { afterEach, describe, expect, it } from 'vitest';
import { type HttpListener, listenHttp } from '../../src/platform/http-listener.ts';

let listener: HttpListener | undefined;
afterEach(() => listener?.close());

/** The response to a client that sends `text` and then nothing, until it is disconnected. */
function heard(port: number, text: string): Promise<string> {
  return new Promise((resolve) => {
    let answer = '';
    const socket: Socket = connect(port, '127.0.0.1', () => socket.write(text));
    socket.on('data', (piece: Buffer) => (answer += piece.toString('latin1')));
    socket.on('error', () => {
      // Disconnected: what was received until then counts.
    });
    socket.on('close', () => resolve(answer));
  });
}

describe('listening for HTTP', () => {
  it.each([
    ['headers', 'POST / HTTP/1.1\r\nhost: localhost\r\n'],
    ['a body', 'POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 10\r\n\r\nhalf'],
  ])('cuts off a client that does not finish sending %s', async (_, text) => {
    listener = await listenHttp({
      host: '127.0.0.1',
      port: 0,
      clock: systemClock,
      receiveMs: 200,
      onRequest: async (request) => {
        for await (const _piece of request);
      },
    });
    expect(await heard(listener.port, text)).toContain('408');
  });

  it('refuses headers that are too large', async () => {
    listener = await listenHttp({
      host: '127.0.0.1',
      port: 0,
      clock: systemClock,
      onRequest: () => Promise.resolve(),
    });
    const text = `GET / HTTP/1.1\r\nhost: localhost\r\nx: ${'x'.repeat(40_000)}\r\n\r\n`;
    expect(await heard(listener.port, text)).toContain('431');
  });

  it('reports why it cannot listen', async () => {
    const start = {
      host: '127.0.0.1',
      port: 0,
      clock: systemClock,
      onRequest: () => Promise.resolve(),
    };
    listener = await listenHttp(start);
    await expect(listenHttp({ ...start, port: listener.port })).rejects.toMatchObject({
      code: 'not-listening',
    });
  });
});
