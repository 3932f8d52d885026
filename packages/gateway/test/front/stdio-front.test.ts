import { once } from 'node:events';
import { PassThrough, Writable } from 'node:stream';
import { createInterface } from 'node:readline';
import { setImmediate } from 'node:timers/promises';
import { Scope } from '@plugboard/base';
import { ManualClock, scriptedServer, waitUntil } from '@plugboard/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openGateway } from '../cells.ts';

let scope: Scope;
beforeEach(() => {
  scope = new Scope();
});
afterEach(() => scope.close());

const HELLO = line({
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'x', version: '1' },
  },
});

function line(message: object): string {
  return `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`;
}

interface Answer {
  readonly id?: number | null;
  readonly error?: object;
  readonly result?: object;
}

interface Streams {
  readonly input: PassThrough;
  readonly served: Promise<unknown>;
  readonly gone: AbortController;
}

async function servedOn(
  output: Writable,
  servers: Record<string, object> = {},
  clock?: ManualClock,
): Promise<Streams> {
  const { gateway } = await openGateway(scope, { servers }, clock === undefined ? {} : { clock });
  const input = new PassThrough();
  const gone = new AbortController();
  const served = gateway.stdio({ input, output, signal: gone.signal });
  return { input, served, gone };
}

function answersOn(output: PassThrough): AsyncIterator<string> {
  return createInterface({ input: output })[Symbol.asyncIterator]();
}

async function next(answers: AsyncIterator<string>): Promise<Answer> {
  return JSON.parse((await answers.next()).value as string) as Answer;
}

describe('a client over stdio', () => {
  it('gets an error for a message that is not JSON, not a request or too long, and can continue', async () => {
    const output = new PassThrough();
    const { input } = await servedOn(output);
    const answers = answersOn(output);
    input.write('{ not json\n[]\n\n');
    expect(await next(answers)).toMatchObject({ id: null, error: { code: -32_700 } });
    expect(await next(answers)).toMatchObject({ id: null, error: { code: -32_600 } });
    const megabyte = Buffer.alloc(1024 * 1024, 'x');
    for (let count = 0; count < 20; count += 1) input.write(megabyte);
    input.write(`\n${HELLO}`);
    expect(await next(answers)).toMatchObject({
      id: null,
      error: { code: -32_600, message: 'The message is too long' },
    });
    expect(await next(answers)).toMatchObject({ id: 1, result: { serverInfo: {} } });
    input.end();
  });

  it('gets the replies to requests that it sent before it closed the input', async () => {
    const output = new PassThrough();
    const { input, served } = await servedOn(output, { one: scriptedServer() });
    const answers = answersOn(output);
    const call = { name: 'one__echo', arguments: { message: 'late' } };
    input.end(HELLO + line({ id: 2, method: 'tools/call', params: call }));
    let answer = await next(answers);
    while (answer.id !== 2) answer = await next(answers);
    expect(JSON.stringify(answer.result)).toContain('late');
    expect(await served).toBe('served');
  });

  it('is served for at most half a minute after it closed the input', async () => {
    const output = new PassThrough();
    const clock = new ManualClock();
    const server = scriptedServer({ builtIns: ['sleep'] });
    const { input, served } = await servedOn(output, { one: server }, clock);
    const call = { name: 'one__sleep', arguments: { ms: 600_000 } };
    const ended = once(input, 'end');
    input.end(HELLO + line({ id: 2, method: 'tools/call', params: call }));
    await ended;
    // The front starts to wait as soon as the input has ended.
    await setImmediate();
    let isServed = false;
    void served.then(() => {
      isServed = true;
    });
    await clock.advance(29_000);
    expect(isServed).toBe(false);
    await clock.advance(2000);
    expect(await served).toBe('served');
  });

  it('is given up if the output fails', async () => {
    const broken = new Writable({
      write: (_chunk, _encoding, done) =>
        done(Object.assign(new Error('broken pipe'), { code: 'EPIPE' })),
    });
    const { input, served } = await servedOn(broken);
    input.write(HELLO);
    expect(await served).toBe('served');
  });

  it('is not read while it does not read its output, and is read again once it does', async () => {
    let release: (() => void) | undefined;
    const read: string[] = [];
    const slow = new Writable({
      highWaterMark: 1,
      decodeStrings: false,
      write: (chunk: string, _encoding, done) => {
        read.push(chunk);
        release = done;
      },
    });
    const { input, gone, served } = await servedOn(slow);
    input.write(HELLO);
    await waitUntil(() => read.length === 1, { describe: 'the first answer' });
    input.write(line({ id: 2, method: 'ping' }));
    expect(input.isPaused()).toBe(true);
    expect(input.readableLength).toBeGreaterThan(0);
    release?.();
    await waitUntil(() => read.length === 2, { describe: 'the second answer' });
    release?.();
    gone.abort();
    expect(await served).toBe('served');
  });

  it('is not served at a path without an endpoint', async () => {
    const { gateway } = await openGateway(scope, {});
    const streams = { input: new PassThrough(), output: new PassThrough() };
    const { signal } = new AbortController();
    expect(await gateway.stdio({ ...streams, path: '/mcp/none', signal })).toBe('none');
  });
});
