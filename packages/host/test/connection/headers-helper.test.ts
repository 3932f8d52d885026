import { never, systemClock } from '@plugboard/base';
import {
  isAlive,
  ManualClock,
  overTime,
  tempFolder,
  verifies,
  waitUntil,
} from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { splitCommand } from '../../src/config/index.ts';
import { hostEnvironment } from '../../src/platform/index.ts';
import {
  runHelper,
  helperEnvironment,
  mergeHeaders,
  readHeaders,
} from '../../src/connection/headers-helper.ts';

const PATH = process.env['PATH'] ?? '';

async function ask(
  command: string,
  env: Readonly<Record<string, string>> = {},
  isForeign = false,
): ReturnType<typeof runHelper> {
  const split = splitCommand(command);
  if (!split.ok) throw new Error(split.error.kind);
  const helper = { command: split.value, server: 's', url: 'https://e.com/mcp', isForeign };
  const environment = { ...hostEnvironment(), env: { PATH, ...env } };
  return runHelper(helper, never, { environment, clock: systemClock });
}

describe('a headers helper', () => {
  verifies('CFG-15');

  it('yields the headers that it prints', async () => {
    expect(await ask(`printf '%s' '{"Authorization":"Bearer x","X-Two":""}'`)).toEqual({
      ok: true,
      value: { Authorization: 'Bearer x', 'X-Two': '' },
    });
  });

  it('may write to stderr and succeed', async () => {
    expect(await ask(`sh -c 'echo careful >&2; echo {}'`)).toEqual({ ok: true, value: {} });
  });

  it.each([
    [
      'crashes',
      `sh -c 'echo s3cret; echo why >&2; exit 2'`,
      { kind: 'exited', exit: { code: 2, signal: null }, stderr: ['why'] },
    ],
    [
      'is killed',
      `sh -c 'kill -KILL $$'`,
      { kind: 'exited', exit: { code: null, signal: 'SIGKILL' }, stderr: [] },
    ],
    [
      'prints too much',
      `sh -c 'echo why >&2; yes s3cret'`,
      { kind: 'too-large', limit: 65_536, stderr: ['why'] },
    ],
    [
      'prints garbage',
      `sh -c 'echo s3cret; echo why >&2'`,
      { kind: 'bad-output', problem: 'not-json', stderr: ['why'] },
    ],
    ['prints nothing', 'true', { kind: 'bad-output', problem: 'not-json', stderr: [] }],
    [
      'is not there',
      'no-such-program',
      {
        kind: 'not-started',
        failure: { kind: 'command-not-found', command: 'no-such-program', searched: PATH },
      },
    ],
  ])('that %s fails, and its output is not shown', async (_, command, error) => {
    const asked = await ask(command);
    expect(asked).toEqual({ ok: false, error });
    expect(JSON.stringify(asked)).not.toContain('s3cret');
  });

  it('that hangs is stopped after ten seconds, with its stderr', async () => {
    await using folder = await tempFolder();
    const clock = new ManualClock();
    const command = {
      command: 'sh',
      args: ['-c', 'echo why >&2; echo $$ > pid; mv pid ready; exec sleep 60'],
    };
    const helper = { command, server: 's', url: '', isForeign: false };
    const environment = { ...hostEnvironment(), env: { PATH }, cwd: folder.path };
    const asked = runHelper(helper, never, { environment, clock });
    const pid = await waitUntil(() => folder.read('ready').catch(() => undefined), {
      describe: 'the command to run',
    });
    await clock.advance(9_999);
    expect(isAlive(Number(pid))).toBe(true);
    await clock.advance(1);
    const error = { kind: 'timeout', ms: 10_000, stderr: ['why'] };
    expect(await overTime(clock, asked, 50)).toEqual({ ok: false, error });
    await waitUntil(() => !isAlive(Number(pid)), { describe: 'the command to end' });
  });

  it('leaves no process when it ends', async () => {
    await using folder = await tempFolder();
    await ask(`sh -c 'sleep 60 & echo $! > ${folder.path}/pid; echo {}'`);
    expect(isAlive(Number(await folder.read('pid')))).toBe(false);
  });

  const env = {
    HOME: '/home/me',
    LC_ALL: 'C',
    LC_API_KEY: 's3cret',
    GITHUB_TOKEN: 's3cret',
    AWS_SECRET_ACCESS_KEY: 's3cret',
    SSH_AUTH_SOCK: '/tmp/agent',
    DB_PASSWORD: 's3cret',
    NAMED: 'plain',
  };
  const ADDED = [
    'PLUGBOARD_PROCESS_MARK',
    'PLUGBOARD_PROJECT',
    'PLUGBOARD_SERVER_NAME',
    'PLUGBOARD_SERVER_URL',
  ];
  const names = 'node -p "JSON.stringify({names:Object.keys(process.env).sort().join()})"';

  it('of the user inherits the environment of the host, and gets the name of the server', async () => {
    expect(await ask(names, env)).toEqual({
      ok: true,
      value: {
        names: [...Object.keys(env), 'PATH', ...ADDED].toSorted().join(),
      },
    });
    expect(
      helperEnvironment(
        { server: 's', url: 'https://e.com', isForeign: false },
        { env: { A: '1' }, cwd: '/work' },
      ),
    ).toEqual({
      A: '1',
      PLUGBOARD_PROJECT: '/work',
      PLUGBOARD_SERVER_NAME: 's',
      PLUGBOARD_SERVER_URL: 'https://e.com',
    });
  });

  it('of a project or plugin inherits only common variables, and no credentials', async () => {
    expect(await ask(names, env, true)).toEqual({
      ok: true,
      value: {
        names: ['HOME', 'LC_ALL', 'PATH', ...ADDED].join(),
      },
    });
  });
});

describe('the output of a headers helper', () => {
  verifies('CFG-15');

  it.each([
    ['[]', 'not-an-object'],
    ['"s3cret"', 'not-an-object'],
    ['null', 'not-an-object'],
    ['{"a":1}', 'not-text'],
    ['{"a":{"b":"c"}}', 'not-text'],
    ['{"a":null}', 'not-text'],
    ['{"":"x"}', 'bad-name'],
    ['{"a b":"x"}', 'bad-name'],
    ['{"a:":"x"}', 'bad-name'],
    ['{"é":"x"}', 'bad-name'],
    ['{"a":"x\\ny"}', 'bad-value'],
    ['{"a":"x\\r"}', 'bad-value'],
    ['{"a":"\\u0000"}', 'bad-value'],
    ['{"a":"x"} more', 'not-json'],
    [`${'['.repeat(10_000)}${']'.repeat(10_000)}`, 'not-json'],
  ])('is refused: %j', (text, error) => {
    expect(readHeaders(text)).toEqual({ ok: false, error });
  });

  it('overrides the headers of the entry, in any letter case', () => {
    expect(
      mergeHeaders({ authorization: 'new', B: 'b' }, { Authorization: 'old', A: 'a' }),
    ).toEqual({
      A: 'a',
      authorization: 'new',
      B: 'b',
    });
  });
});
