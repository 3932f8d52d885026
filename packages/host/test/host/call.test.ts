import { Scope } from '@plugboard/base';
import {
  everything,
  inProcessServer,
  scriptedServer,
  startScriptedHttp,
  verifies,
} from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import type { HostTool } from '../../src/catalog/index.ts';
import { type Approver, toModelText } from '../../src/host/index.ts';
import { givenHost } from './given-host.ts';

describe('a call', () => {
  it('leads from a model name to a result', async () => {
    verifies('CAL-01');
    await using scope = new Scope();
    const host = await givenHost(scope, { everything: everything('stdio') });
    const { tools, problems } = await host.tools();
    expect(problems).toEqual([]);
    expect(tools.map(({ name }) => name)).toContain('mcp__everything__echo');
    expect(await host.call('mcp__everything__echo', { message: 'hi' })).toEqual({
      kind: 'result',
      server: 'everything',
      tool: 'echo',
      parts: [{ kind: 'text', text: 'Echo: hi' }],
    });
  });

  it('connects by itself, with either kind of reference to the tool', async () => {
    await using scope = new Scope();
    const entry = scriptedServer();
    const byName = await givenHost(scope, { s: entry });
    expect(await byName.call('mcp__s__echo', { message: 'a' })).toMatchObject({ kind: 'result' });
    const byIdentity = await givenHost(scope, { s: entry });
    const called = await byIdentity.call({ server: 's', tool: 'echo' }, { message: 'a' });
    expect(called).toMatchObject({ kind: 'result' });
  });

  it('reaches a server of the same process', async () => {
    await using scope = new Scope();
    const server = await inProcessServer();
    const host = await givenHost(scope, {}, { inProcess: { calculator: server } });
    expect(await host.call('mcp__calculator__add', { a: 2, b: 3 })).toEqual({
      kind: 'result',
      server: 'calculator',
      tool: 'add',
      parts: [{ kind: 'structured', value: { sum: 5 } }],
      structured: { sum: 5 },
    });
    expect(host.servers.map(({ name, transport, state }) => [name, transport, state.kind])).toEqual(
      [['calculator', 'in-process', 'ready']],
    );
  });

  it('has its arguments checked before an approval and before anything is sent', async () => {
    verifies('CAL-01', 'CAL-02');
    await using scope = new Scope();
    await using server = await startScriptedHttp({});
    const asked: string[] = [];
    const approve: Approver = ({ tool }) => {
      asked.push(tool.name);
      return { kind: 'allow' };
    };
    const host = await givenHost(scope, { s: { url: server.url } }, { approve });
    const [tool] = (await host.tools()).tools.filter(({ name }) => name === 'mcp__s__add');
    expect(await host.call('mcp__s__add', { a: 'one' })).toEqual({
      kind: 'invalid-arguments',
      server: 's',
      tool: 'add',
      issues: [
        { path: '', message: "must have required property 'b'" },
        { path: '/a', message: 'must be number' },
      ],
      schema: tool?.inputSchema,
    });
    expect(asked).toEqual([]);
    expect(JSON.stringify(server.requests)).not.toContain('tools/call');
    const told = toModelText(await host.call('mcp__s__add', { a: 'one' }));
    expect(told).toContain('- /a must be number');
    expect(told).toContain(JSON.stringify(tool?.inputSchema));
  });

  it('is shown to the approver with the tool as it is listed', async () => {
    await using scope = new Scope();
    const seen: HostTool[] = [];
    const approve: Approver = ({ tool }) => {
      seen.push(tool);
      return tool.isDestructive ? { kind: 'deny', reason: 'it destroys' } : { kind: 'allow' };
    };
    const server = scriptedServer({
      tools: [{ name: 'wipe', annotations: { destructiveHint: true } }],
    });
    const host = await givenHost(scope, { s: server }, { approve });
    const { tools } = await host.tools();
    expect(await host.call({ server: 's', tool: 'wipe' }, {})).toMatchObject({
      kind: 'denied',
      reason: 'it destroys',
    });
    expect(seen).toEqual(tools.filter(({ tool }) => tool === 'wipe'));
  });

  it('is denied without an approver', async () => {
    await using scope = new Scope();
    await using server = await startScriptedHttp({});
    const host = await givenHost(
      scope,
      { s: { url: server.url } },
      { approve: undefined as never },
    );
    expect(await host.call('mcp__s__echo', { message: 'x' })).toEqual({
      kind: 'denied',
      server: 's',
      tool: 'echo',
      reason: 'no approver was given to createHost',
      by: {
        kind: 'approver',
        decision: { kind: 'ask', because: { kind: 'default', case: 'no-rule' } },
      },
      needs: [],
    });
    expect(JSON.stringify(server.requests)).not.toContain('tools/call');
  });

  it('returns each failure as a value', async () => {
    verifies('CAL-05');
    await using scope = new Scope();
    await using locked = await startScriptedHttp({ http: { status: 401 } });
    const host = await givenHost(scope, {
      s: scriptedServer(),
      slow: { ...scriptedServer(), timeout: 100 },
      off: { ...scriptedServer(), disabled: true },
      gone: { command: 'no-such-command-here' },
      locked: { url: locked.url },
      unset: { command: '${NO_SUCH_VARIABLE_HERE}' },
    });
    const outcomes = await Promise.all([
      host.call({ server: 's', tool: 'ecko' }, {}),
      host.call('mcp__s__ecko', {}),
      host.call({ server: 'nobody', tool: 'x' }, {}),
      host.call({ server: 'lockde', tool: 'x' }, {}),
      host.call('mcp__lockde__x', {}),
      host.call({ server: 'off', tool: 'x' }, {}),
      host.call({ server: 'gone', tool: 'x' }, {}),
      host.call({ server: 'locked', tool: 'x' }, {}),
      host.call({ server: 's', tool: 'error' }, {}),
      host.call({ server: 's', tool: 'rpc-error' }, {}),
      host.call({ server: 'slow', tool: 'never' }, {}),
      host.call({ server: 's', tool: 'echo' }, { message: 'x' }, { signal: AbortSignal.abort() }),
    ]);
    expect(outcomes).toMatchObject([
      { kind: 'unknown-tool', asked: 'ecko', nearest: 'echo' },
      { kind: 'unknown-tool', asked: 'mcp__s__ecko', nearest: 'mcp__s__echo' },
      { kind: 'unknown-server', server: 'nobody', tool: 'x', nearest: undefined },
      { kind: 'unknown-server', server: 'lockde', tool: 'x', nearest: 'locked' },
      { kind: 'unknown-server', server: 'lockde', tool: 'x', nearest: 'locked' },
      { kind: 'not-connected', server: 'off', reason: { kind: 'disabled' } },
      { kind: 'not-connected', server: 'gone', reason: { kind: 'command-not-found' } },
      { kind: 'needs-auth', server: 'locked', url: locked.url },
      { kind: 'tool-error', parts: [{ kind: 'text', text: 'the tool failed' }] },
      { kind: 'protocol-error', failure: { kind: 'rpc', code: -32_603 } },
      { kind: 'timeout', ms: 100 },
      { kind: 'cancelled' },
    ]);
    expect((await host.tools({ servers: ['lockde'] })).problems).toMatchObject([
      { kind: 'unknown-server', server: 'lockde', nearest: 'locked' },
    ]);
    expect(await host.call({ server: 'unset', tool: 'x' }, {})).toMatchObject({
      kind: 'not-connected',
      reason: { kind: 'unresolved', problems: [{ code: 'unset-variable' }] },
    });
  });

  it('shares a signal with any number of others, without a warning', async () => {
    await using scope = new Scope();
    const warnings: Error[] = [];
    const listen = (warning: Error): number => warnings.push(warning);
    process.on('warning', listen);
    scope.defer(() => void process.off('warning', listen));
    const host = await givenHost(scope, { s: scriptedServer({ builtIns: ['echo'] }) });
    const { signal } = new AbortController();
    await Promise.all(
      Array.from({ length: 30 }, () =>
        host.call({ server: 's', tool: 'echo' }, { message: 'x' }, { signal }),
      ),
    );
    // Warnings are emitted a tick later.
    await new Promise((resolve) => setImmediate(resolve));
    expect(warnings).toEqual([]);
  });

  it('does not report a tool as unknown while its server is unreachable', async () => {
    verifies('CAL-05');
    await using scope = new Scope();
    const host = await givenHost(scope, {
      gone: { command: 'no-such-command-here' },
      here: scriptedServer({ builtIns: ['echo'] }),
    });
    const [away, unknown] = await Promise.all([
      host.call('mcp__gone__anything', {}),
      host.call('mcp__here__anything', {}),
    ]);
    expect(away).toMatchObject({ kind: 'not-connected', server: 'gone' });
    expect(unknown).toMatchObject({ kind: 'unknown-tool' });
  });

  it('works again after the server died during an earlier one', async () => {
    await using scope = new Scope();
    const host = await givenHost(scope, { s: scriptedServer() });
    expect(await host.call({ server: 's', tool: 'exit' }, { code: 7 })).toMatchObject({
      kind: 'not-connected',
      reason: { kind: 'exited', exit: { code: 7, signal: null } },
    });
    const next = await host.call({ server: 's', tool: 'echo' }, { message: 'back' });
    expect(next).toMatchObject({ kind: 'result', parts: [{ text: 'back' }] });
  });

  it('is not prevented by an invalid schema', async () => {
    await using scope = new Scope();
    const inputSchema = { type: 'object', properties: { a: { $ref: '#/nowhere' } } };
    const tools = [{ name: 'odd', inputSchema }];
    const host = await givenHost(scope, { s: scriptedServer({ tools }) });
    expect(await host.call('mcp__s__odd', { a: 1 })).toMatchObject({ kind: 'result' });
  });
});
