import { Scope } from '@plugboard/base';
import { atSomePace, ManualClock, verifies } from '@plugboard/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { mixed, openGateway, requestOf, serverOf } from './cells.ts';

let scope: Scope;
beforeEach(() => {
  scope = new Scope();
});
afterEach(() => scope.close());

const FORM = {
  message: 'What is your name?',
  requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
};
/** Longer than the deadline of a script. */
const LONG_MS = 150_000;

function textOf(result: object): string {
  const { content } = result as { readonly content: readonly { readonly text?: string }[] };
  return content.map(({ text = '' }) => text).join('\n');
}

describe.each(mixed)('a gateway between a $name', ({ client: clientEra, server: serverEra }) => {
  it('reports the progress of a call by name to the client', async () => {
    verifies('GWY-01');
    const servers = { one: serverOf(serverEra) };
    const { connect } = await openGateway(scope, { servers }, { all: { mode: 'search' } });
    const client = await connect(clientEra);
    // The SDK's client drops progress that it reads together with the answer, as on a busy machine.
    await atSomePace(async (ms) => {
      const steps: unknown[] = [];
      const given = { name: 'one.sleep', arguments: { ms, steps: 3 } };
      const result = await client.callTool(
        { name: 'call_tool', arguments: given },
        { onprogress: ({ progress, total }) => void steps.push([progress, total]) },
      );
      expect(textOf(result)).toBe(`slept ${ms} ms`);
      expect(steps).toEqual([1, 2, 3].map((step) => [step, 3]));
    });
  });

  it('cancels a call by name when the client cancels it', async () => {
    verifies('GWY-01');
    const servers = { one: serverOf(serverEra) };
    const { connect } = await openGateway(scope, { servers }, { all: { mode: 'search' } });
    const client = await connect(clientEra);
    const leaving = new AbortController();
    const given = { name: 'one.sleep', arguments: { ms: 600_000, steps: 2 } };
    const calling = client.callTool(
      { name: 'call_tool', arguments: given },
      { signal: leaving.signal, onprogress: () => leaving.abort() },
    );
    await expect(calling).rejects.toThrow();
    const echo = { name: 'one.echo', arguments: { message: 'still here' } };
    expect(textOf(await client.callTool({ name: 'call_tool', arguments: echo }))).toContain(
      'still here',
    );
  });

  it('stops the clock of a script while the client is asked', async () => {
    verifies('GWY-01');
    const clock = new ManualClock();
    const servers = { one: serverOf(serverEra, { asking: true }) };
    const { connect, gateway } = await openGateway(
      scope,
      { servers },
      { all: { mode: 'code' }, clock },
    );
    await gateway.host.tools();
    const client = await connect(clientEra, {
      capabilities: { elicitation: { form: {} } },
      prepare: (made) =>
        made.setRequestHandler('elicitation/create', async () => {
          await clock.advance(LONG_MS);
          return { action: 'accept', content: { name: 'Ada' } };
        }),
    });
    const ask = { method: 'elicitation/create', params: FORM };
    const code = `const { answers } = await tools.one.ask(${JSON.stringify(ask)});
      return answers[0].result.content.name;`;
    const result = await client.callTool({ name: 'run_code', arguments: { code } });
    expect(textOf(result)).toBe('"Ada"');
  });

  it('explains why the tools of an absent server are missing', async () => {
    verifies('GWY-01');
    const broken = { command: process.execPath, args: ['-e', 'process.exit(3)'] };
    const servers = { one: serverOf(serverEra), broken };
    const { connect, gateway } = await openGateway(scope, { servers }, { all: { mode: 'search' } });
    await gateway.host.tools();
    const client = await connect(clientEra);
    const queries = { queries: ['echo a message'] };
    const found = textOf(await client.callTool({ name: 'search_tools', arguments: queries }));
    expect(found).toContain('one.echo(');
    expect(found).toMatch(
      /Not searched, without tools now: broken \((failed|waiting|connecting)\)\./,
    );
    const given = { name: 'broken.do_it', arguments: {} };
    const called = await requestOf(client, 'tools/call', { name: 'call_tool', arguments: given });
    expect(called).toMatchObject({ isError: true });
    expect(textOf(called)).toContain('broken');
    expect(textOf(called)).not.toContain('There is no tool');
  });
});
