import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { Scope } from '@plugboard/base';
import { verifies } from '@plugboard/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { attackedGateway } from './attacked-gateway.ts';
import { initialize, JSON_HEADERS, send, sendBytes } from './raw-http.ts';

let scope: Scope;
beforeEach(() => {
  scope = new Scope();
});
afterEach(() => scope.close());

const HEAD = 'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n';
const PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}';

describe('the body of a request', () => {
  verifies('GWY-01');

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json-patch+json',
    'application/json; charset=utf-16',
    'text/plain; a=application/json',
    '',
  ])('of the type %j are refused', async (type) => {
    const { url } = await attackedGateway(scope);
    const headers = { ...JSON_HEADERS, 'Content-Type': type };
    expect((await send(url, { headers, body: PING })).status).toBe(415);
  });

  it.each([
    'application/json',
    'Application/JSON; charset=UTF-8',
    'application/json;charset="utf-8"',
  ])('of the type %j are read', async (type) => {
    const { url } = await attackedGateway(scope);
    expect((await initialize(url, { 'Content-Type': type })).status).toBe(200);
  });

  it('is refused if it is compressed, however small', async () => {
    const { url } = await attackedGateway(scope);
    const body = gzipSync(`${' '.repeat(10_000_000)}${PING}`);
    const headers = { ...JSON_HEADERS, 'Content-Encoding': 'gzip' };
    expect((await send(url, { headers, body })).status).toBe(415);
  });

  it('is refused if it is not UTF-8', async () => {
    const { url } = await attackedGateway(scope);
    const body = Buffer.from('{"jsonrpc":"2.0","id":1,"method":"pin\xff"}', 'latin1');
    const { status, text } = await send(url, { headers: JSON_HEADERS, body });
    expect([status, text.includes('UTF-8')]).toEqual([400, true]);
  });

  it('is refused by its declared length before it is sent', async () => {
    const { url } = await attackedGateway(scope);
    const text = await sendBytes(url, `${HEAD}Content-Length: 1000000000000\r\n\r\n`);
    expect(text.split('\r\n')[0]).toBe('HTTP/1.1 413 Payload Too Large');
  });

  it('is refused once it is too large, if it has no declared length', async () => {
    const { url } = await attackedGateway(scope, { address: { limits: { bodyBytes: 100_000 } } });
    const chunk = `${(50_000).toString(16)}\r\n${' '.repeat(50_000)}\r\n`;
    const head = `${HEAD}Transfer-Encoding: chunked\r\n\r\n`;
    const text = await sendBytes(url, head, chunk, chunk, chunk);
    expect(text.split('\r\n')[0]).toBe('HTTP/1.1 413 Payload Too Large');
  });

  it('is cut off if it, or its head, takes too long', async () => {
    const { url } = await attackedGateway(scope, { address: { limits: { requestMs: 200 } } });
    const slow = [
      `${HEAD}Content-Length: 100\r\n\r\n{"jsonrpc"`,
      `${HEAD}Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n`,
      'POST /mcp HTTP/1.1\r\nHost: loc',
    ];
    const start = performance.now();
    const answers = await Promise.all(slow.map((part) => sendBytes(url, part)));
    // By default, Node checks for them every 30 s.
    expect(performance.now() - start).toBeLessThan(20_000);
    expect(answers.map((text) => text.split('\r\n')[0])).toEqual(
      slow.map(() => 'HTTP/1.1 408 Request Timeout'),
    );
  });

  it('is not read if it has two lengths, or a length and chunks', async () => {
    const { url } = await attackedGateway(scope);
    const heads = [
      `${HEAD}Content-Length: 2\r\nContent-Length: 40\r\n\r\n${PING}`,
      `${HEAD}Content-Length: 40\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${PING}`,
    ];
    const answers = await Promise.all(heads.map((head) => sendBytes(url, head)));
    expect(answers.map((text) => text.split('\r\n')[0])).toEqual(
      heads.map(() => 'HTTP/1.1 400 Bad Request'),
    );
  });

  it('takes bounded room of its own token only while it is incomplete', async () => {
    const tokens = new Map([
      ['token-of-mallory', 'mallory'],
      ['token-of-bob-kahn', 'bob'],
    ]);
    const limits = { bodiesBytes: 1_000_000 };
    const { url } = await attackedGateway(scope, { address: { tokens, limits } });
    const { hostname, port } = new URL(url);
    const head = `${HEAD}Authorization: Bearer token-of-mallory\r\nContent-Length: 900000\r\n\r\n`;
    let held: Socket | undefined;
    const hold = async (): Promise<void> => {
      held?.destroy();
      held = connect(Number(port), hostname);
      held.on('error', () => {});
      held.write(head);
      await once(held, 'connect');
      held.write(' '.repeat(899_000));
    };
    const large = async (token: string): Promise<number> => {
      const headers = { ...JSON_HEADERS, Authorization: `Bearer ${token}` };
      return (await send(url, { headers, body: `${' '.repeat(600_000)}${PING}` })).status;
    };
    // The error about the missing session shows that the body was read. Where it is read before the held one, that one is
    // refused instead.
    const second = async (): Promise<number> => {
      await hold();
      return large('token-of-mallory');
    };
    await expect.poll(second).toBe(503);
    expect(await large('token-of-bob-kahn')).toBe(400);
    held?.destroy();
    await expect.poll(() => large('token-of-mallory')).toBe(400);
  });

  it('leaves nothing behind if the client disconnects before its end', async () => {
    const { url } = await attackedGateway(scope);
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    socket.end(`${HEAD}Content-Length: 100\r\n\r\n{"jsonrpc"`);
    socket.resume();
    await once(socket, 'close');
    expect((await initialize(url)).status).toBe(200);
  });
});
