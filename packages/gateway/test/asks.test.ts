import { Scope } from '@plugboard/base';
import { ManualClock, verifies, waitUntil } from '@plugboard/testkit';
import type { Client } from '@modelcontextprotocol/client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cells, openGateway, requestOf, rpcErrorOf, serverOf } from './cells.ts';

let scope: Scope;
beforeEach(() => {
  scope = new Scope();
});
afterEach(() => scope.close());

const FORM = {
  mode: 'form',
  message: 'What is your name?',
  requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
};
const PAGE = { mode: 'url', message: 'Sign in', url: 'https://example.test/', elicitationId: 'e1' };
const SAMPLE = {
  messages: [{ role: 'user', content: { type: 'text', text: 'Hi' } }],
  maxTokens: 10,
  tools: [{ name: 'look', inputSchema: { type: 'object' } }],
  toolChoice: { mode: 'auto' },
};
const SAMPLED = {
  role: 'assistant',
  model: 'scripted',
  content: [{ type: 'tool_use', id: 't1', name: 'look', input: { at: 1 } }],
  stopReason: 'toolUse',
};
const ROOTS = { roots: [{ uri: 'file:///home/ada', name: 'home' }] };
const EVERYTHING = {
  elicitation: { form: {}, url: {} },
  sampling: { tools: {} },
  roots: { listChanged: true },
};

interface Answers {
  readonly elicit?: () => object;
}

/** Answers and records requests of the server. */
function answering(asked: unknown[], { elicit }: Answers = {}): (client: Client) => void {
  return (client) => {
    client.setRequestHandler('elicitation/create', ({ params }) => {
      asked.push(params);
      return (elicit?.() ?? { action: 'accept', content: { name: 'Ada' } }) as never;
    });
    client.setRequestHandler('sampling/createMessage', ({ params }) => {
      asked.push(params);
      return SAMPLED as never;
    });
    client.setRequestHandler('roots/list', () => {
      asked.push('roots');
      return ROOTS;
    });
  };
}

const answersOf = async (
  client: Client,
  given: object,
  name = 'one__ask',
): Promise<readonly unknown[]> => {
  const call = { name, arguments: { ...given } };
  const { structuredContent } = await client.callTool(call);
  return (structuredContent as { answers: unknown[] }).answers;
};

describe.each(cells)('a gateway between a $name', ({ client: clientEra, server: serverEra }) => {
  const servers = { one: serverOf(serverEra, { asking: true }) };

  it('passes requests for forms, pages, samples with tools, and roots to the client', async () => {
    verifies('GWY-01');
    const { connect } = await openGateway(scope, { servers });
    const asked: unknown[] = [];
    const prepare = answering(asked);
    const client = await connect(clientEra, { capabilities: EVERYTHING, prepare });
    const form = { method: 'elicitation/create', params: FORM };
    const accepted = { result: { action: 'accept', content: { name: 'Ada' } } };
    expect(await answersOf(client, form)).toEqual([accepted]);
    const page = { method: 'elicitation/create', params: PAGE };
    expect(await answersOf(client, page)).toEqual([accepted]);
    const sample = { method: 'sampling/createMessage', params: SAMPLE };
    expect(await answersOf(client, sample)).toMatchObject([{ result: SAMPLED }]);
    expect(await answersOf(client, { method: 'roots/list', params: {} })).toMatchObject([
      { result: ROOTS },
    ]);
    expect(asked).toMatchObject([FORM, { url: PAGE.url, mode: 'url' }, SAMPLE, 'roots']);
  });

  it('gives legacy clients the id of a page, which modern servers do not send', async () => {
    verifies('GWY-01');
    const { connect } = await openGateway(scope, { servers });
    const asked: unknown[] = [];
    const prepare = answering(asked, { elicit: () => ({ action: 'accept' }) });
    const client = await connect(clientEra, { capabilities: EVERYTHING, prepare });
    const { elicitationId: _, ...params } = PAGE;
    const given = serverEra === 'legacy' ? PAGE : params;
    await answersOf(client, { method: 'elicitation/create', params: given });
    const id = clientEra === 'legacy' ? expect.stringMatching(/./) : undefined;
    expect(asked).toMatchObject([id === undefined ? params : { ...params, elicitationId: id }]);
  });

  it('passes several questions to the client at once, and one after another', async () => {
    verifies('GWY-01');
    const { connect } = await openGateway(scope, { servers });
    const asked: unknown[] = [];
    let count = 0;
    const elicit = (): object => ({ action: 'accept', content: { name: `n${(count += 1)}` } });
    const prepare = answering(asked, { elicit });
    const client = await connect(clientEra, { capabilities: EVERYTHING, prepare });
    const names = (answers: readonly unknown[]): unknown[] =>
      answers.map((one) => (one as { result: { content: object } }).result.content);
    const form = { method: 'elicitation/create', params: FORM, times: 3 };
    const atOnce = names(await answersOf(client, form));
    expect(new Set(atOnce.map((one) => JSON.stringify(one))).size).toBe(3);
    const inTurn = names(await answersOf(client, { ...form, inTurn: true }));
    expect(inTurn).toEqual([4, 5, 6].map((n) => ({ name: `n${n}` })));
  });

  it('tells the server that the client declines', async () => {
    verifies('GWY-01');
    const { connect } = await openGateway(scope, { servers });
    const prepare = answering([], { elicit: () => ({ action: 'decline' }) });
    const client = await connect(clientEra, { capabilities: EVERYTHING, prepare });
    const form = { method: 'elicitation/create', params: FORM };
    expect(await answersOf(client, form)).toEqual([{ result: { action: 'decline' } }]);
  });

  it('replies to a server whose client lacks the capability', async () => {
    verifies('GWY-01');
    const { connect } = await openGateway(scope, { servers });
    const client = await connect(clientEra, { capabilities: { elicitation: { form: {} } } });
    const ask = (method: string, params: object): Promise<unknown> =>
      answersOf(client, { method, params: { ...params } });
    if (serverEra === 'modern') {
      const lacking = { code: -32_021, data: { requiredCapabilities: { sampling: {} } } };
      expect(await rpcErrorOf(ask('sampling/createMessage', SAMPLE))).toMatchObject(lacking);
      // The client does not check modes; the gateway does.
      const required = { elicitation: { url: {} } };
      expect(await rpcErrorOf(ask('elicitation/create', PAGE))).toMatchObject({
        code: -32_021,
        data: { requiredCapabilities: required },
      });
      return;
    }
    expect(await ask('sampling/createMessage', SAMPLE)).toMatchObject([
      { error: { code: -32_601 } },
    ]);
    expect(await ask('roots/list', {})).toMatchObject([{ error: { code: -32_601 } }]);
    expect(await ask('elicitation/create', PAGE)).toMatchObject([{ error: { code: -32_602 } }]);
  });
});

