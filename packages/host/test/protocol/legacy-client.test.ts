import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { err, messageOf, never, ok, type Result, Scope } from '@plugboard/base';
import { ManualClock, verifies } from '@plugboard/testkit';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LegacyClient } from '../../src/protocol/legacy-client.ts';
import { FailureError } from '../../src/protocol/neutral/failure.ts';
import { PASS_THROUGH, type SessionClient } from '../../src/protocol/session-client.ts';
import { linkedPair } from '../../src/protocol/transport/in-process.ts';
import { type CallOptions, open, type ProtocolFailure } from '../../src/protocol/index.ts';
import { ports } from './cells.ts';

const patient: CallOptions = { signal: never, idleMs: 1000, hardMs: 10_000 };
const echo = { name: 'echo', arguments: { message: 'hi' } };

interface HeardMessage {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly requestId?: number; readonly _meta?: { progressToken: number } };
}

/** A client of a server that the test plays, and everything that the server received. */
class Bench {
  readonly clock = new ManualClock();
  readonly client: LegacyClient;
  /** The messages that the server received after the handshake. */
  readonly heard: HeardMessage[] = [];
  readonly #theirs: ReturnType<typeof linkedPair>[1];
  readonly #ours: ReturnType<typeof linkedPair>[0];

  private constructor() {
    const [ours, theirs] = linkedPair((message) => structuredClone(message));
    this.#ours = ours;
    this.#theirs = theirs;
    theirs.onmessage = (message) => {
      const heard = message as HeardMessage;
      if (heard.method !== 'initialize') this.heard.push(heard);
    };
    this.client = legacyClientOf(this.clock);
  }

