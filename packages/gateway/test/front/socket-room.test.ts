// The room that messages of one token take over WebSocket and HTTP together.

import { EventEmitter, once } from 'node:events';
import { Scope } from '@plugboard/base';
import { verifies } from '@plugboard/testkit';
import { WebSocket } from 'ws';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { attackedGateway } from '../attacks/attacked-gateway.ts';
import { JSON_HEADERS, send } from '../attacks/raw-http.ts';
import { serverOf } from '../cells.ts';

const PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
const MALLORY = 'token-of-mallory';
const BOB = 'token-of-bob-kahn';
const FULL = [
  1013,
  'Too much of this token is being worked on. Wait for an answer, or send less at a time.',
];

let scope: Scope;
beforeEach(() => {
  scope = new Scope();
});
afterEach(() => scope.close());

function spaces(count: number): string {
  return ' '.repeat(count);
}

async function roomFor(bodiesBytes: number) {
  const tokens = new Map([
    [MALLORY, 'mallory'],
    [BOB, 'bob'],
  ]);
  const events = new EventEmitter();
  const asked = once(events, 'asked');
  const { url, gateway } = await attackedGateway(scope, {
    host: {
      servers: { one: serverOf('legacy') },
      approve: async () => {
        events.emit('asked');
        await once(events, 'answer');
        return { kind: 'deny', reason: 'no' };
      },
    },
    address: { tokens, limits: { bodiesBytes } },
  });
  await gateway.host.tools();
  const open = async (token: string): Promise<WebSocket> => {
    const headers = { Authorization: `Bearer ${token}` };
    const socket = new WebSocket(url.replace('http', 'ws'), 'mcp', { headers });
    scope.defer(() => socket.terminate());
    await once(socket, 'open');
    return socket;
  };
  /** The status of a message of this size over HTTP without a session: 400 if it was read. */
  const post = async (token: string, bytes: number): Promise<number> => {
    const headers = { ...JSON_HEADERS, Authorization: `Bearer ${token}` };
    return (await send(url, { headers, body: `${spaces(bytes)}${PING}` })).status;
  };
  return { open, post, asked, answer: () => void events.emit('answer') };
}

async function askedOn(socket: WebSocket, text: string): Promise<unknown> {
  const heard = once(socket, 'message');
  socket.send(text);
  return JSON.parse(String((await heard)[0]));
}

/** Waits until the gateway has read all earlier bytes, since it answers a ping even between the parts of a message. */
async function isRead(socket: WebSocket): Promise<void> {
  const heard = once(socket, 'pong');
  socket.ping();
  await heard;
}

async function closeOf(socket: WebSocket): Promise<readonly unknown[]> {
  const [code, reason] = await once(socket, 'close');
  return [code, String(reason)];
}

describe('the room of one token for messages over WebSocket', () => {
  verifies('GWY-01');

  it('holds unfinished messages, together with those over HTTP and apart from other tokens', async () => {
    const { open, post } = await roomFor(1_000_000);
    const held = await open(MALLORY);
    held.send(spaces(700_000), { fin: false });
    await isRead(held);
    expect(await post(MALLORY, 600_000)).toBe(503);
    expect(await post(BOB, 600_000)).toBe(400);
    const refused = await open(MALLORY);
    refused.send(`${spaces(600_000)}${PING}`);
    expect(await closeOf(refused)).toEqual(FULL);
    held.terminate();
    await expect.poll(() => post(MALLORY, 600_000)).toBe(400);
  });

  it('is free again once a message is answered', async () => {
    const { open, post, asked, answer } = await roomFor(1_000_000);
    const socket = await open(MALLORY);
    const clientInfo = { name: 'mallory', version: '1' };
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
    await askedOn(socket, JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params }));
    const call = { name: 'one__echo', arguments: { message: spaces(600_000) } };
    const answered = askedOn(
      socket,
      JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: call }),
    );
    await asked;
    expect(await post(MALLORY, 600_000)).toBe(503);
    answer();
    expect(await answered).toMatchObject({ id: 1 });
    await expect.poll(() => post(MALLORY, 600_000)).toBe(400);
  });

  it('counts the memory of small pieces, but not of finished messages and control frames', async () => {
    const { open, post } = await roomFor(1_000_000);
    const socket = await open(MALLORY);
    for (let index = 0; index < 30; index += 1) {
      expect(await askedOn(socket, `${spaces(100_000)}${PING}`)).toMatchObject({ id: 1 });
    }
    for (let index = 0; index < 4000; index += 1) await isRead(socket);
    expect(await post(MALLORY, 900_000)).toBe(400);
    const closed = closeOf(socket);
    while (socket.readyState === socket.OPEN) {
      socket.send(' ', { fin: false });
      // Sent as a separate piece.
      await Promise.race([isRead(socket), closed]);
    }
    expect(await closed).toEqual(FULL);
  });
});
