import { CodedError, never, Scope } from '@plugboard/base';
import { inProcessServer, serveInProcess, verifies } from '@plugboard/testkit';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { linkedPair } from '../../src/protocol/transport/in-process.ts';
import type { CallOptions, InProcessServer, Launch } from '../../src/protocol/index.ts';
import { failureOf, openOrThrow } from './cells.ts';

const patient: CallOptions = { signal: never, idleMs: 60_000, hardMs: 60_000 };

function launch(server: InProcessServer): Launch {
  return { kind: 'in-process', server };
}

/** Checks that each message could also be sent over a wire. */
const overWire = { carry: <T>(message: T): T => structuredClone(message) };

type Step =
  | { readonly kind: 'start' | 'close'; readonly end: 0 | 1 }
  | { readonly kind: 'send'; readonly end: 0 | 1; readonly number: number }
  | { readonly kind: 'breathe' };

const end = fc.constantFrom<0 | 1>(0, 1);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('send'), end, number: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('start'), end }) },
  { weight: 2, arbitrary: fc.constant({ kind: 'breathe' }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('close'), end }) },
);

/** Plays the steps; returns what each end sent and received, and how often it was closed. */
async function play(steps: readonly Step[]) {
  const ends = linkedPair(overWire.carry);
  const sent: [number[], number[]] = [[], []];
  const heard: [number[], number[]] = [[], []];
  const closes: [number, number] = [0, 0];
  let isSending = false;
  let heardInsideSend = 0;
  for (const index of [0, 1] as const) {
    ends[index].onmessage = (message) => {
      if (isSending) heardInsideSend += 1;
      heard[index].push((message as { id: number }).id);
    };
    ends[index].onclose = () => {
      closes[index] += 1;
    };
  }
  for (const each of steps) {
    if (each.kind === 'breathe') {
      await Promise.resolve();
    } else if (each.kind === 'send') {
      isSending = true;
      const message = { jsonrpc: '2.0', id: each.number, method: 'x' } as const;
      const sending = ends[each.end].send(message);
      isSending = false;
      const arrives = await sending.then(
        () => true,
        () => false,
      );
      if (arrives) sent[each.end].push(each.number);
    } else {
      // A closed end refuses to start; the other end may have closed it.
      await ends[each.end][each.kind]().catch(() => {});
    }
  }
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
  return { sent, heard, closes, heardInsideSend };
}

describe('a linked pair of transports', () => {
  it('keeps the order, and closes both ends exactly once when either is closed', async () => {
    verifies('TRN-05');
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const { sent, heard, closes, heardInsideSend } = await play(steps);
        const isClosed = steps.some(({ kind }) => kind === 'close');
        expect(closes).toEqual(isClosed ? [1, 1] : [0, 0]);
        expect(heardInsideSend).toBe(0);
        for (const from of [0, 1] as const) {
          const to = from === 0 ? 1 : 0;
          expect(heard[to]).toEqual(sent[from].slice(0, heard[to].length));
          const isHeard = steps.some((each) => each.kind === 'start' && each.end === to);
          if (!isClosed) expect(heard[to]).toEqual(isHeard ? sent[from] : []);
        }
      }),
    );
  });

  it('delivers what was sent before it was closed', async () => {
    const [left, right] = linkedPair();
    const heard: unknown[] = [];
    right.onmessage = (message) => heard.push(message);
    await Promise.all([left.start(), right.start()]);
    const message = { jsonrpc: '2.0', method: 'last' } as const;
    void left.send(message);
    void left.close();
    await new Promise((resolve) => setImmediate(resolve));
    expect(heard).toEqual([message]);
    await expect(right.send(message)).rejects.toThrow('closed');
  });

  it('delivers on the microtask queue, and passes on the same value', async () => {
    verifies('TRN-05');
    const [left, right] = linkedPair();
    await Promise.all([left.start(), right.start()]);
    const message = { jsonrpc: '2.0', method: 'x' } as const;
    const order: string[] = [];
    right.onmessage = (heard) => order.push(heard === message ? 'message' : 'a copy');
    const immediate = new Promise<void>((resolve) => {
      setImmediate(() => {
        order.push('immediate');
        resolve();
      });
    });
    void left.send(message);
    order.push('sent');
    queueMicrotask(() => order.push('later microtask'));
    await immediate;
    expect(order).toEqual(['sent', 'message', 'later microtask', 'immediate']);
  });

  it('reports an error of a listener to its own end', async () => {
    const [left, right] = linkedPair();
    const errors: Error[] = [];
    right.onmessage = () => {
      throw new Error('bad listener');
    };
    right.onerror = (error) => errors.push(error);
    await Promise.all([left.start(), right.start()]);
    await left.send({ jsonrpc: '2.0', method: 'x' });
    await Promise.resolve();
    expect(errors.map(({ message }) => message)).toEqual(['bad listener']);
  });
});

