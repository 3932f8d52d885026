import { randomBytes } from 'node:crypto';
import { ManualClock, verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { ModernCalls, Seal } from '../../src/client/index.ts';

const CLIENT = {
  era: 'modern',
  principal: 'ada',
  owner: 'ada',
  clientInfo: {},
  capabilities: {},
} as const;
const AT = {};

function requestOf(params: Record<string, string> = {}) {
  const { signal } = new AbortController();
  const method = 'tools/call';
  return { client: CLIENT, principal: 'ada', at: AT, method, params, signal, notify: () => {} };
}

describe('a call of a modern client that waits for input', () => {
  it('answers the last of its repetitions with what it comes to, and the others at once', async () => {
    verifies('GWY-01');
    const clock = new ManualClock();
    using calls = new ModernCalls(new Seal(randomBytes(32), clock), clock);
    const never = new AbortController().signal;
    let finish = (): void => {};
    const finished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const first = await calls.run(requestOf(), async (exchange) => {
      // Its answer is never given: the call goes on by itself.
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
});
