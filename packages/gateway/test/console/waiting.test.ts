// Approvals and questions of servers that the client cannot show, answered over the console.

import type { Client } from '@modelcontextprotocol/client';
import { Scope } from '@plugboard/base';
import { ManualClock, verifies, waitUntil } from '@plugboard/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Era } from '@plugboard/host/relay';
import type { ApprovalView, WaitingView } from '../../src/console-api.ts';
import { modernRequest, type RawAnswer, type RawStream, send } from '../attacks/raw-http.ts';
import { cells, openGateway, type OpenGateway, rpcErrorOf, serverOf } from '../cells.ts';
import { bearer, MARKED, openFeed, stateOf, stepsIn } from './console-of.ts';

let scope: Scope;
beforeEach(() => {
  scope = new Scope();
});
afterEach(() => scope.close());

const SECRET = 'secret-of-the-console';
const ECHO = { name: 'one__echo', arguments: { message: 'hi' } };
const FORM = {
  mode: 'form',
  message: 'What is your name?',
  requestedSchema: {
    type: 'object',
    properties: { name: { type: 'string', minLength: 1 } },
    required: ['name'],
  },
};
const PAGE = { mode: 'url', message: 'Sign in', url: 'https://example.test/', elicitationId: 'e1' };

interface Watched extends OpenGateway {
  /** The address of `/console`. */
  readonly at: string;
  readonly answer: (id: string, answer: object, token?: string) => Promise<RawAnswer>;
  readonly watch: (token?: string) => Promise<RawStream>;
  readonly waiting: (token?: string) => Promise<readonly WaitingView[]>;
}

async function watched(
  era: Era,
  { approvals, clock }: { approvals?: 'of clients'; clock?: ManualClock } = {},
): Promise<Watched> {
  const servers = { one: serverOf(era, { asking: true }) };
  const opened = await openGateway(
    scope,
    { servers },
    {
      ...(approvals === undefined ? {} : { approvals }),
      ...(clock === undefined ? {} : { clock }),
      address: { console: { secret: SECRET } },
    },
  );
  const at = opened.url.replace(/mcp$/, 'console');
  return {
    ...opened,
    at,
    answer: (id, answer, token = SECRET) => {
      const headers = { ...MARKED, ...bearer(token) };
      return send(`${at}/api/waiting/${id}`, { headers, body: JSON.stringify(answer) });
    },
    watch: async (token = SECRET) => {
      const feed = await openFeed(at, bearer(token));
      scope.defer(() => feed.destroy());
      return feed;
    },
    waiting: async (token = SECRET) => (await stateOf(at, bearer(token))).waiting,
  };
}

async function firstWaiting(feed: RawStream): Promise<WaitingView> {
  const found = (): WaitingView | undefined =>
    stepsIn(feed).flatMap(({ event }) => (event.kind === 'waiting' ? [event.waiting] : []))[0];
  await waitUntil(() => found() !== undefined, { describe: 'something that waits' });
  return found() as WaitingView;
}

const textOf = (result: unknown): string => JSON.stringify(result);

