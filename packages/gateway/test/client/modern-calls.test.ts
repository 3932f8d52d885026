import { randomBytes } from 'node:crypto';
import { ManualClock, verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { type Exchange, ModernCalls, Seal } from '../../src/client/index.ts';

const CLIENT = {
  era: 'modern',
  principal: 'ada',
  owner: 'ada',
  clientInfo: {},
  capabilities: {},
} as const;
const AT = {};

function callsAt(clock: ManualClock): ModernCalls {
  return new ModernCalls(new Seal(randomBytes(32), clock), clock, () => {});
}

function requestOf(
  params: Record<string, string> = {},
  signal: AbortSignal = new AbortController().signal,
) {
  const method = 'tools/call';
  return {
    ...{ id: 1, client: CLIENT, principal: 'ada', at: AT, method, params, signal },
    known: { id: 'c', name: 'test', era: 'modern', principal: 'ada' } as const,
    recorder: undefined,
    notify: () => {},
  };
}

describe('a call of a modern client that waits for input', () => {
  it('answers the last repetition with the result, and the others at once', async () => {
    verifies('GWY-01');
    const clock = new ManualClock();
    using calls = callsAt(clock);
    const never = new AbortController().signal;
    let finish = (): void => {};
    const finished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const first = await calls.run(requestOf(), async (exchange) => {
      // The question is never answered; the call continues without it.
      void exchange.ask('elicitation/create', {}, never);
      await finished;
      return { result: { done: true } };
    });
    const { requestState } = (first as { result: { requestState: string } }).result;
    const work = (): never => expect.unreachable('a repetition is no new call');
    const again = (): ReturnType<typeof calls.run> => calls.run(requestOf({ requestState }), work);
    const overtaken = again();
    const last = again();
    finish();
    expect(await overtaken).toMatchObject({ error: { code: -32_602 } });
    expect(await last).toHaveProperty('result');
  });

  it('asks no more questions once its client has disconnected', async () => {
    verifies('GWY-01');
    using calls = callsAt(new ManualClock());
    const client = new AbortController();
    const never = new AbortController().signal;
    const reply = await calls.run(requestOf({}, client.signal), async (exchange) => {
      client.abort();
      const answer = await exchange.ask('elicitation/create', {}, never);
      return { result: { answer: JSON.stringify(answer) } };
    });
    expect(reply).toMatchObject({ result: { answer: expect.stringContaining('given up') } });
  });

  it('is marked as parked while it waits, and can be given up', async () => {
    verifies('GWY-01');
    const clock = new ManualClock();
    using calls = callsAt(clock);
    const never = new AbortController().signal;
    const seen: Exchange[] = [];
    await clock.advance(5);
    const first = await calls.run(requestOf(), async (exchange) => {
      seen.push(exchange);
      expect(exchange.parked).toBeUndefined();
      await exchange.ask('elicitation/create', {}, never);
      return { result: {} };
    });
    expect(first).toMatchObject({ result: { resultType: 'input_required' } });
    expect(seen[0]?.parked).toMatchObject({ since: clock.elapsed() });
    seen[0]?.parked?.giveUp();
    expect(seen[0]?.parked).toBeUndefined();
    expect(seen[0]?.signal.aborted).toBe(true);
    expect(calls.size).toBe(0);
  });
});
