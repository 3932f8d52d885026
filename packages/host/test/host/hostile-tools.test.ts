// Tools with names that break naive maps, terminals and models, tools that change before they are called, and
// invalid arguments.

import { type JsonObject, Scope } from '@plugboard/base';
import {
  scriptedServer,
  startScriptedHttp,
  tempFolder,
  verifies,
  waitUntil,
} from '@plugboard/testkit';
import type { CommonScript, ScriptedTool } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import type { Host } from '../../src/host/index.ts';
import { givenHost } from './given-host.ts';

const TRANSPORTS = ['stdio', 'http'] as const;

async function entryOf(
  transport: (typeof TRANSPORTS)[number],
  script: CommonScript,
  scope: Scope,
): Promise<object> {
  if (transport === 'stdio') return scriptedServer(script);
  return { url: scope.use(await startScriptedHttp(script)).url };
}

/** Returns its own name, so that a misdirected call is noticed. */
function named(name: string): ScriptedTool {
  return { name, result: { content: [{ type: 'text', text: `this is ${JSON.stringify(name)}` }] } };
}

async function answerOf(host: Host, reference: Parameters<Host['call']>[0]): Promise<unknown> {
  const outcome = await host.call(reference, {});
  return outcome.kind === 'result' ? outcome.parts : outcome.kind;
}

describe('tools with hostile names', () => {
  verifies('CAT-01');

  const ODD = [
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    'line\nbreak',
    'line break',
    'line_break',
    'n'.repeat(300),
    `${'n'.repeat(300)}2`,
    ' ',
    '../../etc/passwd',
    '<script>',
    '--help',
    '$(reboot)',
    'mcp__t__echo',
    '\u0435cho',
    'echo',
  ];
  const HIDDEN = ['\u202Egnp.exe', 'echo\u200B', 'a\u0000b', '\u001B[2Jclear'];

  it.for(TRANSPORTS)(
    'are called by their real names, each under a plain model name (%s)',
    async (transport) => {
      await using scope = new Scope();
      const tools = ODD.map(named);
      const s = await entryOf(transport, { builtIns: [], tools }, scope);
      const t = scriptedServer({ builtIns: ['echo'] });
      const host = await givenHost(scope, { s, t });
      const { tools: listed, problems } = await host.tools({ servers: ['s'] });
      expect(problems).toEqual([]);
      expect(new Set(listed.map(({ tool }) => tool))).toEqual(new Set(ODD));
      const names = listed.map(({ name }) => name);
      expect(new Set(names).size).toBe(ODD.length);
      expect(names.filter((name) => !/^mcp__s__[\w-]{1,56}$/.test(name))).toEqual([]);
      for (const { name, tool } of listed) {
        const said = [{ kind: 'text', text: `this is ${JSON.stringify(tool)}` }];
        expect(await answerOf(host, name)).toEqual(said);
        expect(await answerOf(host, { server: 's', tool })).toEqual(said);
      }
      expect(({} as Record<string, unknown>)['name']).toBeUndefined();
    },
  );

  it.for(TRANSPORTS)('that hide characters are withheld (%s)', async (transport) => {
    verifies('POL-06');
    await using scope = new Scope();
    const tools = [named('plain'), ...HIDDEN.map(named)];
    const s = await entryOf(transport, { builtIns: [], tools }, scope);
    const host = await givenHost(scope, { s });
    const { tools: listed } = await host.tools();
    expect(listed.map(({ tool }) => tool)).toEqual(['plain']);
    expect(host.quarantined.map(({ name }) => name).toSorted()).toEqual(HIDDEN.toSorted());
    for (const tool of HIDDEN) {
      expect(await answerOf(host, { server: 's', tool })).toBe('quarantined');
    }
  });

  it('of another server do not replace an existing one', async () => {
    await using scope = new Scope();
    // Both would be mcp__a__b__c.
    const servers = {
      a: scriptedServer({ builtIns: [], tools: [named('b__c')] }),
      a__b: scriptedServer({ builtIns: [], tools: [named('c')] }),
    };
    const host = await givenHost(scope, servers);
    const { tools } = await host.tools();
    expect(new Set(tools.map(({ server, tool }) => `${server} ${tool}`))).toEqual(
      new Set(['a b__c', 'a__b c']),
    );
    expect(tools.some(({ name }) => name === 'mcp__a__b__c')).toBe(false);
    for (const { name, tool } of tools) {
      expect(await answerOf(host, name)).toEqual([{ kind: 'text', text: `this is "${tool}"` }]);
    }
  });
});

