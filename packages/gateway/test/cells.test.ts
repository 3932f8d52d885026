import { Scope } from '@plugboard/base';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { frontCells, openGateway, serverOf } from './cells.ts';

let scope: Scope;
beforeEach(() => {
  scope = new Scope();
});
afterEach(() => scope.close());

const FORM = {
  message: 'What is your name?',
  requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
};

describe.each(frontCells)(
  'a gateway between a $name',
  ({ front, client: clientEra, server: serverEra }) => {
    it('lists the tools of all servers under prefixed names, and calls them', async () => {
      const servers = { one: serverOf(serverEra), two: serverOf(serverEra) };
      const { connect } = await openGateway(scope, { servers });
      const client = await connect(clientEra, { front });
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toEqual(
        expect.arrayContaining(['one__echo', 'two__echo']),
      );
      const result = await client.callTool({ name: 'two__echo', arguments: { message: 'hi' } });
      expect(JSON.stringify(result.content)).toContain('hi');
    });

    it('offers one server under its own names', async () => {
      const { connect } = await openGateway(scope, { servers: { one: serverOf(serverEra) } });
      const client = await connect(clientEra, { front, path: '/one' });
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toContain('echo');
      const result = await client.callTool({ name: 'echo', arguments: { message: 'hi' } });
      expect(JSON.stringify(result.content)).toContain('hi');
    });

    it("passes a server's question to the client, and the answer back", async () => {
      const { connect } = await openGateway(scope, {
        servers: { one: serverOf(serverEra, { asking: true }) },
      });
      const asked: unknown[] = [];
      const client = await connect(clientEra, {
        front,
        capabilities: { elicitation: { form: {} } },
        prepare: (made) =>
          made.setRequestHandler('elicitation/create', ({ params }) => {
            asked.push(params.message);
            return { action: 'accept', content: { name: 'Ada' } };
          }),
      });
      const result = await client.callTool({
        name: 'one__ask',
        arguments: { method: 'elicitation/create', params: FORM, times: 2 },
      });
      expect(asked).toEqual([FORM.message, FORM.message]);
      const answer = { result: { action: 'accept', content: { name: 'Ada' } } };
      expect(result.structuredContent).toEqual({ answers: [answer, answer] });
    });
  },
);