describe('a legacy server that waits for an answer', () => {
  const servers = { one: serverOf('legacy', { asking: true }) };
  const call = { name: 'one__ask', arguments: { method: 'elicitation/create', params: FORM } };
  const heard = async (client: Client): Promise<string> =>
    JSON.stringify(await client.callTool({ name: 'one__heard' }));

  it('is notified of the cancellation if its modern client never repeats the request', async () => {
    verifies('GWY-01');
    const clock = new ManualClock();
    const { connect } = await openGateway(scope, { servers }, { clock });
    const client = await connect('modern', { capabilities: EVERYTHING });
    const first = await client.callTool(call, { allowInputRequired: true });
    expect(first).toMatchObject({ resultType: 'input_required' });
    const { requestState } = first as unknown as { requestState: string };
    await clock.advance(10 * 60_000);
    const inputResponses = { 'ask-1': { action: 'decline' } };
    const late = requestOf(client, 'tools/call', { ...call, inputResponses, requestState });
    expect(await rpcErrorOf(late)).toMatchObject({ code: -32_602 });
    await waitUntil(async () => (await heard(client)).includes('notifications/cancelled'), {
      describe: 'the server to hear of it',
    });
  });

  it('gets an error if a legacy client does not answer in time', async () => {
    verifies('GWY-01');
    const clock = new ManualClock();
    const { connect } = await openGateway(scope, { servers }, { clock });
    let asked = 0;
    const prepare = (made: Client): void =>
      made.setRequestHandler('elicitation/create', () => {
        asked += 1;
        return new Promise<never>(() => {});
      });
    const client = await connect('legacy', { capabilities: EVERYTHING, prepare });
    const answers = answersOf(client, call.arguments);
    await waitUntil(() => asked > 0, { describe: 'the question' });
    await clock.advance(10 * 60_000);
    expect(await answers).toMatchObject([{ error: { code: -32_603 } }]);
  });
});

describe('a legacy server that requires a page to be visited first', () => {
  const servers = { one: serverOf('legacy', { asks: true }) };
  const call = { name: 'one__ask', arguments: { questions: [PAGE], refusals: 1 } };

  it('is called again after a modern client has visited the page', async () => {
    verifies('GWY-01');
    const { connect } = await openGateway(scope, { servers });
    const asked: unknown[] = [];
    const prepare = answering(asked, { elicit: () => ({ action: 'accept' }) });
    const client = await connect('modern', { capabilities: EVERYTHING, prepare });
    expect((await client.callTool(call)).content).toEqual([{ type: 'text', text: 'served' }]);
    expect(asked).toMatchObject([{ mode: 'url', url: PAGE.url }]);
  });

  it('is not called again if the page was declined, or the client does not support pages', async () => {
    verifies('GWY-01');
    const { connect } = await openGateway(scope, { servers });
    const prepare = answering([], { elicit: () => ({ action: 'decline' }) });
    const declining = await connect('modern', { capabilities: EVERYTHING, prepare });
    expect(await rpcErrorOf(declining.callTool(call))).toMatchObject({
      message: expect.stringContaining('declined') as unknown,
    });
    const without = await connect('modern', { capabilities: { elicitation: {} } });
    expect(await rpcErrorOf(without.callTool(call))).toMatchObject({
      code: -32_021,
      data: { requiredCapabilities: { elicitation: { url: {} } } },
    });
  });

  it('has its error passed to a legacy client, which handles it itself', async () => {
    verifies('GWY-01');
    const { connect } = await openGateway(scope, { servers });
    const client = await connect('legacy', { capabilities: EVERYTHING });
    expect(await rpcErrorOf(client.callTool(call))).toMatchObject({
      code: -32_042,
      data: { elicitations: [PAGE] },
    });
  });
});
