// Elicitation on the wire: the declared capabilities, and pages that must be visited before a request is answered.

import { type Json, never, Scope } from '@plugboard/base';
import { verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import {
  type Answer,
  type Era,
  open,
  type Question,
  type Session,
} from '../../src/protocol/index.ts';
import { type BareScript, type BareServer, eventOf, startBareHttp } from './bare-http-server.ts';
import { ports } from './cells.ts';

const url = 'https://login.example/';
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';

interface AskedSession {
  readonly session: Session;
  readonly server: BareServer;
  readonly asked: readonly Question[];
}

async function opened(era: Era, script: BareScript, scope: Scope): Promise<AskedSession> {
  const server = await startBareHttp(era, script, scope);
  const asked: Question[] = [];
  const elicit = (question: Question): Promise<Answer> => {
    asked.push(question);
    return Promise.resolve({ kind: 'accept', content: {} });
  };
  const options = { signal: scope.signal, timeoutMs: 60_000 };
  const session = await open(server.launch, options, { ...ports, inbound: { elicit } });
  if (!session.ok) throw new Error(JSON.stringify(session.error));
  scope.defer(() => session.value.close());
  return { session: session.value, server, asked };
}

/** Refuses each method once, until a page was visited. */
function refusing(elicitations: Json): BareScript {
  const refused = new Set<string>();
  return ({ id = 0, method = '', params }) => {
    if (method === 'initialize') {
      const { protocolVersion } = params;
      const serverInfo = { name: 's', version: '1' };
      const capabilities = { tools: {}, resources: {}, prompts: {} };
      const version = typeof protocolVersion === 'string' ? protocolVersion : '';
      return {
        kind: 'result',
        result: { protocolVersion: version, serverInfo, capabilities },
      };
    }
    if (!Object.hasOwn(RESULTS, method)) return undefined;
    if (refused.has(method)) return { kind: 'result', result: RESULTS[method] ?? {} };
    refused.add(method);
    const error = { code: -32_042, message: 'visit first', data: { elicitations } };
    return { kind: 'events', write: (to) => to.end(eventOf({ jsonrpc: '2.0', id, error })) };
  };
}

const RESULTS: Readonly<Record<string, Readonly<Record<string, never[]>>>> = {
  'tools/call': { content: [] },
  'resources/read': { contents: [] },
  'prompts/get': { messages: [] },
};

const wait = { signal: never, timeoutMs: 60_000 };
const callWait = { signal: never, idleMs: 60_000, hardMs: 60_000 };

describe('a client that supports elicitation', () => {
  it.each(['legacy', 'modern'] as const)('declares forms and pages to a %s server', async (era) => {
    await using scope = new Scope();
    const answer: BareScript = ({ method }) =>
      method === 'tools/call' ? { kind: 'result', result: { content: [] } } : undefined;
    const { session, server } = await opened(era, answer, scope);
    await session.callTool({ name: 'any', arguments: {} }, callWait);
    const { params = {} } =
      server.requests.find(({ method }) =>
        era === 'legacy' ? method === 'initialize' : method === 'tools/call',
      ) ?? {};
    const said =
      era === 'legacy'
        ? params['capabilities']
        : (params['_meta'] as Record<string, unknown>)[CAPABILITIES];
    expect(said).toMatchObject({ elicitation: { form: {}, url: {} } });
  });
});

describe('a legacy server that demands a page visit first', () => {
  it('gets every kind of request again after the visit', async () => {
    verifies('INB-02');
    await using scope = new Scope();
    const pages = [{ mode: 'url', message: 'Go', url, elicitationId: 'x' }];
    const { session, asked } = await opened('legacy', refusing(pages), scope);
    expect([
      (await session.callTool({ name: 'any', arguments: {} }, callWait)).ok,
      (await session.resources.read('x://y', wait)).ok,
      (await session.prompts.get({ name: 'p', arguments: {} }, wait)).ok,
    ]).toEqual([true, true, true]);
    expect(asked).toEqual(
      Array.from({ length: 3 }, () => ({ kind: 'url', message: 'Go', url, waitsFor: 'done' })),
    );
  });

  it.each([
    ['no pages', []],
    ['something else', { url }],
    ['a page without an address', [{ mode: 'url', message: 'Go', elicitationId: 'x' }]],
    ['pages without end', Array.from({ length: 6 }, () => ({ message: 'Go', url }))],
  ])('but lists %s causes no prompt, and its error is returned', async (_what, elicitations) => {
    await using scope = new Scope();
    const { session, asked } = await opened('legacy', refusing(elicitations), scope);
    const called = await session.callTool({ name: 'any', arguments: {} }, callWait);
    expect(called).toMatchObject({ ok: false, error: { kind: 'rpc', code: -32_042 } });
    expect(asked).toEqual([]);
  });
});
