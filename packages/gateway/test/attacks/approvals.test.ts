// Approvals of one client must not affect others.

import { Scope } from '@plugboard/base';
import { verifies } from '@plugboard/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ConnectOptions, openGateway, serverOf } from '../cells.ts';

let scope: Scope;
beforeEach(() => {
  scope = new Scope();
});
afterEach(() => scope.close());

interface Choice {
  readonly enum: readonly string[];
}

/** Chooses the longest offered approval, and records the offers. */
function greedy(offered: (readonly string[])[]): ConnectOptions {
  return {
    capabilities: { elicitation: { form: {} } },
    prepare: (client) =>
      client.setRequestHandler('elicitation/create', ({ params }) => {
        const { decision } = (
          params as unknown as { readonly requestedSchema: { properties: { decision: Choice } } }
        ).requestedSchema.properties;
        offered.push(decision.enum);
        return { action: 'accept', content: { decision: decision.enum.at(-2) ?? '' } };
      }),
  };
}

function answering(decision: string, asked: string[] = []): ConnectOptions {
  return {
    capabilities: { elicitation: { form: {} } },
    prepare: (client) =>
      client.setRequestHandler('elicitation/create', ({ params }) => {
        asked.push(params.message);
        return { action: 'accept', content: { decision } };
      }),
  };
}

describe('the approval of a client', () => {
  verifies('GWY-01');

  it('for its session covers later calls of that session, but not those of other clients', async () => {
    const servers = { one: serverOf('legacy') };
    const { connect } = await openGateway(scope, { servers }, { approvals: 'of clients' });
    const offered: (readonly string[])[] = [];
    const call = { name: 'one__echo', arguments: { message: 'hi' } };
    const client = await connect('legacy', greedy(offered));
    for (const _ of [1, 2]) expect((await client.callTool(call)).isError).not.toBe(true);
    expect(offered).toEqual([['Allow once', 'Allow for this session', 'Deny']]);
    const other = await connect('legacy');
    expect(await other.callTool(call)).toMatchObject({ isError: true });
    await (await connect('legacy', greedy(offered))).callTool(call);
    expect(offered).toHaveLength(2);
  });

  it('covers only one call of a client without a session', async () => {
    const servers = { one: serverOf('modern') };
    const { connect } = await openGateway(scope, { servers }, { approvals: 'of clients' });
    const offered: (readonly string[])[] = [];
    const call = { name: 'one__echo', arguments: { message: 'hi' } };
    const client = await connect('modern', greedy(offered));
    for (const _ of [1, 2]) expect((await client.callTool(call)).isError).not.toBe(true);
    const choices = ['Allow once', 'Deny'];
    expect(offered).toEqual([choices, choices]);
  });

  it.each(['legacy', 'modern'] as const)(
    'for a script does not cover the same script of another %s client',
    async (era) => {
      const servers = { one: serverOf('legacy') };
      const { connect, gateway } = await openGateway(
        scope,
        { servers },
        { approvals: 'of clients', all: { mode: 'code' } },
      );
      await gateway.host.tools();
      const code = `await tools.one.echo({ message: 'a' }); return tools.one.echo({ message: 'b' });`;
      const script = { name: 'run_code', arguments: { code } };
      const one = await connect(era, answering('Allow for this script'));
      expect(JSON.stringify(await one.callTool(script))).toContain('b');
      const asked: string[] = [];
      const other = await connect(era, answering('Deny', asked));
      expect(JSON.stringify(await other.callTool(script))).toContain('the user said no');
      expect(asked).toHaveLength(1);
      const unasked = await connect(era);
      expect(JSON.stringify(await unasked.callTool(script))).toContain('no person could be asked');
    },
  );

  it('is requested with invisible characters as numbers, and with the whole script', async () => {
    const servers = { one: serverOf('legacy') };
    const { connect, gateway } = await openGateway(
      scope,
      { servers },
      { approvals: 'of clients', all: { mode: 'code' } },
    );
    await gateway.host.tools();
    const code = [
      '// a note\u2028await tools.one.echo({ message: "ab\u202Ecd\u200B\u{E0041}" });',
      '// another\rreturn 1;\r',
      `//${' '.repeat(5000)}`,
      '// the end',
    ].join('\n');
    const asked: string[] = [];
    const client = await connect('legacy', answering('Deny', asked));
    await client.callTool({ name: 'run_code', arguments: { code } });
    const [question = ''] = asked;
    expect(question).toContain('"message": "ab⟨U+202E⟩cd⟨U+200B⟩⟨U+E0041⟩"');
    expect(question).toContain('// a note⟨U+2028⟩\nawait tools.one.echo({');
    expect(question).toContain('// another⟨U+000D⟩\nreturn 1;\n');
    expect(question.endsWith('\n// the end')).toBe(true);
  });
});
