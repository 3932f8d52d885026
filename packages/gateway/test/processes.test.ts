import type { Client } from '@modelcontextprotocol/client';
import { Scope } from '@plugboard/base';
import { verifies } from '@plugboard/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cells, openGateway, serverOf } from './cells.ts';

let scope: Scope;
beforeEach(() => {
  scope = new Scope();
});
afterEach(() => scope.close());

/** The id of the process that handles a call. */
async function pidFor(client: Client): Promise<string> {
  const { content } = await client.callTool({ name: 'one__pids' });
  return JSON.stringify(content);
}

describe.each(cells)('two clients that are each a $name', ({ client: era, server: serverEra }) => {
  const server = serverOf(serverEra, { builtIns: ['pids'] });

  it('share a process if the server keeps no state between requests, and otherwise have one each', async () => {
    verifies('GWY-01');
    const { connect } = await openGateway(scope, { servers: { one: server } });
    const clients = [
      await connect(era, { capabilities: { roots: {} } }),
      await connect(era, { capabilities: { sampling: {} } }),
    ];
    const [first] = clients;
    // The era of the server is known once it was listed.
    await first?.listTools();
    const pids = await Promise.all(clients.map(pidFor));
    expect(new Set(pids).size).toBe(serverEra === 'modern' ? 1 : 2);
  });

  it('use the process that the gateway lists if the entry is shared', async () => {
    verifies('GWY-01');
    const servers = { one: { ...server, shared: true } };
    const { connect, gateway } = await openGateway(scope, { servers });
    const listed = await gateway.host.call({ server: 'one', tool: 'pids' }, {});
    const clients = [await connect(era), await connect(era)];
    const pids = new Set(await Promise.all(clients.map(pidFor)));
    expect(pids.size).toBe(1);
    expect(JSON.stringify(listed)).toContain(/\d{2,}/.exec([...pids].join(''))?.[0]);
  });
});
