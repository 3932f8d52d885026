import type {
  CallView,
  ConsoleState,
  ServerView,
  WaitingView,
} from '@plugboard/gateway/console-api';
import { describe, expect, it } from 'vitest';
import { ConsoleStore } from '../../src/store/console-store.ts';

const server = (name: string, state: ServerView['state'] = 'ready'): ServerView => ({
  name,
  title: undefined,
  version: undefined,
  transport: 'stdio',
  source: 'user',
  state,
  problem: undefined,
  command: undefined,
  era: 'legacy',
  protocolVersion: undefined,
  tools: 0,
  tokens: 0,
  quarantined: 0,
  calls: 0,
  failed: 0,
  latencies: [],
});

const call = (id: string, at: number, state: CallView['state'] = 'ok'): CallView => ({
  id,
  at,
  ms: 1,
  client: 'c',
  clientName: 'test',
  clientEra: 'legacy',
  method: 'tools/call',
  subject: 'echo',
  server: 'a',
  serverEra: 'legacy',
  state,
  problem: undefined,
  bytes: 1,
  messages: 4,
  replayOf: undefined,
});

const question: WaitingView = {
  kind: 'page',
  id: 'w1',
  at: 1,
  until: 300_001,
  server: 'a',
  client: 'test',
  call: undefined,
  message: 'Sign in',
  schema: undefined,
  url: 'https://example.com/',
  warnings: [],
};

const state = (since = 1): ConsoleState => ({
  cursor: 0,
  gateway: {
    version: '0.1.0',
    since,
    url: undefined,
    apps: undefined,
    profiles: [],
    principal: 'me',
    isAdministrator: true,
  },
  servers: [server('b'), server('a')],
  clients: [],
  waiting: [question],
  traffic: { requests: 10, failed: 1, running: 0 },
});

const stored = (): ConsoleStore => {
  const store = new ConsoleStore();
  store.take(state());
  return store;
};
const ids = (store: ConsoleStore): readonly string[] =>
  store.calls.calls.map((each) => each.call.id);

describe('the store', () => {
  it('follows servers by name', () => {
    const store = stored();
    store.apply([{ kind: 'server', server: server('b', 'failed') }], 0);
    store.apply(
      [
        { kind: 'server', server: server('c') },
        { kind: 'server-gone', name: 'a' },
      ],
      0,
    );
    expect(store.servers.value.map(({ name, state: is }) => [name, is])).toEqual([
      ['b', 'failed'],
      ['c', 'ready'],
    ]);
  });

  it('keeps the answer to something that waited', () => {
    const store = stored();
    store.apply([{ kind: 'answered', id: 'w1', answer: 'accept' }], 5);
    store.apply([{ kind: 'answered', id: 'unknown', answer: 'accept' }], 6);
    expect(store.waiting.value).toEqual([]);
    expect(store.answered.value).toEqual([{ waiting: question, answer: 'accept', at: 5 }]);
  });

  it('orders calls by their start, with loaded history before known calls', () => {
    const store = stored();
    store.apply(
      [
        { kind: 'call', call: call('5', 5) },
        { kind: 'call', call: call('4', 4) },
      ],
      0,
    );
    expect(store.calls.putPage([call('5', 5, 'error'), call('3', 3), call('2', 2)])).toBe(2);
    expect(ids(store)).toEqual(['2', '3', '4', '5']);
    expect(store.calls.find('5')?.call.state).toBe('ok');
    expect(store.calls.oldest).toBe('2');
  });

  it('drops the calls of an earlier run of the gateway', () => {
    const store = stored();
    store.apply([{ kind: 'call', call: call('1', 1) }], 0);
    store.take(state());
    expect(ids(store)).toEqual(['1']);
    store.take(state(2));
    expect(ids(store)).toEqual([]);
  });

  it('keeps a hundred thousand calls, and drops the oldest', () => {
    const store = stored();
    const many = Array.from({ length: 100_001 }, (_, at) => call(String(at), at));
    store.calls.put(many);
    expect(store.calls.calls.length).toBeLessThanOrEqual(100_000);
    expect(store.calls.calls.at(-1)?.call.id).toBe('100000');
    expect(store.calls.find('0')).toBeUndefined();
    expect(store.calls.putPage([call('late', -1)])).toBe(1);
  });
});
