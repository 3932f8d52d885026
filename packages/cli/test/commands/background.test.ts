// The gateway in the background, started by the built command, which it outlives.

import { once } from 'node:events';
import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import {
  allProcesses,
  isAlive,
  processTree,
  scriptedServer,
  verifies,
  waitUntil,
} from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { launchAgent, systemdUnit } from '../../src/commands/user-service.ts';
import { documentOf, type Sandbox, sandbox } from '../sandbox.ts';

interface Started {
  readonly url: string;
  readonly pid: number;
  readonly keptBy: string;
  readonly isNew: boolean;
  readonly logFile: string;
  readonly tokenFile: string;
}

/** A sandbox with a server of the user, which also stops its gateway in the background. */
async function withServer(
  settings: object = { mcpServers: { one: scriptedServer() } },
): Promise<Sandbox> {
  const box = await sandbox({});
  await box.write('../home/.config/plugboard/settings.json', JSON.stringify(settings));
  return {
    ...box,
    async [Symbol.asyncDispose]() {
      await box.run(['serve', '--stop']);
      await box[Symbol.asyncDispose]();
    },
  };
}

async function background(box: Sandbox, env: Record<string, string> = {}): Promise<Started> {
  const words = ['serve', '--background', '--http', '0', '--yes', '--json'];
  return documentOf(await box.runProcess(words, { env })) as Started;
}

interface Status {
  readonly gateways: readonly {
    readonly url: string;
    readonly keptBy: string | null;
    readonly servers: readonly { readonly name: string; readonly state: string }[];
    readonly clients: readonly { readonly name: string; readonly requests: number }[];
    readonly traffic: { readonly requests: number; readonly failed: number };
  }[];
}

async function statusIn(box: Sandbox): Promise<Status> {
  return documentOf(await box.run(['status', '--json'])) as Status;
}

