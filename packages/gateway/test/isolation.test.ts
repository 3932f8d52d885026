import { Scope } from '@plugboard/base';
import { verifies } from '@plugboard/testkit';
import type { Client } from '@modelcontextprotocol/client';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openGateway, requestOf, serverOf } from './cells.ts';

let scope: Scope;
beforeEach(() => {
  scope = new Scope();
});
afterEach(() => scope.close());

const ERAS = ['legacy', 'modern'] as const;
const CLIENTS = 6;
const LOG_LEVEL = 'io.modelcontextprotocol/logLevel';

/** All messages that a client received, which have to be its own. */
interface Own {
  readonly client: Client;
  readonly name: string;
  readonly reached: string[];
}

const FORM = { type: 'object', properties: { name: { type: 'string' } } };

type Step = (own: Own, payload: string) => Promise<void>;

const STEPS: Readonly<Record<string, Step>> = {
  async asks({ client }, payload) {
    const params = { mode: 'form', message: payload, requestedSchema: FORM };
    const given = { method: 'elicitation/create', params, times: 2 };
    const { structuredContent } = await client.callTool({ name: 'one__ask', arguments: given });
    const answer = { result: { action: 'accept', content: { name: payload } } };
    expect(structuredContent).toEqual({ answers: [answer, answer] });
  },
  async logs({ client }, payload) {
    const params = { level: 'error', data: payload };
    const given = { method: 'notifications/message', params };
    const _meta = { [LOG_LEVEL]: 'debug' };
    await requestOf(client, 'tools/call', { name: 'one__say', arguments: given, _meta });
  },
  async progresses({ client, name }) {
    const onprogress = ({ total }: { total?: number | undefined }): void =>
      expect(total).toBe(name.length);
    const given = { ms: 20, steps: name.length };
    await client.callTool({ name: 'one__sleep', arguments: given }, { onprogress });
  },
  async echoes({ client }, payload) {
    const { content } = await client.callTool({
      name: 'one__echo',
      arguments: { message: payload },
    });
    expect(content).toEqual([{ type: 'text', text: payload }]);
  },
};

describe.each(ERAS)('clients of both eras at once before a %s server', (serverEra) => {
  it('get only their own questions, answers, progress and logs', async () => {
    verifies('GWY-01');
    const { connect } = await openGateway(scope, {
      servers: {
        one: serverOf(serverEra, { asking: true, capabilities: { tools: {}, logging: {} } }),
      },
    });
    const owns = await Promise.all(
      Array.from({ length: CLIENTS }, async (_, index): Promise<Own> => {
        const name = `client-${index}${'x'.repeat(index)}`;
        const reached: string[] = [];
        const prepare = (client: Client): void => {
          client.setRequestHandler('elicitation/create', ({ params }) => {
            reached.push(params.message);
            return { action: 'accept', content: { name: params.message } };
          });
          client.setNotificationHandler('notifications/message', ({ params }) => {
            reached.push(String(params.data));
          });
        };
        const era = ERAS[index % 2] ?? 'legacy';
        const client = await connect(era, { capabilities: { elicitation: {} }, prepare });
        return { client, name, reached };
      }),
    );
    const step = fc.record({
      by: fc.nat({ max: CLIENTS - 1 }),
      does: fc.constantFrom(...Object.keys(STEPS)),
    });
    let count = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 20 }), async (steps) => {
        await Promise.all(
          steps.map(async ({ by, does }) => {
            const own = owns[by];
            if (own !== undefined) await STEPS[does]?.(own, `${own.name}:${(count += 1)}`);
          }),
        );
        for (const { name, reached } of owns) {
          expect(reached.filter((text) => !text.startsWith(`${name}:`))).toEqual([]);
        }
      }),
      { numRuns: 24 },
    );
    expect(owns.every(({ reached }) => reached.length > 0)).toBe(true);
  });
});