  static async start(): Promise<Bench> {
    const bench = new Bench();
    await bench.#theirs.start();
    await bench.client.connect(bench.#ours, { timeout: 1000 });
    return bench;
  }

  /** The result or the failure of a call. */
  async call(
    options: Partial<CallOptions> = {},
  ): Promise<Result<unknown, ProtocolFailure | string>> {
    try {
      return ok(await this.send(echo, options));
    } catch (thrown) {
      return err(thrown instanceof FailureError ? thrown.failure : messageOf(thrown));
    }
  }

  send(params: Record<string, unknown>, options: Partial<CallOptions> = {}): Promise<unknown> {
    const { signal, idleMs, hardMs, onProgress = () => {} } = { ...patient, ...options };
    const timed = { signal, timeout: idleMs, maxTotalTimeout: hardMs, onprogress: onProgress };
    return this.client.request({ method: 'tools/call', params }, undefined, timed);
  }

  /** The ids of all calls that the server received. */
  async ids(): Promise<readonly number[]> {
    await this.clock.advance(0);
    return this.heard.flatMap(({ id, method }) =>
      method === 'tools/call' && id !== undefined ? [id] : [],
    );
  }

  async say(message: object): Promise<void> {
    await this.#theirs.send({ jsonrpc: '2.0', ...message } as JSONRPCMessage);
    await this.clock.advance(0);
  }

  async answer(id: unknown, text: string): Promise<void> {
    await this.say({ id, result: { content: [{ type: 'text', text }] } });
  }

  async progress(progressToken: unknown, progress: number): Promise<void> {
    await this.say({ method: 'notifications/progress', params: { progressToken, progress } });
  }

  async hangUp(): Promise<void> {
    await this.#theirs.close();
    await this.clock.advance(0);
  }
}

/** A bench whose handshake is known already. */
function legacyClientOf(clock: ManualClock): LegacyClient {
  return new LegacyClient({
    identity: { name: 'test', version: '1.0.0' },
    capabilities: {},
    known: {
      protocolVersion: '2025-11-25',
      capabilities: {},
      serverInfo: { name: 'raw', version: '1.0.0' },
      instructions: undefined,
    },
    clock,
  });
}

function said(text: string): Result<unknown, never> {
  return ok({ content: [{ type: 'text', text }] });
}

describe('the ids of calls', () => {
  it('are never given twice', async () => {
    await using scope = new Scope();
    const [ours, theirs] = linkedPair();
    const ids: (string | number)[] = [];
    theirs.onmessage = (message) => {
      if (!('method' in message) || !('id' in message)) return;
      ids.push(message.id);
      void theirs.send({ jsonrpc: '2.0', id: message.id, result: resultOf(message.method) });
    };
    await theirs.start();
    const within = { signal: never, timeoutMs: 5000 };
    const opened = await open({ kind: 'in-process', server: ours }, within, ports);
    if (!opened.ok) throw new Error(opened.error.kind);
    const session = opened.value;
    scope.defer(() => session.close());
    for (let round = 0; round < 5; round += 1) {
      const done = await Promise.all([
        session.ping(within),
        session.callTool(echo, patient),
        session.listTools(undefined, within),
        session.callTool(echo, patient),
      ]);
      expect(done.map((one) => one.ok)).toEqual([true, true, true, true]);
    }
    expect(new Set(ids).size).toBe(ids.length);
    // Some servers store ids in 32 bits.
    expect(ids.every((id) => Number.isInteger(id) && Number(id) < 2 ** 31)).toBe(true);
  });

  it('may be returned as text', async () => {
    const bench = await Bench.start();
    const calling = bench.call();
    const [id] = await bench.ids();
    await bench.answer(String(id), 'as text');
    expect(await calling).toEqual(said('as text'));
  });
});

describe('the handshake', () => {
  const sound = resultOf('initialize');

  async function opened(answer: object): Promise<readonly unknown[]> {
    const [ours, theirs] = linkedPair();
    const heard: unknown[] = [];
    theirs.onmessage = (message) => {
      heard.push('method' in message ? message.method : message);
      if (!('method' in message) || !('id' in message)) return;
      void theirs.send({ jsonrpc: '2.0', id: message.id, ...answer } as JSONRPCMessage);
    };
    await theirs.start();
    const within = { signal: never, timeoutMs: 5000 };
    const session = await open({ kind: 'in-process', server: ours }, within, ports);
    if (!session.ok) return [session.error];
    await session.value.close();
    return heard;
  }

  it('ends with a notification of the client', async () => {
    expect(await opened({ result: sound })).toEqual(['initialize', 'notifications/initialized']);
  });

  it.each([
    [{ ...sound, protocolVersion: '2031-01-01' }, 'the revision "2031-01-01" is not known'],
    [{ ...sound, protocolVersion: 1 }, '`protocolVersion` is not text'],
    [{ ...sound, capabilities: [] }, '`capabilities` is not an object'],
    [{ ...sound, serverInfo: { name: 'raw' } }, '`serverInfo` has no name or no version'],
    [{ ...sound, instructions: {} }, '`instructions` is not text'],
  ])('fails with the answer %j', async (result, detail) => {
    expect(await opened({ result })).toEqual([{ kind: 'invalid-result', detail }]);
  });

  it('reports that the server refuses the era', async () => {
    const data = { supported: ['2026-07-28'], requested: '2025-11-25' };
    const error = { code: -32_022, message: 'too old', data };
    expect(await opened({ error })).toEqual([
      { kind: 'wrong-era', wanted: 'modern', detail: 'too old' },
    ]);
  });
});

function resultOf(method: string): Record<string, unknown> {
  switch (method) {
    case 'initialize':
      return {
        protocolVersion: '2025-11-25',
        capabilities: { tools: {} },
        serverInfo: { name: 'raw', version: '1.0.0' },
      };
    case 'tools/list':
      return { tools: [] };
    default:
      return { content: [] };
  }
}

describe('a message that belongs to no request', () => {
  it('leaves the pending requests as they are', async () => {
    const bench = await Bench.start();
    const calling = bench.call();
    const [id = 0] = await bench.ids();
    const others = [
      { id: 0, result: {} },
      { id: id + 1, result: {} },
      { id: '', result: {} },
      { id: `0${id}`, result: {} },
      { id: 'plugboard-task-1', result: {} },
      { id: null, error: { code: -32_700, message: 'what?' } },
      { error: { code: -32_700, message: 'what?' } },
      // The id of a server's own request does not match a request of the client.
      { id, method: 'ping' },
      { method: 'notifications/progress', params: { progressToken: 7, progress: 1 } },
      { method: 'notifications/progress' },
      { method: 'notifications/message', params: { level: 'info', data: 'x' } },
    ];
    for (const other of others) await bench.say(other);
    expect(bench.heard.slice(1)).toEqual([{ jsonrpc: '2.0', id, result: {} }]);
    await bench.answer(id, 'mine');
    expect(await calling).toEqual(said('mine'));
  });
});

describe('a hostile server', () => {
  it('that answers twice settles a call once, and no other', async () => {
    const bench = await Bench.start();
    const first = bench.call();
    const second = bench.call();
    const [one, two] = await bench.ids();
    await bench.answer(one, 'one');
    await bench.answer(one, 'one again');
    await bench.say({ id: one, error: { code: 1, message: 'no' } });
    await bench.answer(two, 'two');
    expect([await first, await second]).toEqual([said('one'), said('two')]);
  });

  it('gives every call the first answer with its id, in whatever order answers arrive', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat({ max: 9 }), { maxLength: 40 }), async (order) => {
        const bench = await Bench.start();
        const calls = Array.from({ length: 10 }, () => bench.call());
        const ids = await bench.ids();
        const answers = [...order, ...ids.keys()];
        for (const [turn, index] of answers.entries()) await bench.answer(ids[index], `${turn}`);
        expect(await Promise.all(calls)).toEqual(
          calls.map((_, index) => said(`${answers.indexOf(index)}`)),
        );
      }),
      { numRuns: 20 },
    );
  });

  it.each([
    { error: 'no' },
    { error: null },
    { error: { code: '1', message: 'no' } },
    { error: { code: 1 } },
  ])('that answers with the error $error fails the call at once', async (answer) => {
    const bench = await Bench.start();
    const calling = bench.call();
    const [id] = await bench.ids();
    await bench.say({ id, ...answer });
    const detail = 'the error has no code or no message';
    expect(await calling).toEqual(err({ kind: 'invalid-result', detail }));
  });

  it('that sends malformed progress does not extend the deadline of a call', async () => {
    const bench = await Bench.start();
    const seen: unknown[] = [];
    const calling = bench.call({ onProgress: (progress) => seen.push(progress) });
    const [progressToken] = await bench.ids();
    await bench.clock.advance(999);
    for (const odd of [
      { progress: '1' },
      {},
      { progress: 1, total: 'all' },
      { progress: 1, message: 2 },
    ]) {
      await bench.say({ method: 'notifications/progress', params: { progressToken, ...odd } });
    }
    await bench.clock.advance(1);
    expect(await calling).toEqual(err({ kind: 'timeout', ms: 1000 }));
    expect(seen).toEqual([]);
  });
});

