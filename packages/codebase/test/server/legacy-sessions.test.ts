import { McpServer } from '@modelcontextprotocol/server';
import { ManualClock } from '@plugboard/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LegacySessions } from '../../src/server/http/legacy-sessions.ts';

let clock: ManualClock;
let sessions: LegacySessions;

beforeEach(() => {
  clock = new ManualClock();
  sessions = new LegacySessions({
    clock,
    create: () => new McpServer({ name: 'test', version: '1' }, { capabilities: { tools: {} } }),
  });
});
afterEach(() => sessions.close());

const HALF_AN_HOUR = 30 * 60_000;

function requestFor(id?: string, init: RequestInit = {}): Request {
  return new Request('http://localhost/mcp', {
    method: 'POST',
    ...init,
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(id === undefined ? {} : { 'mcp-session-id': id }),
    },
  });
}

async function open(): Promise<string> {
  const params = {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  };
  const body = { jsonrpc: '2.0', id: 1, method: 'initialize', params };
  const response = await sessions.open(requestFor(), body);
  await response.text();
  return response.headers.get('mcp-session-id') ?? '';
}

async function ping(id: string): Promise<number | undefined> {
  const body = { jsonrpc: '2.0', id: 2, method: 'ping' };
  const response = await sessions.answer(id, requestFor(id), body);
  await response?.text();
  return response?.status;
}

describe('legacy sessions', () => {
  it('are found by their own id only', async () => {
    const [first, second] = [await open(), await open()];
    expect(first).not.toBe(second);
    expect([await ping(first), await ping(second), await ping('other')]).toEqual([
      200,
      200,
      undefined,
    ]);
  });

  it('end when the client ends them', async () => {
    const id = await open();
    await sessions.answer(id, requestFor(id, { method: 'DELETE' }), undefined);
    expect(await ping(id)).toBeUndefined();
    expect(sessions.count).toBe(0);
  });

  it('end after half an hour without requests', async () => {
    const [quiet, busy] = [await open(), await open()];
    await clock.advance(HALF_AN_HOUR);
    await ping(busy);
    await clock.advance(1);
    await open();
    expect([await ping(quiet), await ping(busy)]).toEqual([undefined, 200]);
  });

  it('stay open while a client listens', async () => {
    const id = await open();
    const listening = new AbortController();
    const init = { method: 'GET', signal: listening.signal };
    const stream = await sessions.answer(id, requestFor(id, init), undefined);
    expect(stream?.status).toBe(200);
    await clock.advance(2 * HALF_AN_HOUR);
    await open();
    expect(await ping(id)).toBe(200);
    listening.abort();
    await clock.advance(2 * HALF_AN_HOUR);
    await open();
    expect(await ping(id)).toBeUndefined();
  });

  it('make room for new ones, the least recently used first', async () => {
    const [first, second] = [await open(), await open()];
    for (let index = 0; index < 98; index += 1) await open();
    await ping(first);
    await open();
    expect(sessions.count).toBe(100);
    expect([await ping(first), await ping(second)]).toEqual([200, undefined]);
  });
});
