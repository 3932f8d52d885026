// What can happen to the files of a gateway in the background while it runs.

import { cp, readFile, rm, symlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { spawn } from 'node:child_process';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import {
  isAlive,
  scriptedServer,
  startScriptedHttp,
  tempFolder,
  verifies,
} from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { documentOf, finished, PLUGBOARD, type Sandbox, sandbox } from '../sandbox.ts';

interface Started {
  readonly url: string;
  readonly pid: number;
  readonly tokenFile: string;
}

/** A sandbox whose user has these servers, and whose gateway in the background ends with it. */
async function withServers(mcpServers: object): Promise<Sandbox> {
  const box = await sandbox({});
  await box.write('../home/.config/plugboard/settings.json', JSON.stringify({ mcpServers }));
  return {
    ...box,
    async [Symbol.asyncDispose]() {
      await box.run(['serve', '--stop']);
      await box[Symbol.asyncDispose]();
    },
  };
}

const BACKGROUND = ['serve', '--background', '--http', '0', '--yes', '--json'] as const;

async function called({ url, tokenFile }: Started, tool: string): Promise<unknown> {
  const client = new Client({ name: 'test', version: '1' });
  const token = (await readFile(tokenFile, 'utf8')).trim();
  const requestInit = { headers: { Authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
  const { content } = await client.callTool({ name: tool, arguments: { message: 'hello' } });
  await client.close();
  return content;
}

describe('a gateway in the background whose program is replaced', () => {
  verifies('GWY-03');

  it('goes on with servers over stdio and HTTP, which it had not reached before', async () => {
    await using remote = await startScriptedHttp();
    await using box = await withServers({
      local: scriptedServer(),
      remote: { type: 'http', url: remote.url },
    });
    await using program = await tempFolder();
    const cli = dirname(dirname(PLUGBOARD));
    for (const part of ['bin', 'bundle', 'package.json']) {
      await cp(`${cli}/${part}`, `${program.path}/${part}`, { recursive: true });
    }
    const command = [`${program.path}/bin/plugboard.js`, ...BACKGROUND];
    const run = await finished(
      spawn(process.execPath, command, { cwd: box.project, env: box.env }),
    );
    const started = documentOf(run) as Started;
    await rm(`${program.path}/bundle`, { recursive: true });
    const said = [{ type: 'text', text: 'hello' }];
    expect(await called(started, 'local__echo')).toEqual(said);
    expect(await called(started, 'remote__echo')).toEqual(said);
  });
});

/** A folder in which the system lets no one make anything, also not its administrator. */
const CLOSED = '/sys/fs';

describe.runIf(process.platform === 'linux')('a state folder that cannot be written', () => {
  verifies('GWY-03');

  it('does not keep --stop from ending the gateway', async () => {
    await using box = await withServers({ one: scriptedServer() });
    const { pid } = documentOf(await box.runProcess([...BACKGROUND])) as Started;
    const log = `${box.home}/.state/plugboard/gateway/log`;
    await rm(log);
    // The lock of those who work on it would be beside its target.
    await symlink(`${CLOSED}/log`, log);
    const stopped = await box.run(['serve', '--stop']);
    expect(stopped.stderr).toMatch(/^Stopped the gateway at /);
    expect(isAlive(pid)).toBe(false);
  });

  it.each([['--http', '0'], ['--background']])(
    'is what serve %s complains about, and no fault of Plugboard',
    async (...options) => {
      await using box = await sandbox({});
      const env = { XDG_STATE_HOME: CLOSED };
      const run = await box.runProcess(['serve', ...options], { env });
      expect(run.code).toBe(1);
      expect(run.stderr).toContain(`${CLOSED}/plugboard`);
      expect(run.stderr).toMatch(/EPERM|EACCES/);
      expect(run.stderr).not.toContain('bug');
    },
  );
});