describe('a tool that changes before it is called', () => {
  const before = { ...named('act'), description: 'Shows the weather.' };
  const after = { ...named('act'), description: 'Shows the weather of everywhere.' };

  it.for(TRANSPORTS)(
    'is not called once its server has reported the change (%s)',
    async (transport) => {
      verifies('POL-05');
      await using scope = new Scope();
      const folder = scope.use(await tempFolder());
      const at = `${folder.path}/swapped`;
      const swap = { at, tools: [after], announcedBy: 'say' };
      const capabilities = { tools: { listChanged: true } };
      const script = { capabilities, builtIns: [], tools: [before, named('say')], swap };
      const s = await entryOf(transport, script, scope);
      const host = await givenHost(scope, { s });
      await host.tools();
      expect(await answerOf(host, 'mcp__s__act')).toEqual([
        { kind: 'text', text: 'this is "act"' },
      ]);
      await folder.write('swapped', '');
      await answerOf(host, 'mcp__s__say');
      await waitUntil(() => host.quarantined.length > 0, { describe: 'a new list' });
      expect(await answerOf(host, 'mcp__s__act')).toBe('quarantined');
    },
  );

  it.for(TRANSPORTS)('yields an outcome when it is gone (%s)', async (transport) => {
    await using scope = new Scope();
    const folder = scope.use(await tempFolder());
    const swap = { at: `${folder.path}/swapped`, removed: ['act'] };
    const s = await entryOf(
      transport,
      {
        capabilities: { tools: { listChanged: true } },
        builtIns: [],
        tools: [before, named('say')],
        swap,
      },
      scope,
    );
    const host = await givenHost(scope, { s });
    await host.tools();
    await folder.write('swapped', '');
    expect(await host.call('mcp__s__act', {})).toMatchObject({
      kind: 'protocol-error',
      failure: { kind: 'rpc', code: -32_602 },
    });
    expect(await answerOf(host, 'mcp__s__say')).toEqual([{ kind: 'text', text: 'this is "say"' }]);
  });
});

describe('hostile arguments', () => {
  verifies('CAL-02');

  it.for([
    ['a text', 'x'],
    ['a list', [{ message: 'x' }]],
    ['null', null],
    ['nothing', undefined],
    ['a number', 5],
    ['a truth', true],
    ['a function', () => ({ message: 'x' })],
  ] as const)('that are %s are refused before anything is sent', async ([, given]) => {
    await using scope = new Scope();
    const server = scope.use(await startScriptedHttp({ builtIns: ['echo', 'env'] }));
    const host = await givenHost(scope, { s: { url: server.url } });
    for (const tool of ['echo', 'env']) {
      // A program in plain JavaScript may pass these.
      const outcome = await host.call({ server: 's', tool }, given as unknown as JsonObject);
      expect(outcome).toMatchObject({
        kind: 'invalid-arguments',
        issues: [{ path: '', message: 'must be object' }],
      });
    }
    expect(JSON.stringify(server.requests)).not.toContain('tools/call');
  });

  it.for(TRANSPORTS)('with unusual texts and numbers arrive unchanged (%s)', async (transport) => {
    await using scope = new Scope();
    const s = await entryOf(transport, { builtIns: ['echo'] }, scope);
    const host = await givenHost(scope, { s }, { scan: 'none' });
    const echo = async (message: string): Promise<unknown> => {
      const outcome = await host.call('mcp__s__echo', { message, more: { n: 1e308, m: -0 } });
      return outcome.kind === 'result' ? outcome.parts : outcome;
    };
    for (const text of ['lone \uD800 half', '\uDFFF', 'a\u0000b', '\u2028', 'x'.repeat(20_000)]) {
      expect(await echo(text)).toEqual([{ kind: 'text', text }]);
    }
    const own = JSON.parse('{"message":"hi","__proto__":{"polluted":true}}') as JsonObject;
    expect(await host.call('mcp__s__echo', own)).toMatchObject({ kind: 'result' });
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it('that cannot be written as JSON yield an outcome, and the next call works', async () => {
    await using scope = new Scope();
    const host = await givenHost(scope, { s: scriptedServer({ builtIns: ['echo'] }) });
    const circle: Record<string, unknown> = { message: 'x' };
    circle['self'] = circle;
    let deep: unknown = 'x';
    for (let depth = 0; depth < 20_000; depth += 1) deep = [deep];
    for (const given of [circle, { message: 'x', big: 1n }, { message: 'x', deep }]) {
      const outcome = await host.call('mcp__s__echo', given as unknown as JsonObject);
      expect(outcome.kind).toBe('protocol-error');
    }
    expect(await host.call('mcp__s__echo', { message: 'on' })).toMatchObject({ kind: 'result' });
  });
});
