// The toolbox of real hosts with real servers.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { never, Scope, systemClock } from '@plugboard/base';
import type { ApprovalRequest, Approver, Host } from '@plugboard/host';
import {
  filesystem,
  inProcessServer,
  ManualClock,
  scriptedServer,
  startScriptedHttp,
  tempFolder,
  verifies,
  waitUntil,
} from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import type { RunSettings, ServerNote } from '../../src/conversation/index.ts';
import { HostToolbox, type HostToolboxOptions } from '../../src/toolbox/index.ts';
import { givenHost } from '../given-host.ts';
import { call } from '../scripted-model.ts';

const settings: RunSettings = { signal: never, asker: 'agent', onProgress: () => {} };
const quick = scriptedServer({ builtIns: ['echo'] });
const silent = scriptedServer({ silent: true });

function toolboxOf(
  scope: Scope,
  host: Host,
  options: Partial<HostToolboxOptions> = {},
): HostToolbox {
  const given = { host, clock: systemClock, contextTokens: 100_000, firstWaitMs: 10_000 };
  return scope.use(new HostToolbox({ ...given, ...options }));
}

function namesOf(toolbox: HostToolbox): readonly string[] {
  return toolbox.offer().tools.map(({ name }) => name);
}

function noteOf(toolbox: HostToolbox, server: string): ServerNote | undefined {
  return toolbox.offer().servers.find((note) => note.server === server);
}

describe('the offer of a toolbox', () => {
  it('grows server by server, without waiting for any', async () => {
    verifies('AGT-02');
    await using scope = new Scope();
    const host = await givenHost(scope, { quick, silent });
    const toolbox = toolboxOf(scope, host);
    expect(toolbox.offer()).toMatchObject({
      tools: [],
      servers: [
        { server: 'quick', state: 'connecting', tools: 0 },
        { server: 'silent', state: 'connecting', tools: 0 },
      ],
    });
    await waitUntil(() => namesOf(toolbox).length > 0, { describe: 'the tools of quick' });
    expect(namesOf(toolbox)).toEqual(['mcp__quick__echo']);
    expect(toolbox.offer().servers).toEqual([
      { server: 'quick', state: 'ready', tools: 1 },
      { server: 'silent', state: 'connecting', tools: 0 },
    ]);
  });

  it('lists the servers that are down or need a sign-in', async () => {
    verifies('AGT-02');
    await using scope = new Scope();
    const locked = scope.use(await startScriptedHttp({ http: { status: 401 } }));
    const host = await givenHost(scope, {
      gone: { command: 'no-such-program-anywhere' },
      locked: { type: 'http', url: locked.url },
    });
    const toolbox = toolboxOf(scope, host);
    await waitUntil(
      () =>
        noteOf(toolbox, 'gone')?.state === 'down' &&
        noteOf(toolbox, 'locked')?.state === 'needs-sign-in',
      { describe: () => JSON.stringify(toolbox.offer().servers) },
    );
    expect(toolbox.offer()).toMatchObject({
      tools: [],
      servers: [
        { server: 'gone', state: 'down', tools: 0, reason: 'command not found' },
        { server: 'locked', state: 'needs-sign-in', tools: 0 },
      ],
    });
  });

  it('contains the instructions of servers', async () => {
    await using scope = new Scope();
    const told = scriptedServer({ builtIns: ['echo'], instructions: 'Call echo first.' });
    const host = await givenHost(scope, { quick, told });
    await host.tools();
    const toolbox = toolboxOf(scope, host);
    expect(toolbox.promptFacts().instructions).toEqual([
      { server: 'told', text: 'Call echo first.' },
    ]);
  });

  it('contains the tools known from an earlier run at once, and connects meanwhile', async () => {
    await using scope = new Scope();
    const host = await givenHost(scope, { quick });
    await host.tools();
    const toolbox = toolboxOf(scope, host);
    await toolbox.firstTools(never);
    expect(namesOf(toolbox)).toEqual(['mcp__quick__echo']);
  });

  it('follows servers that are added, change and are removed', async () => {
    await using scope = new Scope();
    const capabilities = { tools: { listChanged: true } };
    const growOn = { tool: 'echo' };
    const growing = scriptedServer({ capabilities, builtIns: ['echo'], growOn });
    const host = await givenHost(scope, { quick }, { pins: 'off' });
    const toolbox = toolboxOf(scope, host);
    await toolbox.firstTools(never);
    await host.addServer('growing', growing);
    const grown = 'mcp__growing__echo';
    await waitUntil(() => namesOf(toolbox).includes(grown), { describe: 'the added server' });
    await toolbox.run(call('1', grown, { message: 'hi' }), settings);
    await waitUntil(() => namesOf(toolbox).length === 3, { describe: 'the new tool' });
    await host.removeServer('growing');
    await waitUntil(() => namesOf(toolbox).length === 1, { describe: 'the server to go' });
    expect(toolbox.offer().servers).toEqual([{ server: 'quick', state: 'ready', tools: 1 }]);
  });
});

