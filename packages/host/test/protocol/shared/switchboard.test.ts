import { verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { failedAnswer } from '../../../src/protocol/frame/failed-answer.ts';
import type { InboundGrants } from '../../../src/protocol/neutral/inbound-requests.ts';
import type { Line } from '../../../src/protocol/shared/line.ts';
import { Switchboard } from '../../../src/protocol/shared/switchboard.ts';

type Message = Parameters<Switchboard['fromServer']>[0];
type Fields = Readonly<Record<string, unknown>>;

class FakeHost implements Line {
  readonly heard: unknown[] = [];
  deliver(said: unknown): void {
    this.heard.push(said);
  }
  fail(id: unknown, failure: unknown): void {
    this.heard.push({ id, failure });
  }
}

function given(options: { roots?: { uri: string; name: string }[]; grants?: InboundGrants } = {}) {
  const told: Fields[] = [];
  const notes: string[] = [];
  const board = new Switchboard({
    toServer: (said) => told.push(said),
    roots: options.roots,
    grants: options.grants ?? { elicit: true, sample: false, roots: false },
    note: (text) => notes.push(text),
  });
  const join = (capabilities?: object): FakeHost => {
    const host = new FakeHost();
    board.join(host);
    if (capabilities === undefined) return host;
    board.fromHost(host, message({ id: 0, method: 'initialize', params: { capabilities } }));
    const asked = told.findLast(({ method }) => method === 'initialize');
    if (asked !== undefined && host.heard.length === 0) {
      board.fromServer(message({ id: asked['id'], result: { serverInfo: {} } }));
    }
    told.length = 0;
    host.heard.length = 0;
    return host;
  };
  const say = (host: FakeHost, said: object): void => board.fromHost(host, message(said));
  const serverSays = (said: object): void => board.fromServer(message(said));
  return { board, told, notes, join, say, serverSays };
}

function message(fields: object): Message {
  return { jsonrpc: '2.0', ...fields } as unknown as Message;
}

const CALL = { method: 'tools/call', params: { name: 'echo' } };

describe('the switchboard of a shared server', () => {
  verifies('CON-12');

  it('gives each host the answers to its own requests, although all use the same ids', () => {
    const { told, join, say, serverSays } = given();
    const [one, other] = [join(), join()];
    say(one, { id: 7, ...CALL });
    say(other, { id: 7, ...CALL });
    const [first, second] = told.map(({ id }) => id);
    expect(first).not.toBe(second);
    serverSays({ id: second, result: { of: 'other' } });
    serverSays({ id: String(first), result: { of: 'one' } });
    expect(one.heard).toEqual([message({ id: 7, result: { of: 'one' } })]);
    expect(other.heard).toEqual([message({ id: 7, result: { of: 'other' } })]);
  });

  it('passes an answer on once, and no unsolicited one', () => {
    const { told, join, say, serverSays } = given();
    const host = join();
    say(host, { id: 1, ...CALL });
    const id = told[0]?.['id'];
    serverSays({ id, result: {} });
    serverSays({ id, result: { again: true } });
    serverSays({ id: 999, result: {} });
    serverSays({ id: 'server-1', result: {} });
    expect(host.heard).toEqual([message({ id: 1, result: {} })]);
  });

  it('lets a host cancel its own requests and nothing else', () => {
    const { told, join, say } = given();
    const [one, other] = [join(), join()];
    say(one, { id: 5, ...CALL });
    const own = told[0]?.['id'];
    told.length = 0;
    say(other, { method: 'notifications/cancelled', params: { requestId: 5 } });
    say(other, { method: 'notifications/cancelled', params: { requestId: own } });
    expect(told).toEqual([]);
    say(one, { method: 'notifications/cancelled', params: { requestId: 5, reason: 'enough' } });
    const params = { requestId: own, reason: 'enough' };
    expect(told).toEqual([message({ method: 'notifications/cancelled', params })]);
  });

  it('passes progress to the host of the call, under the token of that host', () => {
    const { told, join, say, serverSays } = given();
    const [one, other] = [join(), join()];
    const params = { name: 'echo', _meta: { progressToken: 'mine', other: 1 } };
    say(one, { id: 1, method: 'tools/call', params });
    say(other, { id: 1, method: 'tools/call', params });
    const [first] = told;
    const _meta = { progressToken: first?.['id'], other: 1 };
    expect(first?.['params']).toEqual({ name: 'echo', _meta });
    const progress = (progressToken: unknown): object => ({
      method: 'notifications/progress',
      params: { progressToken, progress: 1 },
    });
    serverSays(progress(first?.['id']));
    serverSays(progress('mine'));
    expect(one.heard).toEqual([message(progress('mine'))]);
    expect(other.heard).toEqual([]);
  });

  it('cancels the requests of a host at the server when that host leaves', () => {
    const { board, told, join, say, serverSays } = given();
    const [one, other] = [join(), join()];
    say(one, { id: 1, ...CALL });
    say(other, { id: 1, ...CALL });
    const [first, second] = told.map(({ id }) => id);
    told.length = 0;
    board.leave(one);
    expect(told).toMatchObject([
      { method: 'notifications/cancelled', params: { requestId: first } },
    ]);
    serverSays({ id: first, result: {} });
    serverSays({ id: second, result: {} });
    expect(one.heard).toEqual([]);
    expect(other.heard).toEqual([message({ id: 1, result: {} })]);
  });

  it('initializes the server once, with the capabilities of all hosts', () => {
    const { told, board, say, serverSays } = given({
      roots: [],
      grants: { elicit: true, sample: true, roots: true },
    });
    const [one, other, late] = [new FakeHost(), new FakeHost(), new FakeHost()];
    for (const host of [one, other]) {
      board.join(host);
      say(host, { id: 0, method: 'initialize', params: { capabilities: {}, clientInfo: {} } });
    }
    expect(told).toEqual([
      message({
        id: told[0]?.['id'],
        method: 'initialize',
        params: {
          capabilities: {
            elicitation: { form: {}, url: {} },
            sampling: { tools: {} },
            roots: { listChanged: true },
          },
          clientInfo: {},
        },
      }),
    ]);
    serverSays({ id: told[0]?.['id'], result: { serverInfo: { name: 's' } } });
    expect(told.at(-1)).toEqual(message({ method: 'notifications/initialized' }));
    say(one, { method: 'notifications/initialized' });
    board.join(late);
    say(late, { id: 9, method: 'initialize', params: {} });
    expect(told).toHaveLength(2);
    expect(other.heard).toEqual([message({ id: 0, result: { serverInfo: { name: 's' } } })]);
    expect(late.heard).toEqual([message({ id: 9, result: { serverInfo: { name: 's' } } })]);
  });

  it('passes a request of the server to the one waiting host, and accepts only its answer', () => {
    const { told, join, say, serverSays } = given();
    const able = { elicitation: {} };
    const [one, other] = [join(able), join(able)];
    say(one, { id: 1, ...CALL });
    told.length = 0;
    serverSays({ id: 33, method: 'elicitation/create', params: { message: 'who?' } });
    expect(other.heard).toEqual([]);
    const [asked] = one.heard as Fields[];
    expect(asked).toMatchObject({ method: 'elicitation/create', params: { message: 'who?' } });
    say(other, { id: asked?.['id'], result: { action: 'accept' } });
    expect(told).toEqual([]);
    say(one, { id: asked?.['id'], result: { action: 'decline' } });
    say(one, { id: asked?.['id'], result: { action: 'accept' } });
    expect(told).toEqual([message({ id: 33, result: { action: 'decline' } })]);
  });

  it.each([
    ['two hosts wait', { elicitation: {} }, 2],
    ['the host that waits cannot be asked', {}, 1],
  ])('answers a request of the server itself, and logs that, if %s', (_, capabilities, waiting) => {
    const { told, notes, join, say, serverSays } = given();
    const hosts = [join(capabilities), join({ elicitation: {} })];
    hosts.slice(0, waiting).forEach((host) => say(host, { id: 1, ...CALL }));
    told.length = 0;
    serverSays({ id: 4, method: 'elicitation/create', params: {} });
    serverSays({ id: 5, method: 'sampling/createMessage', params: {} });
    expect(told).toMatchObject([
      { id: 4, result: { action: 'cancel' } },
      { id: 5, error: { code: -1 } },
    ]);
    expect(notes).toHaveLength(2);
    expect(hosts.flatMap(({ heard }) => heard)).toEqual([]);
  });

  it('answers in place of a host that left with an open request', () => {
    const { board, told, join, serverSays } = given();
    const host = join({ elicitation: {} });
    serverSays({ id: 4, method: 'elicitation/create', params: {} });
    told.length = 0;
    board.leave(host);
    expect(told).toEqual([message({ id: 4, result: { action: 'cancel' } })]);
  });

  it('answers requests for the roots and pings, even without a host', () => {
    const roots = [{ uri: 'file:///here', name: 'here' }];
    const { told, serverSays } = given({ roots });
    serverSays({ id: 1, method: 'roots/list' });
    serverSays({ id: 2, method: 'ping' });
    serverSays({ id: 3, method: 'unheard/of' });
    expect(told).toMatchObject([
      { id: 1, result: { roots } },
      { id: 2, result: {} },
      { id: 3, error: { code: -32_601 } },
    ]);
  });

  it('passes changed lists and log messages to all hosts, and unknown notifications to none', () => {
    const { join, serverSays } = given();
    const hosts = [join(), join()];
    const news = { method: 'notifications/tools/list_changed' };
    const log = { method: 'notifications/message', params: { level: 'info', data: 'x' } };
    serverSays(news);
    serverSays(log);
    serverSays({ method: 'notifications/unheard-of', params: {} });
    for (const host of hosts) expect(host.heard).toEqual([message(news), message(log)]);
  });

  it('keeps a resource watched until the last interested host has left', () => {
    const { board, told, join, say, serverSays } = given();
    const [one, other, third] = [join(), join(), join()];
    const params = { uri: 'n://a' };
    say(one, { id: 1, method: 'resources/subscribe', params });
    say(other, { id: 1, method: 'resources/subscribe', params });
    told.length = 0;
    say(one, { id: 2, method: 'resources/unsubscribe', params });
    expect(told).toEqual([]);
    expect(one.heard).toEqual([message({ id: 2, result: {} })]);
    const update = { method: 'notifications/resources/updated', params: { uri: 'n://a/part' } };
    serverSays(update);
    expect(other.heard).toEqual([message(update)]);
    expect([one.heard.length, third.heard.length]).toEqual([1, 0]);
    board.leave(other);
    expect(told.map(({ method }) => method)).toEqual([
      'notifications/cancelled',
      'resources/unsubscribe',
    ]);
  });

  it('passes updates of a modern subscription to its host, under the id of that host', () => {
    const { told, join, say, serverSays } = given();
    const [one, other] = [join(), join()];
    say(one, { id: 3, method: 'subscriptions/listen', params: {} });
    const key = 'io.modelcontextprotocol/subscriptionId';
    const news = (id: unknown): object => ({
      method: 'notifications/tools/list_changed',
      params: { _meta: { [key]: id } },
    });
    serverSays(news(told[0]?.['id']));
    serverSays(news(4711));
    expect(one.heard).toEqual([message(news(3))]);
    expect(other.heard).toEqual([]);
  });

  it('lets only its host see, follow or cancel a task, and cancels it when that host leaves', () => {
    const { board, told, join, say, serverSays } = given();
    const [one, other] = [join(), join()];
    say(one, { id: 1, ...CALL });
    serverSays({ id: told[0]?.['id'], result: { resultType: 'task', taskId: 't1' } });
    told.length = 0;
    say(other, { id: 1, method: 'tasks/get', params: { taskId: 't1' } });
    say(other, { id: 2, method: 'tasks/cancel', params: { taskId: 't1' } });
    say(other, { id: 3, method: 'tasks/list' });
    expect(told).toEqual([]);
    expect(other.heard).toMatchObject([{ error: {} }, { error: {} }, { error: {} }]);
    serverSays({ method: 'notifications/tasks/status', params: { taskId: 't1' } });
    expect(other.heard).toHaveLength(3);
    expect(one.heard.at(-1)).toMatchObject({ method: 'notifications/tasks/status' });
    board.leave(one);
    expect(told).toMatchObject([{ method: 'tasks/cancel', params: { taskId: 't1' } }]);
  });

  it('reports why an unreadable answer failed', () => {
    const { board, told, join, say } = given();
    const host = join();
    say(host, { id: 'a', ...CALL });
    const failure = { kind: 'too-large', bytes: 2, limit: 1 } as const;
    board.fromServer(failedAnswer(Number(told[0]?.['id']), failure));
    expect(host.heard).toEqual([{ id: 'a', failure }]);
  });

  it('refuses a host with too many pending requests', () => {
    const { told, join, say } = given();
    const host = join();
    for (let id = 0; id < 1100; id += 1) say(host, { id, ...CALL });
    expect(told).toHaveLength(1024);
    expect(host.heard).toHaveLength(76);
    expect(host.heard[0]).toMatchObject({ id: 1024, error: { code: -32_000 } });
  });
});
