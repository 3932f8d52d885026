import { codeOf } from '@plugboard/base';
import * as fc from 'fast-check';
import {
  Agent,
  createServer,
  type IncomingMessage,
  request as httpRequest,
  type ServerResponse,
} from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { codePoint } from '../src/code-point.ts';
import { startTcpProxy } from '../src/tcp-proxy.ts';
import { answerBytes } from '../src/tcp-proxy/proxy-answer.ts';
import { RequestSplitter } from '../src/tcp-proxy/request-splitter.ts';
import { waitUntil } from '../src/wait-until.ts';

interface Target extends AsyncDisposable {
  readonly url: string;
  /** The bodies that arrived, in order. */
  readonly received: string[];
}

/** Echoes the request, unless the test answers it. */
async function startTarget(
  answer: (body: string, response: ServerResponse) => void = (body, response) => response.end(body),
): Promise<Target> {
  const received: string[] = [];
  const server = createServer((request, response) => {
    void readAll(request).then((body) => {
      received.push(body);
      answer(body, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp?a=1`,
    received,
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

function unlessWaiting(body: string, response: ServerResponse): void {
  if (body !== 'wait') response.end(body);
}

async function readAll(message: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of message.setEncoding('utf8')) text += chunk as string;
  return text;
}

/** A client that reuses one connection. */
class Client implements Disposable {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });

  post(url: string, body: string): Promise<{ status: number; type?: string; text: string }> {
    return new Promise((resolve, reject) => {
      const headers = { 'content-length': Buffer.byteLength(body) };
      const sent = httpRequest(url, { method: 'POST', agent: this.#agent, headers }, (response) => {
        const { statusCode: status = 0, headers: heard } = response;
        const type = heard['content-type'];
        readAll(response).then(
          (text) => resolve({ status, ...(type === undefined ? {} : { type }), text }),
          reject,
        );
      });
      sent.on('error', reject).end(body);
    });
  }

  /** The response, or the code of the failure. */
  async say(url: string, body: string): Promise<string> {
    try {
      const { status, text } = await this.post(url, body);
      return `${status} ${text}`;
    } catch (thrown) {
      return codeOf(thrown) ?? String(thrown);
    }
  }

  /** Cancels all pending requests. */
  [Symbol.dispose](): void {
    this.#agent.destroy();
  }
}

describe('a TCP proxy', () => {
  it('passes everything, in pieces of any size, and keeps its connections', async () => {
    await using target = await startTarget();
    await using proxy = await startTcpProxy({ target: target.url });
    using client = new Client();
    expect(proxy.url()).toBe(`http://127.0.0.1:${proxy.port}/mcp?a=1`);
    expect(proxy.url('/sse')).toBe(`http://127.0.0.1:${proxy.port}/sse`);
    const large = 'x'.repeat(3_000_000);
    expect(await client.say(proxy.url(), large)).toBe(`200 ${large}`);
    expect(await client.say(proxy.url(), 'again')).toBe('200 again');
    expect(proxy.connections).toBe(1);
  });

  it('accepts a port as its target, and can be closed repeatedly', async () => {
    await using target = await startTarget();
    await using proxy = await startTcpProxy({ target: Number(new URL(target.url).port) });
    using client = new Client();
    expect(await client.say(proxy.url(), 'by port')).toBe('200 by port');
    await proxy.close();
    using later = new Client();
    expect(await later.say(proxy.url(), 'closed')).toBe('ECONNREFUSED');
  });

  it('cuts running calls, refuses others, and serves again afterwards', async () => {
    await using target = await startTarget(unlessWaiting);
    await using proxy = await startTcpProxy({ target: target.url });
    using client = new Client();
    const waiting = client.say(proxy.url(), 'wait');
    await waitUntil(() => target.received.includes('wait'), { describe: 'the call to arrive' });
    proxy.cut();
    expect(await waiting).toBe('ECONNRESET');
    // A connection that ends right after the accept fails in a read or in a write.
    expect(await client.say(proxy.url(), 'refused')).toMatch(/ECONNRESET|EPIPE/);
    expect([proxy.connections, target.received]).toEqual([0, ['wait']]);
    proxy.resume();
    expect(await client.say(proxy.url(), 'back')).toBe('200 back');
  });

  it('resets connections and accepts new ones', async () => {
    await using target = await startTarget(unlessWaiting);
    await using proxy = await startTcpProxy({ target: target.url });
    using client = new Client();
    const waiting = client.say(proxy.url(), 'wait');
    await waitUntil(() => target.received.includes('wait'), { describe: 'the call to arrive' });
    proxy.reset();
    expect(await waiting).toBe('ECONNRESET');
    expect(await client.say(proxy.url(), 'at once')).toBe('200 at once');
  });

  it('delays data until the delay is removed', async () => {
    await using target = await startTarget();
    await using proxy = await startTcpProxy({ target: target.url });
    using client = new Client();
    proxy.delay(40);
    const began = performance.now();
    expect(await client.say(proxy.url(), 'late')).toBe('200 late');
    expect(performance.now() - began).toBeGreaterThanOrEqual(79);
    proxy.delay(60_000);
    const long = client.say(proxy.url(), 'not so late');
    proxy.resume();
    expect(await long).toBe('200 not so late');
  });

  it('stops forwarding, keeps connections, and later delivers the held data', async () => {
    await using target = await startTarget();
    await using proxy = await startTcpProxy({ target: target.url });
    using client = new Client();
    await client.say(proxy.url(), 'first');
    proxy.hold();
    const held = client.say(proxy.url(), 'held');
    {
      using other = new Client();
      void other.say(proxy.url(), 'given up');
      await waitUntil(() => proxy.connections === 2, { describe: 'a new connection' });
    }
    expect(target.received).toEqual(['first']);
    proxy.resume();
    expect(await held).toBe('200 held');
  });

  it('answers the next requests itself, on connections that then continue', async () => {
    await using target = await startTarget();
    await using proxy = await startTcpProxy({ target: target.url });
    using client = new Client();
    await client.say(proxy.url(), 'a');
    proxy.answer(404);
    proxy.answer(502, { times: 2 });
    proxy.answer('empty');
    proxy.answer('html');
    const heard = [];
    for (const body of ['b', 'c', 'd', 'e', 'f']) heard.push(await client.post(proxy.url(), body));
    expect(heard).toEqual([
      { status: 404, type: 'text/plain', text: '404 Not Found\n' },
      { status: 502, type: 'text/plain', text: '502 Bad Gateway\n' },
      { status: 502, type: 'text/plain', text: '502 Bad Gateway\n' },
      { status: 200, text: '' },
      { status: 200, type: 'text/html; charset=utf-8', text: expect.stringContaining('<h1>') },
    ]);
    expect(await client.say(proxy.url(), 'g')).toBe('200 g');
    expect([target.received, proxy.connections]).toEqual([['a', 'g'], 1]);
  });

  it('breaks the connection when the server is not running', async () => {
    const target = await startTarget();
    await target[Symbol.asyncDispose]();
    await using proxy = await startTcpProxy({ target: target.url });
    using client = new Client();
    expect(await client.say(proxy.url(), 'x')).toMatch(/ECONNRESET|EPIPE/);
  });

  it('passes on the half-close of a client, and the data after it', async () => {
    await using target = await startTarget();
    await using proxy = await startTcpProxy({ target: target.url });
    const socket = connect({ port: proxy.port, host: '127.0.0.1', allowHalfOpen: true });
    socket.end('POST / HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: 2\r\n\r\nhi');
    let heard = '';
    for await (const chunk of socket.setEncoding('utf8')) heard += chunk as string;
    expect(heard).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*hi/);
    await waitUntil(() => proxy.connections === 0, { describe: 'the connection to end' });
  });
});

describe('splitting a connection into requests', () => {
  const get = 'GET /mcp HTTP/1.1\r\nHost: x\r\n\r\n';
  const post = (body: string): string =>
    `POST /mcp HTTP/1.1\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

  it('finds the same requests and loses no byte, however the bytes are cut', () => {
    const request = fc.oneof(fc.constant(get), fc.string({ unit: codePoint }).map(post));
    fc.assert(
      fc.property(
        fc.array(request),
        fc.infiniteStream(fc.integer({ min: 1, max: 100 })),
        (all, cuts) => {
          const bytes = Buffer.from(all.join(''));
          const splitter = new RequestSplitter();
          const pieces = [];
          for (let at = 0; at < bytes.length;) {
            const end = at + Number(cuts.next().value);
            pieces.push(...splitter.push(bytes.subarray(at, end)));
            at = end;
          }
          const passed = pieces.flatMap((piece) => (piece.kind === 'end' ? [] : [piece.bytes]));
          expect(Buffer.concat(passed).equals(bytes)).toBe(true);
          const methods = pieces.flatMap((piece) => (piece.kind === 'head' ? [piece.method] : []));
          expect(methods).toEqual(all.map((text) => text.slice(0, text.indexOf(' '))));
          expect(pieces.filter(({ kind }) => kind === 'end')).toHaveLength(all.length);
        },
      ),
    );
  });

  it.each(['Upgrade: websocket', 'Transfer-Encoding: chunked'])(
    'leaves the rest untouched after "%s"',
    (header) => {
      const splitter = new RequestSplitter();
      const head = `GET /ws HTTP/1.1\r\n${header}\r\n\r\n`;
      const pieces = [...splitter.push(Buffer.from(head)), ...splitter.push(Buffer.from(get))];
      expect(pieces).toEqual([
        { kind: 'unframed', bytes: Buffer.from(head) },
        { kind: 'unframed', bytes: Buffer.from(get) },
      ]);
    },
  );

  it('states the correct length of its own answers', () => {
    for (const answer of [404, 599, 'html', 'empty'] as const) {
      const [head = '', body = ''] = answerBytes(answer).split('\r\n\r\n');
      expect(head).toContain(`content-length: ${Buffer.byteLength(body)}`);
    }
  });
});
