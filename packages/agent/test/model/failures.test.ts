// Failed requests to every provider: their kinds, which of them are retried, and the limits of silence.

import { ManualClock, startScriptedModel, type ScriptedFailure } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import type { ModelFailure } from '../../src/index.ts';
import { allOf, asking, type Cell, CELLS, KEY, lastOf, modelAt, passingTime } from './cells.ts';

const LASTING: readonly [Exclude<ScriptedFailure['kind'], 'custom'>, ModelFailure['kind']][] = [
  ['bad-key', 'bad-key'],
  ['no-access', 'no-access'],
  ['unknown-model', 'unknown-model'],
  ['context-overflow', 'context-overflow'],
  ['no-credit', 'no-credit'],
];

const PASSING: readonly [Exclude<ScriptedFailure['kind'], 'custom'>, ModelFailure['kind']][] = [
  ['rate-limited', 'rate-limited'],
  ['overloaded', 'overloaded'],
  ['server-error', 'other'],
];

describe.each(CELLS)('a model of $name', (cell) => {
  it.each(LASTING)('reports %s at once, and does not retry', async (kind, expected) => {
    await using server = await startScriptedModel({
      turns: [{ kind: 'fails', failure: { kind } }],
    });
    const { failure } = lastOf(await allOf(modelAt(cell, server), asking('go')), 'failed');
    expect(failure.kind).toBe(expected);
    expect(failure.status).toBeGreaterThanOrEqual(400);
    expect(failure.message).not.toBe('');
    expect(server.requests).toHaveLength(1);
  });

  it.each(PASSING)('retries after %s, and reports it', async (kind, expected) => {
    const clock = new ManualClock();
    await using server = await startScriptedModel({
      turns: [{ kind: 'fails', failure: { kind } }, { kind: 'fails', failure: { kind } }, 'there'],
    });
    const model = modelAt(cell, server, { clock });
    const events = await passingTime(clock, allOf(model, asking('go')));
    expect(
      events.map((event) =>
        event.kind === 'retrying' ? [event.kind, event.afterMs, event.failure.kind] : [event.kind],
      ),
    ).toEqual([['retrying', 750, expected], ['retrying', 1500, expected], ['text'], ['finished']]);
  });

  it('waits as long as the provider states, and gives up when that is too long', async () => {
    const clock = new ManualClock();
    const busy = (retryAfter: string) =>
      ({ kind: 'fails', failure: { kind: 'rate-limited', retryAfter } }) as const;
    await using server = await startScriptedModel({ turns: [busy('7'), busy('3600')] });
    const events = await passingTime(clock, allOf(modelAt(cell, server, { clock }), asking('go')));
    expect(events.map(({ kind }) => kind)).toEqual(['retrying', 'failed']);
    expect(events[0]).toMatchObject({ afterMs: 7000 });
  });

  it('gives up after the maximum number of attempts', async () => {
    const clock = new ManualClock();
    await using server = await startScriptedModel({
      otherwise: { kind: 'fails', failure: { kind: 'overloaded' } },
    });
    const events = await passingTime(clock, allOf(modelAt(cell, server, { clock }), asking('go')));
    expect(server.requests).toHaveLength(6);
    expect(lastOf(events, 'failed').failure.kind).toBe('overloaded');
  });

  it('stops waiting for the next attempt when it is cancelled', async () => {
    const clock = new ManualClock();
    await using server = await startScriptedModel({
      otherwise: { kind: 'fails', failure: { kind: 'overloaded' } },
    });
    const cancel = new AbortController();
    const events: string[] = [];
    for await (const event of modelAt(cell, server, { clock }).stream(
      asking('go'),
      cancel.signal,
    )) {
      events.push(event.kind === 'failed' ? event.failure.kind : event.kind);
      cancel.abort();
    }
    expect(events).toEqual(['retrying', 'cancelled']);
    expect(clock.pending).toBe(0);
  });

  it('ends as cancelled in the middle of an answer, with no request left open', async () => {
    await using server = await startScriptedModel({ turns: [HELD] });
    const cancel = new AbortController();
    const running = allOf(modelAt(cell, server), asking('go'), cancel.signal);
    await server.reached('rest');
    cancel.abort();
    expect(lastOf(await running, 'failed').failure.kind).toBe('cancelled');
    await expect.poll(() => server.open).toBe(0);
  });

  it('sends no request when it was cancelled before', async () => {
    await using server = await startScriptedModel({ otherwise: 'hello' });
    const events = await allOf(modelAt(cell, server), asking('go'), AbortSignal.abort());
    expect(events).toEqual([
      { kind: 'failed', failure: { kind: 'cancelled', message: 'cancelled' } },
    ]);
    expect(server.requests).toEqual([]);
  });

  it('gives up on an answer that stalls', async () => {
    const clock = new ManualClock();
    await using server = await startScriptedModel({ turns: [HELD] });
    const running = allOf(
      modelAt(cell, server, { clock, patience: { idleMs: 5000 } }),
      asking('go'),
    );
    await server.reached('rest');
    const events = await passingTime(clock, running);
    expect(lastOf(events, 'failed').failure).toEqual({
      kind: 'unreachable',
      message: 'no word from the provider for 5 s',
    });
    expect(events.map(({ kind }) => kind)).toEqual(['text', 'failed']);
  });

  it('keeps waiting while data still arrives', async () => {
    const clock = new ManualClock();
    const steps = ['a', 'b', 'c'].flatMap((text) => [
      { kind: 'text', text } as const,
      { kind: 'hold', name: text } as const,
    ]);
    await using server = await startScriptedModel({ turns: [{ kind: 'answer', steps }] });
    const model = modelAt(cell, server, { clock, patience: { idleMs: 5000 } });
    const heard: string[] = [];
    for await (const event of model.stream(asking('go'), new AbortController().signal)) {
      heard.push(event.kind);
      if (event.kind !== 'text') continue;
      await server.reached(event.text);
      await clock.advance(4000);
      server.release(event.text);
    }
    expect(heard).toEqual(['text', 'text', 'text', 'finished']);
  });

  it('fails without throwing when the request cannot be made', async () => {
    await using server = await startScriptedModel({ otherwise: 'hello' });
    const inputSchema = null as never;
    const tools = [{ name: 'odd', description: '', inputSchema }];
    const events = await allOf(modelAt(cell, server), asking('go', tools));
    expect(lastOf(events, 'failed').failure.kind).toBe('other');
    expect(server.requests).toEqual([]);
  });

  it('retries when nothing was received, and not after a part of the answer', async () => {
    const clock = new ManualClock();
    await using server = await startScriptedModel({
      turns: [
        { kind: 'answer', steps: [{ kind: 'cut' }] },
        { kind: 'answer', steps: [{ kind: 'text', text: 'half' }, { kind: 'cut' }] },
      ],
    });
    const events = await passingTime(clock, allOf(modelAt(cell, server, { clock }), asking('go')));
    expect(events.map(({ kind }) => kind)).toEqual(['retrying', 'text', 'failed']);
    expect(lastOf(events, 'failed').failure.kind).toBe('unreachable');
  });

  it('reports an answer without an end as broken', async () => {
    await using server = await startScriptedModel({
      turns: [{ kind: 'answer', steps: [{ kind: 'text', text: 'half' }, { kind: 'end-early' }] }],
    });
    const events = await allOf(modelAt(cell, server), asking('go'));
    expect(lastOf(events, 'failed').failure.kind).toBe('broken-answer');
  });

  it('reports garbage as a broken answer', async () => {
    await using server = await startScriptedModel({
      turns: [
        {
          kind: 'answer',
          steps: [
            { kind: 'text', text: 'half' },
            { kind: 'raw', data: '{"choices": [[[' },
          ],
        },
      ],
    });
    const events = await allOf(modelAt(cell, server), asking('go'));
    expect(lastOf(events, 'failed').failure.kind).toBe('broken-answer');
  });

  it('reports the kind of a failure in the middle of an answer', async () => {
    await using server = await startScriptedModel({
      turns: [
        {
          kind: 'answer',
          steps: [
            { kind: 'text', text: 'half' },
            { kind: 'fail', failure: { kind: 'overloaded' } },
          ],
        },
      ],
    });
    const events = await allOf(modelAt(cell, server), asking('go'));
    expect(lastOf(events, 'failed').failure.kind).toBe('overloaded');
  });

  it('reports a refused connection, without a retry', async () => {
    const server = await startScriptedModel();
    await server.close();
    const events = await allOf(modelAt(cell, server), asking('go'));
    expect(events.map(({ kind }) => kind)).toEqual(['failed']);
    expect(lastOf(events, 'failed').failure.kind).toBe('unreachable');
  });

  it('shows no key, line break or escape sequence from a message of the provider', async () => {
    const body = JSON.stringify({
      error: { message: `bad\u001b[2J key\n${KEY} ${'x'.repeat(5000)}` },
    });
    const { failure } = await failingWith(cell, 418, body);
    expect(failure).toMatchObject({ kind: 'bad-request', status: 418 });
    expect(failure.message).toMatch(/^bad \[2J key … x+…$/u);
    expect(failure.message.length).toBeLessThan(600);
  });

  it.each(['', 'not json', '[]', '{"error":7}', '{"error":{"message":{}}}', '[[[['])(
    'copes with the body %j of an error response',
    async (body) => {
      const { failure } = await failingWith(cell, 400, body);
      expect(failure).toMatchObject({ kind: 'bad-request', status: 400 });
    },
  );
});

const HELD = {
  kind: 'answer',
  steps: [
    { kind: 'text', text: 'first' },
    { kind: 'hold', name: 'rest' },
  ],
} as const;

async function failingWith(
  cell: Cell,
  status: number,
  body: string,
): Promise<{ readonly failure: ModelFailure }> {
  await using server = await startScriptedModel({
    otherwise: { kind: 'fails', failure: { kind: 'custom', status, body } },
  });
  return lastOf(await allOf(modelAt(cell, server), asking('go')), 'failed');
}
