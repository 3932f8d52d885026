import { readdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { Scope } from '@plugboard/base';
import {
  allProcesses,
  atSomePace,
  isAlive,
  tempFolder,
  verifies,
  waitUntil,
} from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { hostEnvironment } from '@plugboard/host/configuration';
import { connected, ERAS, givenWorkspace, pathsIn } from './given-workspace.ts';

const anyNumber = expect.any(Number) as number;

/** A unique command, also among concurrent runs of this test. */
const sleep = (seconds: number): string => `sleep ${seconds}.${process.pid}`;

/** Whether a process with these words in its command line runs. */
function isRunning(words: string): boolean {
  return allProcesses().some(({ command }) => command.includes(words));
}

describe.each(ERAS)('run_command, %s', (era) => {
  verifies('AGT-08');

  it('returns the output of both streams, in order, and the exit code', async () => {
    await using scope = new Scope();
    const { call } = await givenWorkspace(scope, { era });
    const command = 'for i in 1 2 3; do echo out $i; echo err $i >&2; done; exit 3';
    const output = 'out 1\nerr 1\nout 2\nerr 2\nout 3\nerr 3\n';
    expect(await call('run_command', { command })).toEqual({
      isError: false,
      text: `exit code 3\n${output}`,
      data: { exit_code: 3, omitted_bytes: 0, duration_ms: anyNumber },
    });
  });

  it('reports the last line while the command runs', async () => {
    await using scope = new Scope();
    const { folder, client } = await givenWorkspace(scope, { era });
    const told: (string | undefined)[] = [];
    // It ends after its first output has arrived.
    const command = 'echo first; while [ ! -e go ]; do sleep 0.01; done; echo last';
    const result = await client.callTool(
      { name: 'run_command', arguments: { command } },
      {
        onprogress: ({ message }) => {
          told.push(message);
          void folder.write('tree/go', '');
        },
      },
    );
    expect(told[0]).toBe('first');
    expect(result.content).toEqual([{ type: 'text', text: 'exit code 0\nfirst\nlast\n' }]);
  });

  it('ends the command and all its child processes when the call is aborted', async () => {
    await using scope = new Scope();
    const { client, folder } = await givenWorkspace(scope, { era });
    const controller = new AbortController();
    const command = `trap '' INT TERM; echo $$ > pid; ${sleep(7411)} & echo up; ${sleep(7412)}; sleep 7413`;
    const call = client.callTool(
      { name: 'run_command', arguments: { command } },
      { signal: controller.signal, onprogress: () => controller.abort() },
    );
    await expect(call).rejects.toBeDefined();
    const pid = Number(await folder.read('tree/pid'));
    await waitUntil(() => !isAlive(pid) && !isRunning(sleep(7411)) && !isRunning(sleep(7412)), {
      describe: 'the end of what was started',
    });
  });

  it('ends the command when the client disconnects', async () => {
    await using scope = new Scope();
    const { workspace } = await givenWorkspace(scope, { era });
    const client = await connected(workspace, era);
    const heard = new Promise<void>((resolve) => {
      client
        .callTool(
          { name: 'run_command', arguments: { command: `echo up; ${sleep(7421)}` } },
          { onprogress: () => resolve() },
        )
        .catch(() => {
          // This is expected.
        });
    });
    await heard;
    await client.close();
    await waitUntil(() => !isRunning(sleep(7421)), { describe: 'the end of what was started' });
  });

  it('ends the command when the workspace is closed', async () => {
    await using scope = new Scope();
    const { workspace, client } = await givenWorkspace(scope, { era });
    let call: Promise<unknown> = Promise.resolve();
    await new Promise<void>((resolve) => {
      call = client
        .callTool(
          { name: 'run_command', arguments: { command: `echo up; ${sleep(7431)}` } },
          { onprogress: () => resolve() },
        )
        .catch(() => 'ended');
    });
    await workspace.close();
    expect(isRunning(sleep(7431))).toBe(false);
    await call;
  });
});

describe('run_command', () => {
  verifies('AGT-08');

  it('ends a command that takes too long, and returns its output so far', async () => {
    await atSomePace(async (longestCommandMs) => {
      await using scope = new Scope();
      const { call } = await givenWorkspace(scope, { limits: { longestCommandMs } });
      const answer = await call('run_command', {
        command: `echo begun; ${sleep(7441)}`,
        timeout_ms: 600_000,
      });
      expect(answer).toEqual({
        isError: true,
        text: `the command took longer than ${longestCommandMs} ms and was ended; timeout_ms can be more. Until then it had printed:\nbegun\n`,
        data: undefined,
      });
      expect(isRunning(sleep(7441))).toBe(false);
    });
  });

  it('keeps a record of the running command, so that it can be ended after a crash', async () => {
    await using scope = new Scope();
    const { folder, call } = await givenWorkspace(scope);
    const written = join(pathsIn(folder).state, 'processes');
    // It is written after the start of the command, so the command may run first.
    const read = `until cat ${written}/*.json 2>/dev/null; do sleep 0.01; done`;
    const { text } = await call('run_command', { command: `${read}; echo " $$"` });
    const [, groups = '', pid] = /^exit code 0\n(.*) (\d+)\n$/.exec(text) ?? [];
    expect(JSON.parse(groups)).toEqual([
      { pid: Number(pid), start: anyNumber, mark: expect.any(String), session: anyNumber },
    ]);
    expect(await readdir(written)).toEqual([]);
  });

  it('reports the signal that ended the command', async () => {
    await using scope = new Scope();
    const { call } = await givenWorkspace(scope);
    expect(await call('run_command', { command: 'kill -KILL $$' })).toEqual({
      isError: false,
      text: 'ended by SIGKILL, and it printed nothing',
      data: {
        exit_code: null,
        signal: 'SIGKILL',
        omitted_bytes: 0,
        duration_ms: anyNumber,
      },
    });
  });

  it('passes on the variables that programs need, and no keys', async () => {
    await using scope = new Scope();
    const { env } = hostEnvironment();
    const paths = pathsIn(scope.use(await tempFolder()));
    const secrets = {
      ANTHROPIC_API_KEY: 'sk-ant-secret-1',
      OPENAI_API_KEY: 'sk-secret-2',
      AWS_SECRET_ACCESS_KEY: 'secret-3',
      DATABASE_URL: 'postgres://u:secret-4@db',
      BASH_ENV: '/tmp/secret-5',
      LD_PRELOAD: '/tmp/secret-6.so',
    };
    const environment = { env: { ...env, ...secrets, GOPATH: '/go', TERM: 'xterm' }, paths };
    const { root, call } = await givenWorkspace(scope, { environment });
    const { text: output } = await call('run_command', { command: 'env' });
    expect(output).not.toMatch(/secret/i);
    const lines = output.split('\n');
    for (const line of [`PATH=${env['PATH']}`, `PWD=${root}`, 'TERM=dumb', 'GOPATH=/go']) {
      expect(lines).toContain(line);
    }
  });

  it('gives the command an empty stdin and no terminal', async () => {
    await using scope = new Scope();
    const { call } = await givenWorkspace(scope);
    const command = 'cat; tty; test -t 1 || echo plain; (: </dev/tty) 2>/dev/null || echo alone';
    const { text } = await call('run_command', { command });
    expect(text).toBe('exit code 0\nnot a tty\nplain\nalone\n');
  });

  it('does not wait for background processes of the command, and ends them', async () => {
    await using scope = new Scope();
    const { call } = await givenWorkspace(scope);
    const { text } = await call('run_command', { command: `${sleep(7451)} & echo done` });
    expect(text).toBe('exit code 0\ndone\n');
    expect(isRunning(sleep(7451))).toBe(false);
  });

  it('does not wait for a process in a new session that holds the output, and ends it', async () => {
    await using scope = new Scope();
    const { folder, call } = await givenWorkspace(scope);
    const command =
      "setsid sh -c 'echo $$ > pid; sleep 300; :' & while [ ! -s pid ]; do sleep 0.01; done; echo done";
    const { text } = await call('run_command', { command });
    expect(text).toBe('exit code 0\ndone\n');
    expect(isAlive(Number(await folder.read('tree/pid')))).toBe(false);
  });

  it('returns the beginning and the end of long output, and the amount that is missing', async () => {
    await using scope = new Scope();
    const { call } = await givenWorkspace(scope, { limits: { outputBytes: 40 } });
    const { text, data } = await call('run_command', { command: 'seq 1000 1999' });
    const kept = '1000\n1001\n1002\n1003\n[… 4965 bytes left out …]\n1997\n1998\n1999\n';
    expect(text).toBe(`exit code 0\n${kept}`);
    expect(data).toEqual({ exit_code: 0, omitted_bytes: 4965, duration_ms: anyNumber });
  });

  it('returns text without colours, and only the last state of a line that is redrawn', async () => {
    await using scope = new Scope();
    const { call } = await givenWorkspace(scope);
    const command = String.raw`printf '\033[31mred\033[0m\r\n10%%\r50%%\r100%%\ndone\007\n'`;
    const { text } = await call('run_command', { command });
    expect(text).toBe('exit code 0\nred\n100%\ndone\n');
  });

  it('runs in a folder inside the working directory only', async () => {
    await using scope = new Scope();
    const { folder, root, call } = await givenWorkspace(scope);
    await folder.mkdir('tree/sub');
    await symlink('..', join(root, 'up'));
    const run = async (path: string) => (await call('run_command', { command: 'pwd', path })).text;
    expect(await run('sub')).toBe(`exit code 0\n${root}/sub\n`);
    expect(await run(root)).toBe(`exit code 0\n${root}\n`);
    for (const path of ['..', '/', 'up', 'sub/../..']) {
      expect(await run(path)).toContain('it leads out of the working directory');
    }
    expect(await run('nowhere')).toBe('"nowhere": there is no such folder');
  });

  it('reports that there is no shell', async () => {
    await using scope = new Scope();
    const paths = pathsIn(scope.use(await tempFolder()));
    const { call } = await givenWorkspace(scope, {
      environment: { env: { PATH: '/nowhere' }, paths },
    });
    expect(await call('run_command', { command: 'true' })).toMatchObject({
      isError: true,
      text: 'the command could not be started: there is no shell on this machine',
    });
  });

  it('uses sh if there is no bash', async () => {
    await using scope = new Scope();
    const paths = pathsIn(scope.use(await tempFolder()));
    const bin = scope.use(await tempFolder());
    await symlink('/bin/sh', join(bin.path, 'sh'));
    const environment = { env: { PATH: bin.path }, paths };
    const { call } = await givenWorkspace(scope, { environment });
    const { text } = await call('run_command', { command: 'echo hi; command -v bash' });
    expect(text).toMatch(/^exit code \d+\nhi\n$/);
  });

  it('uses the timeout of the workspace if the call has none', async () => {
    await using scope = new Scope();
    const { call } = await givenWorkspace(scope, { limits: { commandMs: 200 } });
    const { text } = await call('run_command', { command: sleep(7461) });
    expect(text).toBe(
      'the command took longer than 200 ms and was ended; timeout_ms can be more. It had printed nothing.',
    );
  });
});