async function connected({ url, tokenFile }: Started): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  const token = (await readFile(tokenFile, 'utf8')).trim();
  const requestInit = { headers: { Authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
  return client;
}

describe('plugboard serve --background', () => {
  verifies('GWY-03');

  it('runs one gateway, which status shows, until --stop ends it with its servers', async () => {
    await using box = await withServer();
    expect(await statusIn(box)).toEqual({ gateways: [], lost: [] });
    const first = await background(box);
    expect(first).toMatchObject({ keptBy: 'process', isNew: true });
    expect(await background(box)).toEqual({ ...first, isNew: false });
    // The gateway has its own session, so closing a terminal does not end it.
    expect(allProcesses().find(({ pid }) => pid === first.pid)).toMatchObject({
      session: first.pid,
    });
    const client = await connected(first);
    const { structuredContent } = await client.callTool({ name: 'one__pids', arguments: {} });
    const { pid } = structuredContent as { pid: number };
    const status = await statusIn(box);
    expect(status).toMatchObject({
      gateways: [
        {
          url: first.url,
          processes: processTree(first.pid).length,
          keptBy: 'process',
          servers: [{ name: 'one', state: 'ready', problem: null }],
          clients: [{ name: 'test', version: '1' }],
          traffic: { failed: 0 },
          waiting: [],
        },
      ],
    });
    expect(status.gateways[0]?.traffic.requests).toBeGreaterThan(0);
    const text = await box.run(['status']);
    expect(text.stdout).toMatch(/^gateway {2}http:\/\/127\.0\.0\.1:\d+\/mcp$/m);
    expect(text.stdout).toMatch(
      new RegExp(
        `^runs {5}in the background, process ${first.pid} \\(and [1-9] that it started\\), version `,
        'm',
      ),
    );
    expect(text.stdout).toMatch(/^one +ready/m);
    expect(text.stdout).toMatch(/^test 1 /m);
    await client.close();
    const stopped = documentOf(await box.run(['serve', '--stop', '--json']));
    expect(stopped).toEqual({ stopped: { url: first.url, pid: first.pid } });
    expect([isAlive(first.pid), isAlive(pid)]).toEqual([false, false]);
    expect((await box.run(['serve', '--stop'])).stderr).toBe(
      'No gateway is running in the background.\n',
    );
    expect((await box.run(['status'])).stderr).toContain('plugboard serve --background');
  });

  it('starts again after a kill, and only once for several requests', async () => {
    await using box = await withServer();
    const first = await background(box);
    process.kill(first.pid, 'SIGKILL');
    await waitUntil(async () => (await statusIn(box)).gateways.length === 0, {
      describe: 'the gateway to be gone',
    });
    const started = await Promise.all([background(box), background(box), background(box)]);
    expect(new Set(started.map(({ pid }) => pid)).size).toBe(1);
    expect(started.filter(({ isNew }) => isNew)).toHaveLength(1);
    expect(started[0]?.pid).not.toBe(first.pid);
  });

  it('explains why it has none of the servers of a folder', async () => {
    await using box = await withServer({ mcpServers: {} });
    await box.servers({ here: scriptedServer() });
    const started = await box.runProcess(['serve', '--background', '--http', '0', '--yes']);
    expect(started.stderr).toContain('those of your own settings (added with --scope user)');
    const { stdout } = await box.run(['status']);
    expect(stdout).toContain(`
No servers: it has those of your own settings, and none of a folder.
Add one: plugboard add NAME --scope user -- COMMAND

No client has connected since it started. To connect those of this machine: plugboard install --all --http
`);
  });

  it('reports why it does not start, with lines of its log', async () => {
    await using box = await withServer();
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as { port: number };
    const run = await box.runProcess(['serve', '--background', '--http', `${port}`]);
    taken.close();
    expect(run.code).toBe(1);
    expect(run.stderr).toContain('error: the gateway does not start: it has ended\n');
    expect(run.stderr).toContain(
      `| error: another program listens at 127.0.0.1:${port}
  |   fix: end it, or choose another port: plugboard serve --background --http ${port + 1}\n`,
    );
    expect(await statusIn(box)).toEqual({ gateways: [], lost: [] });
  });

  it('refuses options that differ from those of the running gateway, and options about one folder', async () => {
    await using box = await withServer();
    await background(box);
    const other = await box.run(['serve', '--background', '--http', '0', '--mode', 'search']);
    expect(other.stderr).toContain(
      'a gateway runs in the background with other options: --http 127.0.0.1:0 --yes\n  fix: end it first: plugboard serve --stop',
    );
    const folder = await box.run(['serve', '--background', '--include', 'codebase']);
    expect(folder.stderr).toContain('--include is not for a gateway in the background');
  });

  it('limits the size of its log, and keeps older lines in a second file', async () => {
    await using box = await withServer();
    const folder = `${box.home}/.state/plugboard/gateway`;
    await mkdir(folder, { recursive: true });
    await writeFile(`${folder}/log`, 'x'.repeat(1024 * 1024 + 1));
    const { logFile, url } = await background(box);
    expect((await stat(logFile)).size).toBeLessThan(10_000);
    expect((await stat(`${logFile}.1`)).size).toBe(1024 * 1024 + 1);
    expect(await readFile(logFile, 'utf8')).toContain(`info the gateway serves url="${url}"`);
  });
});

/** A minimal `systemctl --user` that starts and stops the command in the unit file. */
const SYSTEMCTL = `#!/bin/sh
echo "$*" >> "$HOME/systemctl.log"
unit="$XDG_CONFIG_HOME/systemd/user/plugboard-gateway.service"
case "$2" in
  restart)
    eval "set -- $(sed -n 's/^ExecStart=//p' "$unit")"
    # The service manager starts it, not this program.
    unset PLUGBOARD_PROCESS_MARK
    setsid sh -c 'echo $$ > "$HOME/unit.pid"; exec "$@"' sh "$@" > /dev/null 2>> "$(sed -n 's/^StandardError=append://p' "$unit")" &
    until [ -s "$HOME/unit.pid" ]; do :; done ;;
  disable) kill "$(cat "$HOME/unit.pid")" ;;
esac
`;

describe('a user service of systemd', () => {
  verifies('GWY-03');

  it('runs the gateway if the system has user services, and is removed by --stop', async () => {
    await using box = await withServer();
    const bin = `${box.home}/bin`;
    await mkdir(bin);
    await writeFile(`${bin}/systemctl`, SYSTEMCTL);
    await chmod(`${bin}/systemctl`, 0o755);
    const env = { PATH: `${bin}:${box.env['PATH'] ?? ''}`, PLUGBOARD_BACKGROUND: '' };
    const unit = `${box.home}/.config/systemd/user/plugboard-gateway.service`;
    const started = await background(box, env);
    expect(started).toMatchObject({ keptBy: 'service', isNew: true });
    expect((await stat(unit)).mode & 0o777).toBe(0o600);
    expect(await readFile(unit, 'utf8')).toContain(`Environment="PATH=${bin}:`);
    expect((await statusIn(box)).gateways).toMatchObject([{ keptBy: 'service' }]);
    const stopped = await box.runProcess(['serve', '--stop'], { env });
    expect(stopped).toEqual({
      code: 0,
      stdout: '',
      stderr: `Stopped the gateway at ${started.url}.\nStart it again: plugboard serve --background --http ${new URL(started.url).host} --yes\n`,
    });
    await expect(stat(unit)).rejects.toThrow('ENOENT');
    const said = (await readFile(`${box.home}/systemctl.log`, 'utf8')).trim().split('\n');
    expect(said.filter((line) => !line.endsWith('show-environment'))).toEqual([
      '--user daemon-reload',
      '--user enable plugboard-gateway.service',
      '--user restart plugboard-gateway.service',
      '--user disable --now plugboard-gateway.service',
    ]);
  });

  it('has every word of its file read as it is', () => {
    const words = ['/a b/node', String.raw`/c"d\e/$f%g`, 'serve'];
    const unit = systemdUnit({ words, folder: '/100%', log: '/l%g' }, [['PATH', '/x "y":/z%']]);
    expect(unit).toContain(
      String.raw`ExecStart="/a b/node" "/c\"d\\e/$$f%%g" "serve"` +
        '\nWorkingDirectory=/100%%\n' +
        String.raw`Environment="PATH=/x \"y\":/z%%"`,
    );
    expect(unit).toContain('\nStandardError=append:/l%%g\n');
  });
});

describe('a launch agent of macOS', () => {
  verifies('GWY-03');

  it('has every word of its file read as it is', () => {
    const agent = launchAgent({ words: ['/a&b', '<c>'], folder: '/f', log: '/l' }, [['PATH', '&']]);
    expect(agent).toContain('<array><string>/a&amp;b</string><string>&lt;c></string></array>');
    expect(agent).toContain('<key>PATH</key><string>&amp;</string>');
  });
});
