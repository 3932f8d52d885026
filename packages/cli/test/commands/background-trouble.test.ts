// Problems of a gateway in the background with its files and its process.

import { Scope } from '@plugboard/base';
import { exists } from '@plugboard/host/configuration';
import { cp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { spawn } from 'node:child_process';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import {
  isAlive,
  scriptedServer,
  startScriptedHttp,
  tempFolder,
  verifies,
  waitUntil,
} from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { documentOf, finished, PLUGBOARD, type Sandbox, sandbox } from '../sandbox.ts';

interface Started {
  readonly url: string;
  readonly pid: number;
  readonly tokenFile: string;
}

/** A sandbox with servers of the user, which also stops its gateway in the background. */
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

interface Shown {
  readonly gateways: readonly { readonly problems: readonly object[] }[];
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

  it('continues with servers over stdio and HTTP that it had not reached before', async () => {
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

describe('a rule that is written for a folder', () => {
  it('comes with the command that writes it for the gateway in the background too', async () => {
    await using box = await withServers({ one: { command: 'a' } });
    const deny = ['permissions', 'one/tool', '--deny'];
    expect((await box.run(deny)).stderr).not.toContain('background');
    await box.runProcess(BACKGROUND);
    expect((await box.run([...deny, '--scope', 'project'])).stderr).toContain(
      'The gateway in the background does not read this folder. For its clients as well: plugboard permissions one/tool --deny --scope user\n',
    );
    expect((await box.run([...deny, '--scope', 'user'])).stderr).not.toContain('background');
  });
});

describe('a gateway in the background', () => {
  verifies('GWY-03');

  it('is found and stopped after its state folder was deleted', async () => {
    await using box = await withServers({ one: scriptedServer() });
    const { pid, url } = documentOf(await box.runProcess([...BACKGROUND])) as Started;
    await rm(`${box.home}/.state/plugboard`, { recursive: true });
    const isFound = async (): Promise<boolean> =>
      (await box.run(['status', '--json'])).stdout.includes(`"pid": ${pid}`);
    await waitUntil(isFound, { describe: 'the gateway to be found again' });
    const stopped = await box.run(['serve', '--stop']);
    expect(stopped.stderr).toContain(`Stopped the gateway at ${url}.\n`);
    expect(isAlive(pid)).toBe(false);
  });

  it('reports settings with errors when it starts', async () => {
    await using box = await withServers({});
    await box.write('../home/.config/plugboard/settings.json', '{ "mcpServers": {} "x": 1 }');
    const started = await box.runProcess(['serve', '--background', '--http', '0', '--yes']);
    expect(started.stderr).toMatch(
      /\n {2}problem: ~\/\.config\/plugboard\/settings\.json:1:20: a comma is missing before this; .*\n {2}fix: add a comma/,
    );
  });

  it('keeps its settings after a broken edit, which status and the log report', async () => {
    await using box = await withServers({ one: scriptedServer() });
    await box.runProcess([...BACKGROUND]);
    await box.write('../home/.config/plugboard/settings.json', '{ "mcpServers": { "one": ,, } }');
    const { stdout } = await box.run(['status']);
    expect(stdout.replaceAll(/\s+/g, ' ')).toMatch(
      /problem ~\/\.config\/plugboard\/settings\.json:1:\d+: .*; what counted before goes on until it is mended fix /,
    );
    expect(stdout).toMatch(/^one +idle/m);
    const log = `${box.home}/.state/plugboard/gateway/log`;
    const isSaid = async (): Promise<boolean> =>
      (await readFile(log, 'utf8')).includes(' warn an edit of the settings does not count ');
    await waitUntil(isSaid, { describe: 'the log to say so' });
  });

  it('is listed by status with its log after it was killed, until another one starts', async () => {
    await using box = await withServers({ one: scriptedServer() });
    const { pid, url } = documentOf(await box.runProcess([...BACKGROUND])) as Started;
    process.kill(pid, 'SIGKILL');
    const isLost = async (): Promise<boolean> => (await box.run(['status'])).stdout === '';
    await waitUntil(isLost, { describe: 'the gateway to be gone' });
    const start =
      'No gateway is running. Start one in the background: plugboard serve --background\n';
    expect((await box.run(['status'])).stderr).toBe(
      `The gateway at ${url} (process ${pid}) ended, and no command stopped it. What it said last: ~/.state/plugboard/gateway/log\nStart it again: plugboard serve --background --http ${new URL(url).host} --yes\n`,
    );
    expect(documentOf(await box.run(['status', '--json']))).toEqual({
      gateways: [],
      lost: [
        {
          url,
          pid,
          logFile: `${box.home}/.state/plugboard/gateway/log`,
          fix: `plugboard serve --background --http ${new URL(url).host} --yes`,
        },
      ],
    });
    await box.runProcess([...BACKGROUND]);
    await box.run(['serve', '--stop']);
    expect((await box.run(['status'])).stderr).toBe(start);
  });

  it('is shown by status with a fix if it refuses the command', async () => {
    await using box = await withServers({ one: scriptedServer() });
    const { pid, url } = documentOf(await box.runProcess([...BACKGROUND])) as Started;
    const token = `${box.home}/.state/plugboard/gateway/console-token`;
    await writeFile(token, `${'x'.repeat(43)}\n`);
    const run = await box.run(['status']);
    expect(run.stdout).toContain(`${url}: the gateway refuses this command: `);
    expect(run.stdout).toContain(
      `\n  process ${pid}, in the background\n  fix: end it: plugboard serve --stop, then start it again: plugboard serve --background --http ${new URL(url).host} --yes\n`,
    );
  });
});

describe('a gateway in the background whose process is suspended', () => {
  verifies('GWY-03');

  it('is reported by each command that needs it, with the commands that end and start it', async () => {
    await using box = await withServers({ one: scriptedServer() });
    const { pid, url } = documentOf(await box.runProcess([...BACKGROUND])) as Started;
    const cursor = await box.write('../home/.cursor/mcp.json', '{}');
    process.kill(pid, 'SIGSTOP');
    await using scope = new Scope();
    scope.defer(() => void process.kill(pid, 'SIGCONT'));
    const commands = [
      ['serve', '--background', '--http', '0', '--yes'],
      ['install', 'cursor', '--http', '--yes'],
      ['install', 'cursor', '--background', '--yes'],
    ];
    const [status, ...runs] = await Promise.all(
      [['status', '--json'], ...commands].map((words) => box.run(words)),
    );
    const fix = `end its process: kill -9 ${pid}, then start it again: plugboard serve --background --http ${new URL(url).host} --yes`;
    const stderr = `error: the gateway at ${url} does not answer (took longer than 10000 ms), though its process ${pid} is there\n  fix: ${fix}\n`;
    expect(runs).toEqual(commands.map(() => ({ code: 1, stdout: '', stderr })));
    expect(JSON.parse(status?.stdout ?? '')).toMatchObject({
      gateways: [{ url, pid, error: { kind: 'unreachable', fix } }],
    });
    expect(await readFile(cursor, 'utf8')).toBe('{}');
  });
});

/** A folder in which nobody can create files, not even an administrator. */
const CLOSED = '/sys/fs';

describe.runIf(process.platform === 'linux')('a state folder that cannot be written', () => {
  verifies('GWY-03');

  it('is shown by status, with its effects and the fix, until it is writable again', async () => {
    await using box = await withServers({ one: scriptedServer() });
    await box.runProcess([...BACKGROUND]);
    const sample = `${box.home}/.state/plugboard/gateway/written`;
    await symlink(`${CLOSED}/written`, sample);
    const { stdout } = await box.run(['status']);
    expect(stdout.replaceAll(/\s+/g, ' ')).toMatch(
      /problem ~\/\.state\/plugboard cannot be written \(E[A-Z]+\): calls go on, and logs, records and accepted definitions are lost fix check its permissions/,
    );
    const [gateway] = (documentOf(await box.run(['status', '--json'])) as Shown).gateways;
    expect(gateway?.problems).toMatchObject([{ kind: 'state' }]);
    await rm(sample);
    const [mended] = (documentOf(await box.run(['status', '--json'])) as Shown).gateways;
    expect(mended?.problems).toEqual([]);
    expect(await exists(sample)).toBe(false);
  });

  it('does not keep --stop from ending the gateway', async () => {
    await using box = await withServers({ one: scriptedServer() });
    const { pid } = documentOf(await box.runProcess([...BACKGROUND])) as Started;
    const log = `${box.home}/.state/plugboard/gateway/log`;
    await rm(log);
    // The lock would be beside the target of the link.
    await symlink(`${CLOSED}/log`, log);
    const stopped = await box.run(['serve', '--stop']);
    expect(stopped.stderr).toMatch(/^Stopped the gateway at /);
    expect(isAlive(pid)).toBe(false);
  });

  it('is the reason that --background reports, instead of lines of a log', async () => {
    await using box = await withServers({ one: scriptedServer() });
    const running = `${box.home}/.state/plugboard/gateway/running`;
    await mkdir(`${box.home}/.state/plugboard/gateway`, { recursive: true });
    await symlink(CLOSED, running);
    await symlink(`${CLOSED}/written`, `${box.home}/.state/plugboard/gateway/written`);
    const { code, stderr } = await box.runProcess([...BACKGROUND].slice(0, -1));
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(
        /^error: the gateway does not start: ~\/\.state\/plugboard cannot be written \(E[A-Z]+\)\n {2}fix: check its permissions and the space on the disk\n$/,
      ),
    });
  });

  it.each([['--http', '0'], ['--background']])(
    'is the reason that serve %s reports, instead of a bug of Plugboard',
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
