// Clients of a gateway that is killed and started again at the same address, as by a user service.

import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Scope } from '@plugboard/base';
import { freePort, scriptedServer, verifies, waitUntil } from '@plugboard/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Sandbox, sandbox } from '../sandbox.ts';

let scope: Scope;
beforeEach(() => {
  scope = new Scope();
});
afterEach(() => scope.close());

interface Killable {
  readonly kill: () => Promise<void>;
}

/** A listening gateway. */
async function served(box: Sandbox, port: number): Promise<Killable> {
  const child = box.start(['serve', '--http', `${port}`, '--yes', '--json']);
  const ended = once(child, 'exit');
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL');
    await ended;
  };
  scope.defer(kill);
  await once(child.stdout, 'data');
  return { kill };
}

const ECHO = { name: 'one__echo', arguments: { message: 'hi' } };

describe.each(['legacy', 'modern'] as const)(
  'a %s client whose gateway is killed during a call',
  (era) => {
    verifies('GWY-01', 'GWY-03');

    it('waits no longer than its timeout, and continues with the next gateway', async () => {
      const box = scope.use(await sandbox({ one: scriptedServer() }));
      const port = await freePort();
      const gateway = await served(box, port);
      const file = `${box.home}/.state/plugboard/gateway/token`;
      const headers = { Authorization: `Bearer ${(await readFile(file, 'utf8')).trim()}` };
      const connected = async (): Promise<Client> => {
        const mode = era === 'modern' ? ({ pin: '2026-07-28' } as const) : 'legacy';
        const client = new Client({ name: 'x', version: '1' }, { versionNegotiation: { mode } });
        const url = new URL(`http://127.0.0.1:${port}/mcp`);
        await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
        scope.defer(() => client.close());
        return client;
      };
      const client = await connected();
      // Starts the server first, since that takes long on a busy machine.
      await client.callTool(ECHO);
      let steps = 0;
      const running = client.callTool(
        { name: 'one__sleep', arguments: { ms: 600_000, steps: 10_000 } },
        { onprogress: () => void (steps += 1), timeout: 5000 },
      );
      const lost = expect(running).rejects.toThrow();
      await waitUntil(() => steps > 0, { describe: 'the call to run' });
      await gateway.kill();
      await lost;
      await served(box, port);
      if (era === 'modern') {
        expect(JSON.stringify(await client.callTool(ECHO))).toContain('hi');
        return;
      }
      await expect(client.callTool(ECHO)).rejects.toThrow(/session/i);
      const anew = await connected();
      expect(JSON.stringify(await anew.callTool(ECHO))).toContain('hi');
    });
  },
);