describe('the deadline of a call', () => {
  it('restarts with every sign of life, up to the hard limit', async () => {
    verifies('CON-04');
    const bench = await Bench.start();
    const seen: unknown[] = [];
    const calling = bench.call({ hardMs: 2500, onProgress: ({ progress }) => seen.push(progress) });
    const [id] = await bench.ids();
    for (const step of [1, 2, 3]) {
      await bench.clock.advance(800);
      await bench.progress(id, step);
    }
    expect(seen).toEqual([1, 2, 3]);
    await bench.clock.advance(99);
    expect(bench.heard.map(({ method }) => method)).toEqual(['tools/call']);
    await bench.clock.advance(1);
    expect(await calling).toEqual(err({ kind: 'timeout', ms: 2500 }));
    await bench.progress(id, 4);
    expect(seen).toEqual([1, 2, 3]);
  });

  it('ends each call by itself, with one timer for all', async () => {
    const bench = await Bench.start();
    const ended: string[] = [];
    const note = (name: string) => (): void => void ended.push(name);
    const long = bench.call({ idleMs: 300 }).then(note('long'));
    const short = bench.call({ idleMs: 100 }).then(note('short'));
    const hard = bench.call({ idleMs: 900, hardMs: 200 }).then(note('hard'));
    await bench.ids();
    expect(bench.clock.pending).toBe(1);
    for (const expected of [['short'], ['short', 'hard'], ['short', 'hard', 'long']]) {
      await bench.clock.advance(100);
      expect(ended).toEqual(expected);
    }
    await Promise.all([long, short, hard]);
    expect(bench.clock.pending).toBe(0);
  });

  it('is paused while a person is asked, and restarts after that', async () => {
    const bench = await Bench.start();
    const ended: string[] = [];
    const early = bench.call({ idleMs: 500, hardMs: 3000 }).then((came) => {
      ended.push('early');
      return came;
    });
    await bench.clock.advance(400);
    bench.client.limits.stop();
    const late = bench.call({ idleMs: 500, hardMs: 3000 });
    await bench.clock.advance(60_000);
    expect(ended).toEqual([]);
    bench.client.limits.start();
    await bench.clock.advance(499);
    expect(ended).toEqual([]);
    await bench.clock.advance(1);
    expect(await early).toEqual(err({ kind: 'timeout', ms: 500 }));
    expect(await late).toEqual(err({ kind: 'timeout', ms: 500 }));
  });

  it('notifies the server when it is reached', async () => {
    const bench = await Bench.start();
    const calling = bench.call();
    const [id] = await bench.ids();
    await bench.clock.advance(1000);
    await calling;
    expect(bench.heard.slice(1)).toEqual([cancelled(id, 'the time is up')]);
  });
});