describe('an in-process server', () => {
  it('may be a server object, and can be connected again', async () => {
    verifies('TRN-06');
    const server = await inProcessServer();
    for (const message of ['once', 'twice']) {
      await using scope = new Scope();
      const session = await openOrThrow(launch(server), scope);
      const echoed = await session.callTool({ name: 'echo', arguments: { message } }, patient);
      expect(echoed).toMatchObject({ ok: true, value: { content: [{ text: message }] } });
    }
  });

  it('may be a transport with a server at its other end', async () => {
    verifies('TRN-06');
    const [ours, theirs] = linkedPair(overWire.carry);
    await using scope = new Scope();
    const serving = await serveInProcess(theirs);
    scope.defer(() => serving.close());
    const session = await openOrThrow(launch(ours), scope);
    const added = await session.callTool({ name: 'add', arguments: { a: 1, b: 2 } }, patient);
    expect(added).toMatchObject({ ok: true, value: { structuredContent: { sum: 3 } } });
    await theirs.close();
    expect(await session.closed).toEqual({ kind: 'closed' });
  });

  it('sends and receives notifications', async () => {
    verifies('TRN-06');
    const server = await inProcessServer();
    let heardCancel: ((reason: unknown) => void) | undefined;
    const cancelled = new Promise((resolve) => {
      heardCancel = resolve;
    });
    server.registerTool('wait', { description: 'Reports once, then waits' }, async (context) => {
      const progressToken = context.mcpReq._meta?.progressToken ?? '';
      const params = { progressToken, progress: 1 };
      context.mcpReq.signal.addEventListener('abort', () => heardCancel?.('told'));
      await context.mcpReq.notify({ method: 'notifications/progress', params });
      await cancelled;
      return { content: [] };
    });
    await using scope = new Scope();
    const session = await openOrThrow(launch(server), scope);
    const changes: string[] = [];
    using _watching = session.watchLists((list) => changes.push(list));
    const abort = new AbortController();
    const call = session.callTool(
      { name: 'wait', arguments: {} },
      { ...patient, signal: abort.signal, onProgress: () => abort.abort() },
    );
    expect(await call).toEqual({ ok: false, error: { kind: 'cancelled' } });
    expect(await cancelled).toBe('told');
    server.sendToolListChanged();
    await new Promise((resolve) => setImmediate(resolve));
    expect(changes).toEqual(['tools']);
  });

  it('fails to open if it cannot be connected', async () => {
    const connect = (): Promise<void> =>
      Promise.reject(new CodedError('busy', 'already in use', { data: {} }));
    const failure = await failureOf(launch({ connect }));
    expect(failure).toEqual({ kind: 'unexpected', message: 'already in use' });
  });

  it('is given up if connecting to it takes too long', async () => {
    const connect = (): Promise<void> => new Promise(() => {});
    expect(await failureOf(launch({ connect }), 50)).toEqual({ kind: 'timeout', ms: 50 });
  });
});
