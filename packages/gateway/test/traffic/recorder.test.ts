import { ManualClock, verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { Recorder, type RecorderLimits, type TrafficChange } from '../../src/traffic/index.ts';

const client = { id: 'c1', name: 'test', era: 'legacy', principal: 'me' } as const;

function recorderWith(limits: Partial<RecorderLimits> = {}) {
  const clock = new ManualClock();
  const onListenerError = (thrown: unknown): void => {
    throw thrown;
  };
  return { clock, recorder: new Recorder({ clock, limits, onListenerError }) };
}

describe('a recorder', () => {
  it('keeps the newest calls within its limit of messages', () => {
    verifies('CON-UI');
    const { recorder } = recorderWith({ messages: 10 });
    for (let id = 1; id <= 20; id += 1) {
      recorder.begin({ client, id, method: 'ping', params: {} }).end({ id, result: {} });
    }
    const ids = recorder.calls({ limit: 100 }).map(({ id }) => id);
    expect(ids).toEqual(['20', '19', '18', '17', '16']);
    expect(recorder.call('15')).toBeUndefined();
    expect(recorder.size).toBe(5);
  });

  it('finds calls of the reader by a text in their messages as shown', async () => {
    verifies('CON-UI');
    const { recorder } = recorderWith();
    for (let id = 1; id <= 600; id += 1) {
      const given = { name: 'log', arguments: { text: `Line ${id}`, password: 'hunter2' } };
      const of = id % 2 === 0 ? client : { ...client, principal: 'you' };
      recorder
        .begin({ client: of, id, method: 'tools/call', params: given })
        .end({ id, result: {} });
    }
    const all = { limit: 100 };
    expect(await recorder.search('line 60', all)).toEqual(['600', '60']);
    expect(await recorder.search('line 6', { ...all, principal: 'you', limit: 2 })).toEqual([
      '69',
      '67',
    ]);
    expect(await recorder.search('hunter2', all)).toEqual([]);
  });

  it('measures a server from the first request, and ignores denied calls', async () => {
    verifies('CON-UI');
    const { clock, recorder } = recorderWith();
    const params = { name: 'echo', arguments: {} };
    const begin = (id: number) =>
      recorder.begin({ client, id, method: 'tools/call', params }).sentTo('one', 'echo');
    const asked = begin(1);
    // The time of the approval.
    await clock.advance(60_000);
    asked.message('sent', { id: 1, method: 'tools/call', params }, 'legacy');
    await clock.advance(20);
    asked.ended({ ok: true, value: { content: [] } }, 'tools/call');
    const denied = { kind: 'denied', server: 'one', tool: 'echo', reason: 'no' } as const;
    begin(2).ended({ ok: false, error: denied as never }, 'tools/call');
    expect(recorder.server('one')).toEqual({ calls: 1, failed: 0, latencies: [20] });
  });

  it('stays within its memory limit, and cuts long messages', () => {
    verifies('CON-UI');
    const { recorder } = recorderWith({ bytes: 1_000_000 });
    const text = 'x'.repeat(1_000_000);
    for (let id = 1; id <= 30; id += 1) {
      const call = recorder.begin({ client, id, method: 'tools/call', params: { text } });
      call.end({ id, result: { text } });
    }
    expect(recorder.size).toBeGreaterThan(5);
    expect(recorder.size).toBeLessThan(9);
    const [first] = recorder.call('30')?.trace ?? [];
    expect(first).toMatchObject({ isCut: true });
    expect(first?.bytes).toBeGreaterThan(1_000_000);
    expect(first?.body.length).toBeLessThan(66_000);
  });

  it('drops even a running call to make room', () => {
    verifies('CON-UI');
    const { recorder } = recorderWith({ messages: 3 });
    const running = recorder.begin({ client, id: 0, method: 'tools/call', params: {} });
    for (let id = 1; id <= 3; id += 1) {
      recorder.begin({ client, id, method: 'ping', params: {} }).end({ id, result: {} });
    }
    running.end({ id: 0, error: { code: -1, message: 'no' } });
    expect(recorder.size).toBe(1);
    expect(recorder.calls({ limit: 5 }).map(({ id }) => id)).toEqual(['4']);
  });

  it('keeps the first messages of a call that has very many, and counts all', () => {
    verifies('CON-UI');
    const { recorder } = recorderWith();
    const call = recorder.begin({ client, id: 0, method: 'tools/call', params: {} });
    for (let step = 0; step < 5000; step += 1) {
      call.toClient({ method: 'notifications/progress', params: { step } });
    }
    const detail = recorder.call(call.id);
    expect(detail?.messages).toBe(5001);
    expect(detail?.trace).toHaveLength(1000);
  });

  it('returns calls in pages, newest first, and none for an invalid cursor', () => {
    verifies('CON-UI');
    const { recorder } = recorderWith();
    for (let id = 1; id <= 5; id += 1) recorder.begin({ client, id, method: 'ping', params: {} });
    const page = (before: string | undefined) =>
      recorder.calls({ before, limit: 2 }).map(({ id }) => id);
    expect([page(undefined), page('4'), page('2'), page('1')]).toEqual([
      ['5', '4'],
      ['3', '2'],
      ['1'],
      [],
    ]);
    expect([page('99999999999999'), page('x'), page('-1'), page('')]).toEqual([
      ['5', '4'],
      [],
      [],
      [],
    ]);
  });

  it('reports a flood of calls a few times a second, with the latest state of each', async () => {
    verifies('CON-UI');
    const { clock, recorder } = recorderWith();
    const told: TrafficChange[] = [];
    recorder.on((change) => told.push(change));
    for (let id = 1; id <= 1000; id += 1) {
      recorder.begin({ client, id, method: 'ping', params: {} }).end({ id, result: {} });
    }
    expect(told).toEqual([]);
    await clock.advance(100);
    expect(told).toHaveLength(1);
    const [change] = told;
    expect(change?.skipped).toBe(900);
    expect(change?.calls.map(({ id }) => id)).toEqual(
      Array.from({ length: 100 }, (_, index) => String(901 + index)),
    );
    expect(change?.calls.every(({ state }) => state === 'ok')).toBe(true);
    await clock.advance(10_000);
    expect(told).toHaveLength(1);
  });

  it('sets no timer without listeners', () => {
    verifies('CON-UI');
    const { clock, recorder } = recorderWith();
    recorder.begin({ client, id: 1, method: 'ping', params: {} });
    expect(clock.pending).toBe(0);
  });
});
