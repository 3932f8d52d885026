// A gateway that may open so few files that it can start no server.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { scriptedServer } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { documentOf, PLUGBOARD, type Sandbox, sandbox } from '../sandbox.ts';

interface Served extends AsyncDisposable {
  readonly child: ChildProcess;
  readonly url: string;
}

async function served(box: Sandbox, openFiles: number | 'unlimited'): Promise<Served> {
  const limit = openFiles === 'unlimited' ? '' : `ulimit -n ${openFiles}; `;
  const words = [process.execPath, PLUGBOARD, 'serve', '--http', '0', '--no-token', '--yes'];
  const child = spawn('/bin/sh', ['-c', `${limit}exec "$@" --json`, 'sh', ...words], {
    cwd: box.project,
    env: box.env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const first = await createInterface({ input: child.stdout })[Symbol.asyncIterator]().next();
  const { url } = JSON.parse(first.value as string) as { url: string };
  return {
    child,
    url,
    async [Symbol.asyncDispose]() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}

async function openFilesOf(box: Sandbox): Promise<number> {
  await using gateway = await served(box, 'unlimited');
  return (await readdir(`/proc/${gateway.child.pid}/fd`)).length;
}

/** Enough for the connection of a client, but not for the pipes of a server. */
const SPARE = 4;

const ADVICE =
  'too many files are open: end other programs, or allow more (ulimit -n 4096) and start this one again';

describe.runIf(process.platform === 'linux')('a gateway that can open no more files', () => {
  it('reports the fix to clients and in status, and does not refer to doctor', async () => {
    await using box = await sandbox({ one: scriptedServer() });
    await using gateway = await served(box, (await openFilesOf(box)) + SPARE);
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(new URL(gateway.url)));
    const { content } = await client.callTool({ name: 'one__echo', arguments: { message: 'hi' } });
    await client.close();
    expect(content).toEqual([
      {
        type: 'text',
        text: expect.stringMatching(
          /^Tool echo gave no result: server one failed: .*EMFILE.*\n/,
        ) as string,
      },
    ]);
    expect(JSON.stringify(content)).toContain(`\\nOn the machine of the gateway ${ADVICE}`);
    const { gateways } = documentOf(await box.run(['status', '--json'])) as {
      gateways: readonly { readonly servers: readonly object[] }[];
    };
    expect(gateways[0]?.servers).toMatchObject([
      { name: 'one', problem: expect.stringContaining(`; ${ADVICE}`) as string, command: null },
    ]);
  });
});