describe('the first request', () => {
  it('waits for servers of this process, and for no slow one', async () => {
    verifies('AGT-02');
    await using scope = new Scope();
    const inProcess = { own: await inProcessServer() };
    const host = await givenHost(scope, { silent }, { inProcess });
    // This clock stands still: only the tools can end the wait.
    const clock = new ManualClock();
    const toolbox = toolboxOf(scope, host, { clock });
    await toolbox.firstTools(never);
    expect(namesOf(toolbox)).toEqual(['mcp__own__add', 'mcp__own__echo']);
    expect(clock.pending).toBe(0);
  });

  it('waits for all servers if configured so, but not forever for a broken one', async () => {
    await using scope = new Scope();
    const inProcess = { own: await inProcessServer() };
    const slow = scriptedServer({ builtIns: ['echo'], startDelayMs: 200 });
    const broken = { command: '/nonexistent/server' };
    const host = await givenHost(scope, { slow, broken }, { inProcess });
    const toolbox = toolboxOf(scope, host, { clock: new ManualClock(), firstWaitFor: 'all' });
    await toolbox.firstTools(never);
    expect(namesOf(toolbox)).toEqual(['mcp__own__add', 'mcp__own__echo', 'mcp__slow__echo']);
    expect(noteOf(toolbox, 'broken')).toMatchObject({ state: 'down' });
  });

  it('waits for a short time at most', async () => {
    await using scope = new Scope();
    const host = await givenHost(scope, { silent });
    const clock = new ManualClock();
    const toolbox = toolboxOf(scope, host, { clock, firstWaitMs: 250 });
    const waited = toolbox.firstTools(never);
    await clock.advance(250);
    await waited;
    expect(namesOf(toolbox)).toEqual([]);
  });
});

