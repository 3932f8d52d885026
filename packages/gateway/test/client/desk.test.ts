import { silentLogger } from '@plugboard/base';
import { ManualClock, verifies } from '@plugboard/testkit';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Desk } from '../../src/client/index.ts';

type Wish = Parameters<Desk['ask']>[0];

const WISH: Wish = {
  kind: 'approval',
  server: 'one',
  tool: 'echo',
  client: 'a client',
  call: undefined,
  arguments: {},
  script: { name: 'a script', code: 'return 1' },
  offers: ['once', 'script', 'session'],
  reason: 'no rule allows it',
};
const ADMINISTRATOR = { principal: 'ada', isAdministrator: true };
const BOB = { principal: 'bob', isAdministrator: false };

function watchedDesk(): Desk {
  const desk = new Desk(new ManualClock(), silentLogger);
  desk.watch(ADMINISTRATOR);
  onTestFinished(() => desk.close());
  return desk;
}

function ask(desk: Desk, owner: string): ReturnType<Desk['ask']> {
  const [principal = ''] = owner.split('/');
  return desk.ask(WISH, { principal, owner, signal: new AbortController().signal });
}

describe('the desk', () => {
  verifies('GWY-01');

  it('has room for one principal, however many items of another principal wait', async () => {
    const desk = watchedDesk();
    for (const session of [1, 2, 3, 4, 5]) {
      for (const _ of Array(100)) void ask(desk, `mallory/${session}`);
    }
    expect(await ask(desk, 'mallory/6')).toBeUndefined();
    const bobs = ask(desk, 'bob/1');
    const [view] = desk.waitingFor(BOB);
    desk.answer(view?.id ?? '', { kind: 'allow', remember: 'once' }, ADMINISTRATOR);
    expect(await bobs).toEqual({ kind: 'allow', remember: 'once' });
  });

  it.each(['script', 'session'] as const)(
    'accepts an approval for the %s only from an administrator, since it affects all clients',
    (remember) => {
      const desk = watchedDesk();
      void ask(desk, 'bob/1');
      const [view] = desk.waitingFor(BOB);
      const answer = { kind: 'allow', remember } as const;
      const reason = 'only an administrator can allow more than this call';
      expect(desk.answer(view?.id ?? '', answer, BOB)).toEqual({ kind: 'unfit', reason });
      expect(desk.answer(view?.id ?? '', answer, ADMINISTRATOR)).toEqual({ kind: 'answered' });
    },
  );
});