describe.each(cells)('with a $name, the console', ({ client: clientEra, server: serverEra }) => {
  verifies('GWY-01', 'CON-UI');

  it('shows the approval that the client cannot show, and the call continues', async () => {
    const { connect, watch, answer, waiting } = await watched(serverEra, {
      approvals: 'of clients',
    });
    const client = await connect(clientEra);
    const feed = await watch();
    const called = client.callTool(ECHO);
    const view = await firstWaiting(feed);
    expect(view).toMatchObject({
      kind: 'approval',
      server: 'one',
      tool: 'echo',
      client: 'official',
      arguments: { message: 'hi' },
      offers: ['once', 'session'],
      reason: 'no rule allows it',
    });
    expect(await waiting()).toEqual([view]);
    expect(view.until - view.at).toBe(5 * 60_000);
    expect((await answer(view.id, { kind: 'allow', remember: 'session' })).status).toBe(204);
    expect(textOf(await called)).toContain('hi');
    expect(await waiting()).toEqual([]);
    expect(stepsIn(feed).map(({ event }) => event)).toContainEqual({
      kind: 'answered',
      id: view.id,
      answer: 'allow',
    });
    // An approval for the session covers later calls.
    expect(textOf(await client.callTool(ECHO))).toContain('hi');
    expect((await answer(view.id, { kind: 'deny' })).status).toBe(404);
  });

  it('shows the form of a server that the client cannot show', async () => {
    const { connect, watch, answer } = await watched(serverEra);
    const feed = await watch();
    const client = await connect(clientEra);
    const asked = answersOf(client, { method: 'elicitation/create', params: FORM });
    const view = await firstWaiting(feed);
    expect(view).toMatchObject({
      kind: 'form',
      server: 'one',
      client: 'official',
      message: FORM.message,
      schema: FORM.requestedSchema,
    });
    expect((await answer(view.id, { kind: 'accept', content: { name: '' } })).status).toBe(409);
    expect((await answer(view.id, { kind: 'allow', remember: 'once' })).status).toBe(409);
    expect((await answer(view.id, { kind: 'yes' })).status).toBe(400);
    const accepted = { kind: 'accept', content: { name: 'Ada' } };
    expect((await answer(view.id, accepted)).status).toBe(204);
    expect(await asked).toEqual([{ result: { action: 'accept', content: { name: 'Ada' } } }]);
  });

  it('shows the page of a server that the client cannot open, although it supports forms', async () => {
    const { connect, watch, answer } = await watched(serverEra);
    const feed = await watch();
    const client = await connect(clientEra, { capabilities: { elicitation: { form: {} } } });
    const { elicitationId: _, ...page } = PAGE;
    const params = serverEra === 'legacy' ? PAGE : page;
    const asked = answersOf(client, { method: 'elicitation/create', params });
    const view = await firstWaiting(feed);
    expect(view).toMatchObject({ kind: 'page', url: PAGE.url, message: PAGE.message });
    expect((await answer(view.id, { kind: 'decline' })).status).toBe(204);
    expect(await asked).toEqual([{ result: { action: 'decline' } }]);
  });
});

describe('a call that no rule decides', () => {
  verifies('GWY-01');

  it('is denied with the rule to add if nobody watches', async () => {
    const { connect, waiting } = await watched('legacy', { approvals: 'of clients' });
    const client = await connect('legacy');
    const result = await client.callTool(ECHO);
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain('plugboard permissions one/echo --allow');
    expect(await waiting()).toEqual([]);
  });

  it('is denied without the advice to allow it if a rule requires a person', async () => {
    const permissions = { ask: ['one/echo'], allow: ['one/echo'] };
    const servers = { one: serverOf('legacy') };
    const { connect } = await openGateway(
      scope,
      { servers, permissions },
      { approvals: 'of clients' },
    );
    const client = await connect('legacy');
    const result = await client.callTool(ECHO);
    expect(result.isError).toBe(true);
    expect(textOf(result)).toMatch(
      /a person has to be asked first \(the rule one\/echo at .+\), and none could be\. The user can be asked at a terminal: plugboard approvals"/,
    );
  });

  it('is denied if the person denies it, or does not answer within five minutes', async () => {
    const clock = new ManualClock();
    const { connect, watch, answer, waiting, gateway } = await watched('legacy', {
      approvals: 'of clients',
      clock,
    });
    const client = await connect('legacy');
    const feed = await watch();
    const refused = client.callTool(ECHO);
    const { id } = await firstWaiting(feed);
    await answer(id, { kind: 'deny' });
    expect(textOf(await refused)).toContain('the user said no');
    const late = client.callTool(ECHO);
    await waitUntil(async () => (await waiting()).length === 1, { describe: 'the second' });
    await clock.advance(5 * 60_000);
    expect(textOf(await late)).toContain('plugboard permissions one/echo --allow');
    expect(await waiting()).toEqual([]);
    const calls = (gateway.recorder?.calls({ limit: 10 }) ?? []).filter(
      ({ method }) => method === 'tools/call',
    );
    const decisions = calls.map((call) => gateway.recorder?.call(call.id)?.decision?.answer);
    expect(decisions).toEqual(['unanswered', 'denied']);
  });

  it('waits although another client has used up its room of a hundred', async () => {
    const { connect, watch, waiting } = await watched('legacy', { approvals: 'of clients' });
    const [many, other] = [await connect('legacy'), await connect('legacy')];
    await watch();
    const flood = Array.from({ length: 101 }, () => many.callTool(ECHO).catch(() => undefined));
    const refused = await Promise.race(flood);
    expect(textOf(refused ?? {})).toContain('no person could be asked');
    const one = other.callTool(ECHO).catch(() => undefined);
    await waitUntil(async () => (await waiting()).length === 101, {
      describe: 'that of the other',
    });
    await Promise.all([many.close(), other.close()]);
    await Promise.all([...flood, one]);
  });

  it('is allowed together with pending calls of the same tool if a person allows it for the session', async () => {
    const { connect, watch, answer, waiting } = await watched('legacy', {
      approvals: 'of clients',
    });
    const client = await connect('modern');
    await watch();
    const echoes = [client.callTool(ECHO), client.callTool(ECHO)];
    const other = client.callTool({ name: 'one__add', arguments: { a: 1, b: 2 } });
    await waitUntil(async () => (await waiting()).length === 3, { describe: 'all three' });
    const views = (await waiting()) as readonly ApprovalView[];
    const [first] = views.filter(({ tool }) => tool === 'echo');
    await answer(first?.id ?? '', { kind: 'allow', remember: 'session' });
    for (const echo of echoes) expect(textOf(await echo)).toContain('hi');
    const left = (await waiting()) as readonly ApprovalView[];
    expect(left.map(({ tool }) => tool)).toEqual(['add']);
    await answer(left[0]?.id ?? '', { kind: 'deny' });
    expect(textOf(await other)).toContain('the user said no');
  });

  it('is allowed alone if a person allows it once', async () => {
    const { connect, watch, answer, waiting } = await watched('legacy', {
      approvals: 'of clients',
    });
    const client = await connect('modern');
    await watch();
    const echoes = [client.callTool(ECHO), client.callTool(ECHO)];
    await waitUntil(async () => (await waiting()).length === 2, { describe: 'both' });
    const [first, second] = await waiting();
    await answer(first?.id ?? '', { kind: 'allow', remember: 'once' });
    await Promise.race(echoes);
    expect(await waiting()).toEqual([second]);
    await answer(second?.id ?? '', { kind: 'deny' });
    await Promise.all(echoes);
  });

  it('stops waiting when its client disconnects', async () => {
    const { connect, watch, waiting } = await watched('legacy', { approvals: 'of clients' });
    const client = await connect('modern');
    const feed = await watch();
    const gone = new AbortController();
    const called = rpcErrorOf(client.callTool(ECHO, { signal: gone.signal }));
    await firstWaiting(feed);
    gone.abort();
    await called;
    await waitUntil(async () => (await waiting()).length === 0, { describe: 'nothing to wait' });
  });
});