describe('a call through the toolbox', () => {
  it('goes through the host, with its agent and its call id', async () => {
    verifies('AGT-03');
    await using scope = new Scope();
    const asked: ApprovalRequest[] = [];
    const approve: Approver = (request) => {
      asked.push(request);
      return asked.length === 1 ? { kind: 'allow' } : { kind: 'deny', reason: 'not now' };
    };
    const host = await givenHost(scope, { quick }, { approve });
    const toolbox = toolboxOf(scope, host);
    await toolbox.firstTools(never);
    const echo = call('7', 'mcp__quick__echo', { message: 'hi' });
    expect(await toolbox.run(echo, { ...settings, asker: 'scout' })).toEqual({
      ...{ id: '7', tool: 'mcp__quick__echo', isError: false },
      parts: [{ kind: 'text', text: 'hi' }],
    });
    expect(await toolbox.run(echo, settings)).toEqual({
      ...{ id: '7', tool: 'mcp__quick__echo', isError: true },
      parts: [{ kind: 'text', text: 'Calling tool echo was denied: not now' }],
    });
    expect(asked.map(({ asker, callId }) => [asker, callId])).toEqual([
      ['scout', '7'],
      ['agent', '7'],
    ]);
  });

  it('yields an answer that a model can act on', async () => {
    await using scope = new Scope();
    const host = await givenHost(scope, { quick });
    const toolbox = toolboxOf(scope, host);
    await toolbox.firstTools(never);
    const run = async (tool: string, given: { readonly message?: number }) => {
      const { isError, parts } = await toolbox.run(call('1', tool, given), settings);
      return { isError, text: parts.map((part) => (part.kind === 'text' ? part.text : '')).join() };
    };
    expect(await run('mcp__quick__ecko', {})).toEqual({
      isError: true,
      text: 'There is no tool mcp__quick__ecko. Did you mean mcp__quick__echo?',
    });
    expect(await run('mcp__quick__echo', { message: 1 })).toMatchObject({
      isError: true,
      text: expect.stringContaining('does not take these arguments'),
    });
  });

  it('returns a file once although a published server sends it twice', async () => {
    verifies('OUT-01');
    await using scope = new Scope();
    const folder = scope.use(await tempFolder());
    const words = 'one\ntwo\nthree\n';
    await writeFile(join(folder.path, 'a.txt'), words);
    const files = { ...filesystem(folder.path), roots: false };
    const host = await givenHost(scope, { files });
    const given = { path: join(folder.path, 'a.txt') };
    const answer = await toolboxOf(scope, host).run(
      call('1', 'mcp__files__read_text_file', given),
      settings,
    );
    // The chat counts the lines of these parts.
    expect(answer).toMatchObject({ isError: false, parts: [{ kind: 'text', text: words }] });
    expect(answer.parts).toHaveLength(1);
  });

  it('returns images as images', async () => {
    await using scope = new Scope();
    const data =
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    const draw = {
      name: 'draw',
      result: {
        content: [
          { type: 'text', text: 'here' },
          { type: 'image', data, mimeType: 'image/png' },
        ],
      },
    };
    const host = await givenHost(scope, { s: scriptedServer({ builtIns: [], tools: [draw] }) });
    const toolbox = toolboxOf(scope, host);
    await toolbox.firstTools(never);
    expect(await toolbox.run(call('1', 'mcp__s__draw'), settings)).toEqual({
      ...{ id: '1', tool: 'mcp__s__draw', isError: false },
      parts: [
        { kind: 'text', text: 'here' },
        { kind: 'image', mediaType: 'image/png', data: expect.any(String) },
      ],
    });
  });
});

