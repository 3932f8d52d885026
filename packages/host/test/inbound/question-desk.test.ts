import { delay, never, silentLogger, systemClock } from '@plugboard/base';
import { ManualClock, verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import type { DeclinedQuestion, Elicit } from '../../src/inbound/index.ts';
import { QuestionDesk } from '../../src/inbound/index.ts';
import type { Answer, Question } from '../../src/protocol/index.ts';

const QUESTION: Question = {
  kind: 'form',
  message: 'Who?',
  schema: { type: 'object', properties: {} },
};
const PAGE: Question = { kind: 'url', message: 'Go', url: 'https://a.example/', waitsFor: 'done' };

function inbound(elicit: Elicit, review?: (answer: Answer) => Answer) {
  const room = new QuestionDesk({ elicit, clock: new ManualClock(), logger: silentLogger });
  const declined: DeclinedQuestion[] = [];
  room.attach({
    review: ({ answer }) =>
      Promise.resolve({ ok: true, value: review === undefined ? answer : review(answer) }),
    onDeclined: (one) => declined.push(one),
  });
  const ask = (
    server: string,
    question: Question,
    signal: AbortSignal = never,
  ): Promise<Answer> | undefined => room.of(server).elicit?.(question, { signal, finished: never });
  return { ask, declined };
}

describe('an elicitation of a server', () => {
  it('is not supported if the program cannot answer', () => {
    const room = new QuestionDesk({ elicit: undefined, clock: systemClock, logger: silentLogger });
    expect(room.of('a')).toEqual({});
  });

  it('waits until the one before is answered, whichever server it is from', async () => {
    const shown: string[] = [];
    const release: (() => void)[] = [];
    const { ask } = inbound(({ server }) => {
      shown.push(server);
      return new Promise((resolve) => release.push(() => resolve({ kind: 'accept' })));
    });
    const first = ask('a', QUESTION);
    const second = ask('b', QUESTION);
    await delay(0, systemClock, never);
    expect(shown).toEqual(['a']);
    release[0]?.();
    expect(await first).toEqual({ kind: 'accept', content: {} });
    await delay(0, systemClock, never);
    expect(shown).toEqual(['a', 'b']);
    release[1]?.();
    await second;
  });

  it('is aborted with its call, shown or still waiting, and the next one is shown', async () => {
    const calls = new AbortController();
    let count = 0;
    const { ask, declined } = inbound(() => {
      count += 1;
      return count === 1 ? new Promise(() => {}) : Promise.resolve({ kind: 'accept' });
    });
    const shown = ask('a', QUESTION, calls.signal);
    const waiting = ask('a', QUESTION, calls.signal);
    const next = ask('b', QUESTION);
    calls.abort();
    expect(await Promise.all([shown, waiting])).toEqual([{ kind: 'cancel' }, { kind: 'cancel' }]);
    expect(await next).toEqual({ kind: 'accept', content: {} });
    expect({ count, declined }).toEqual({ count: 2, declined: [] });
  });

  it('is declined if the user interface fails', async () => {
    const { ask, declined } = inbound(() => Promise.reject(new Error('no screen')));
    expect(await ask('a', QUESTION)).toEqual({ kind: 'decline' });
    expect(declined).toEqual([
      {
        server: 'a',
        question: 'form',
        message: 'Who?',
        reason: { kind: 'failed', detail: 'no screen' },
      },
    ]);
  });

  it('is limited per server', async () => {
    const { ask, declined } = inbound(() => Promise.resolve({ kind: 'accept' }));
    for (let count = 0; count < 20; count += 1) await ask('a', QUESTION);
    expect(await ask('b', QUESTION)).toEqual({ kind: 'accept', content: {} });
    expect(declined.map(({ server, reason }) => [server, reason.kind])).toEqual([
      ['a', 'too-many'],
    ]);
  });

  it('may be answered by a hook without a person, but a page is not visited', async () => {
    verifies('INB-05');
    const { ask, declined } = inbound(
      () => Promise.resolve({ kind: 'decline', because: 'nobody-to-ask' }),
      () => ({ kind: 'accept', content: {} }),
    );
    expect(await ask('a', QUESTION)).toEqual({ kind: 'accept', content: {} });
    expect(declined).toEqual([]);
    expect(await ask('a', PAGE)).toEqual({ kind: 'decline' });
    expect(declined).toMatchObject([{ question: 'url', reason: { kind: 'hook' } }]);
  });

  it('about a page is answered without content, whatever the user interface returns', async () => {
    const { ask } = inbound(() => Promise.resolve({ kind: 'accept', content: { token: 'x' } }));
    expect(await ask('a', PAGE)).toEqual({ kind: 'accept', content: {} });
  });
});