describe('a gateway of several principals', () => {
  verifies('CON-UI');

  it('lets a principal answer its own calls, once each, and an administrator all', async () => {
    const tokens = new Map([
      ['token-of-ada-lovelace', 'ada'],
      ['token-of-bob-kahn', 'bob'],
    ]);
    const { gateway } = await openGateway(
      scope,
      { servers: { one: serverOf('legacy') } },
      { approvals: 'of clients' },
    );
    const { url } = await gateway.listen({ tokens, console: { administrators: ['ada'] } });
    const at = url.replace(/mcp$/, 'console');
    const [ada, bob] = ['token-of-ada-lovelace', 'token-of-bob-kahn'];
    const waitingOf = async (token: string): Promise<readonly WaitingView[]> =>
      (await stateOf(at, bearer(token))).waiting;
    const answer = async (token: string, id: string, given: object): Promise<number> => {
      const headers = { ...MARKED, ...bearer(token) };
      const body = JSON.stringify(given);
      return (await send(`${at}/api/waiting/${id}`, { headers, body })).status;
    };
    const call = (token: string): Promise<RawAnswer> => send(url, callBy(token));
    // Bob watches, but cannot answer for Ada.
    const bobs = await openFeed(at, bearer(bob));
    expect((await call(ada)).text).toContain('plugboard permissions');
    const own = call(bob);
    const { id } = await firstWaiting(bobs);
    expect(await answer(bob, id, { kind: 'allow', remember: 'session' })).toBe(409);
    expect(await answer(bob, id, { kind: 'allow', remember: 'once' })).toBe(204);
    expect((await own).text).toContain('hi');
    const adas = await openFeed(at, bearer(ada));
    const adasCall = call(ada);
    const waits = await firstWaiting(adas);
    expect(await waitingOf(bob)).toEqual([]);
    expect(await answer(bob, waits.id, { kind: 'allow', remember: 'once' })).toBe(404);
    expect(await answer(ada, waits.id, { kind: 'deny' })).toBe(204);
    expect((await adasCall).text).toContain('the user said no');
    expect(bobs.text()).not.toContain(waits.id);
    bobs.destroy();
    adas.destroy();
  });
});

function callBy(token: string): Parameters<typeof send>[1] {
  const request = modernRequest({ params: ECHO });
  return { ...request, headers: { ...request.headers, ...bearer(token) } };
}

async function answersOf(client: Client, given: object): Promise<readonly unknown[]> {
  const { structuredContent } = await client.callTool({
    name: 'one__ask',
    arguments: { ...given },
  });
  return (structuredContent as { answers: unknown[] }).answers;
}