describe('a toolbox with too many tools', () => {
  const things = Array.from({ length: 60 }, (_, index) => ({
    name: `thing_${index}`,
    description: `Does thing number ${index}. ${'Some more words. '.repeat(10)}`,
    annotations: { readOnlyHint: true },
  }));
  const issue = {
    name: 'createIssue',
    title: 'Create an issue',
    description: 'Opens a ticket',
    inputSchema: {
      type: 'object',
      properties: {
        title: { type: 'string', minLength: 3 },
        labels: { type: 'array', items: { type: 'string' } },
      },
      required: ['title'],
    },
    result: { content: [{ type: 'text', text: 'opened' }] },
  };
  const own = ['mcp__own__add', 'mcp__own__echo'];
  const search = ['search_tools', 'describe_tools', 'call_tool', 'read_result'];

  async function manyTools(scope: Scope, approve?: Approver): Promise<HostToolbox> {
    const many = scriptedServer({ builtIns: [], tools: [...things, issue] });
    const inProcess = { own: await inProcessServer() };
    const host = await givenHost(scope, { many }, { inProcess, ...(approve && { approve }) });
    const toolbox = toolboxOf(scope, host, { contextTokens: 10_000, essential: ['own'] });
    await waitUntil(() => noteOf(toolbox, 'many')?.tools === 61, { describe: 'the many tools' });
    return toolbox;
  }

  const textOf = ({ parts }: { readonly parts: readonly unknown[] }): string =>
    JSON.stringify(parts);

  it('offers a search, descriptions and calls instead of them', async () => {
    verifies('CTX-01');
    await using scope = new Scope();
    const toolbox = await manyTools(scope);
    expect(namesOf(toolbox)).toEqual([...own, ...search]);
    const found = await toolbox.run(call('1', 'search_tools', { queries: ['issues'] }), settings);
    expect(found).toMatchObject({ id: '1', tool: 'search_tools', isError: false });
    expect(textOf(found)).toContain(
      'many.createIssue(title: string, labels?: string[]) — Opens a ticket',
    );
    const called = await toolbox.run(
      call('2', 'call_tool', { name: 'many.createIssue', arguments: { title: 'Broken' } }),
      settings,
    );
    expect(called).toMatchObject({ id: '2', tool: 'call_tool', isError: false });
    expect(textOf(called)).toContain('opened');
    expect(await toolbox.run(call('3', 'search_tools', {}), settings)).toMatchObject({
      isError: true,
    });
  });

  it('begins every request with the same tools', async () => {
    verifies('CTX-01');
    await using scope = new Scope();
    const toolbox = await manyTools(scope);
    const first = JSON.stringify(toolbox.offer().tools);
    for (let turn = 0; turn < 50; turn += 1) {
      const queries = [`thing number ${turn}`];
      await toolbox.run(call(`${turn}`, 'search_tools', { queries }), settings);
      expect(JSON.stringify(toolbox.offer().tools)).toBe(first);
    }
  });

  it('shows a call_tool call as the call that it makes', async () => {
    await using scope = new Scope();
    const offer = (await manyTools(scope)).offer();
    const given = { name: 'many.createIssue', arguments: { title: 'Broken' } };
    const resolved = offer.resolve(call('1', 'call_tool', given));
    expect(resolved).toMatchObject({
      tool: 'mcp__many__createIssue',
      arguments: { title: 'Broken' },
    });
    expect(offer.describe(resolved.tool)).toEqual({
      ...{ server: 'many', title: 'Create an issue', isReadOnly: false },
    });
    const unknown = call('2', 'call_tool', { name: 'many.nothing', arguments: {} });
    expect(offer.resolve(unknown)).toEqual(unknown);
    expect(offer.describe('search_tools')).toMatchObject({ server: 'plugboard', isReadOnly: true });
  });

  it('asks before a call by call_tool as before any other', async () => {
    await using scope = new Scope();
    const asked: ApprovalRequest[] = [];
    const toolbox = await manyTools(scope, (request) => {
      asked.push(request);
      return { kind: 'deny', reason: 'not now' };
    });
    const given = { name: 'many.createIssue', arguments: { title: 'Broken' } };
    const answer = await toolbox.run(call('1', 'call_tool', given), settings);
    expect(answer.isError).toBe(true);
    expect(textOf(answer)).toContain('not now');
    expect(asked).toMatchObject([
      { tool: { tool: 'createIssue' }, arguments: { title: 'Broken' } },
    ]);
  });

  it('answers wrong arguments with the signature, and again with the schema', async () => {
    verifies('CTX-01');
    await using scope = new Scope();
    const toolbox = await manyTools(scope);
    const wrong = call('1', 'call_tool', { name: 'many.createIssue', arguments: { title: 'x' } });
    const first = await toolbox.run(wrong, settings);
    expect(first.isError).toBe(true);
    expect(textOf(first)).toContain('many.createIssue(title: string, labels?: string[])');
    expect(textOf(first)).not.toContain('minLength');
    const second = textOf(await toolbox.run(wrong, settings));
    expect(second).toContain('minLength');
    expect(second).not.toContain('labels:');
  });

  it('answers an unknown name with the closest ones', async () => {
    await using scope = new Scope();
    const toolbox = await manyTools(scope);
    const given = { name: 'many.create_issues', arguments: {} };
    const answer = await toolbox.run(call('1', 'call_tool', given), settings);
    expect(answer.isError).toBe(true);
    expect(textOf(answer)).toMatch(/There is no tool .*many\.create_issues.*many\.createIssue\(/);
  });
});