describe('an aborted call', () => {
  it('notifies the server, and ignores later answers', async () => {
    verifies('CAL-04');
    const bench = await Bench.start();
    const abort = new AbortController();
    const seen: unknown[] = [];
    const calling = bench.call({
      signal: abort.signal,
      onProgress: (progress) => seen.push(progress),
    });
    const [id] = await bench.ids();
    abort.abort(new Error('enough'));
    expect(await calling).toEqual(err('the request was given up'));
    const next = bench.call();
    const [, nextId] = await bench.ids();
    await bench.progress(id, 1);
    await bench.answer(id, 'too late');
    await bench.answer(nextId, 'on');
    expect(await next).toEqual(said('on'));
    expect(seen).toEqual([]);
    expect(bench.heard.filter(({ method }) => method !== 'tools/call')).toEqual([
      cancelled(id, 'enough'),
    ]);
  });

  it('is not sent if its signal was aborted before', async () => {
    const bench = await Bench.start();
    expect(await bench.call({ signal: AbortSignal.abort() })).toEqual(
      err('the request was given up'),
    );
    expect(await bench.ids()).toEqual([]);
  });

  it('does not notify the server after the answer', async () => {
    const bench = await Bench.start();
    const abort = new AbortController();
    const calling = bench.call({ signal: abort.signal });
    const [id] = await bench.ids();
    await bench.answer(id, 'done');
    expect(await calling).toEqual(said('done'));
    abort.abort();
    await bench.clock.advance(0);
    expect(bench.heard).toHaveLength(1);
  });
});

function cancelled(requestId: number | undefined, reason: string): object {
  return { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId, reason } };
}

describe('the end of a connection', () => {
  it('fails every pending call, and every later one', async () => {
    const bench = await Bench.start();
    const calls = [
      bench.call(),
      bench.call(),
      bench.call({ signal: new AbortController().signal }),
    ];
    await bench.ids();
    await bench.hangUp();
    expect(await Promise.all(calls)).toEqual(calls.map(() => err({ kind: 'closed' })));
    expect(await bench.call()).toEqual(err({ kind: 'closed' }));
    expect(bench.clock.pending).toBe(0);
  });
});

describe('a failure outside of the server', () => {
  it('fails a call that cannot be sent, and leaves nothing pending', async () => {
    const bench = await Bench.start();
    const unsendable = { name: 'echo', arguments: { f: (() => {}) as unknown as string } };
    await expect(bench.send(unsendable)).rejects.toThrow(/could not be cloned/);
    await bench.clock.advance(10_000);
    expect(bench.heard).toEqual([]);
  });

  it('fails a call also if the transport throws at once', async () => {
    const send = (): never => {
      throw new TypeError('no JSON');
    };
    const client = legacyClientOf(new ManualClock());
    const [ours] = linkedPair();
    await client.connect(ours, { timeout: 1000 });
    Object.assign(ours, { send });
    const calling = client.request({ method: 'tools/call', params: echo }, undefined, {
      timeout: 1000,
    });
    await expect(calling).rejects.toThrow('no JSON');
  });

  it('in a progress listener does not affect its call', async () => {
    const bench = await Bench.start();
    const calling = bench.call({
      onProgress() {
        throw new Error('not my day');
      },
    });
    const [id] = await bench.ids();
    await bench.progress(id, 1);
    await bench.answer(id, 'fine');
    expect(await calling).toEqual(said('fine'));
  });
});

/** Only type-checked, never called. */
function answersOwnMethod(client: SessionClient): void {
  // @ts-expect-error the handler behind schemas would never be called
  client.setRequestHandler('own/method', { params: PASS_THROUGH }, () => ({}));
}

it('a session answers only methods that the SDK knows, since the legacy client takes no schemas', () => {
  expect(answersOwnMethod).toBeTypeOf('function');
});
