import { scriptedServer } from '@plugboard/testkit';
import { describe, it } from 'vitest';
import { documentOf, sandbox } from '../sandbox.ts';

/** Replaces values that differ from run to run. */
function timeless(text: string): string {
  return text
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, 'TIME')
    .replaceAll(/\b\d+ ms\b/g, 'N ms');
}

const TALKING = {
  builtIns: ['echo'],
  capabilities: { tools: {}, logging: {} },
  logsOnCall: 'on \u001B[31mit',
};

describe.concurrent('plugboard logs', () => {
  it('shows the log of earlier runs, without cursor movements', async ({ expect }) => {
    const { command, args } = scriptedServer(TALKING);
    const quoted = [command, ...args].map((word) => `'${word}'`).join(' ');
    const shell = `printf 'ready \\033[2Jnow\\nsecond\\n' >&2; exec ${quoted}`;
    await using box = await sandbox({ one: { command: 'sh', args: ['-c', shell] } });
    expect(await box.run(['logs', 'one'])).toEqual({
      code: 0,
      stdout: '',
      stderr: 'Server "one" has logged nothing yet.\n',
    });
    await box.run(['call', 'one', 'echo', 'message=hi']);
    const { code, stdout, stderr } = await box.run(['logs', 'one']);
    expect({ code, stdout: timeless(stdout), stderr }).toEqual({
      code: 0,
      stdout: `TIME  stderr  ready now
TIME  stderr  second
TIME  info  scripted: on it
`,
      stderr: '',
    });
    expect(timeless((await box.run(['logs', 'one', '-n', '1'])).stdout)).toBe(
      'TIME  info  scripted: on it\n',
    );
    expect(documentOf(await box.run(['logs', 'one', '-n', '1', '--json']))).toEqual({
      name: 'one',
      lines: [
        {
          at: expect.any(String) as string,
          source: 'log',
          level: 'info',
          text: 'scripted: on \u001B[31mit',
        },
      ],
    });
  });

  it('refuses an unknown server and an invalid number', async ({ expect }) => {
    await using box = await sandbox({ one: scriptedServer() });
    expect((await box.run(['logs', 'oen'])).stderr).toBe(
      'error: there is no server "oen"\n  fix: did you mean "one"?\n',
    );
    expect((await box.run(['logs', 'one', '-n', 'all'])).stderr).toBe(
      'error: "all" is not a number of lines\n  fix: give a whole number, such as -n 20\n',
    );
  });
});

describe.concurrent('plugboard trace', () => {
  it('shows the messages of earlier runs, without their content', async ({ expect }) => {
    await using box = await sandbox({ one: scriptedServer({ builtIns: ['echo'] }) });
    expect((await box.run(['trace', 'one'])).stderr).toBe(
      'Server "one" has no recorded messages yet.\n',
    );
    await box.run(['tools']);
    const { code, stdout, stderr } = await box.run(['trace', 'one']);
    expect({ code, stdout: timeless(stdout).replaceAll(/ +/g, ' '), stderr }).toEqual({
      code: 0,
      stdout: `TIME KIND ID BYTES TOOK CODE METHOD
TIME -> request 0 221 - - initialize
TIME <- result 0 145 N ms - initialize
TIME -> notification - 54 - - notifications/initialized
TIME -> request 1 58 - - tools/list
TIME <- result 1 233 N ms - tools/list
`,
      stderr: '',
    });
    expect(documentOf(await box.run(['trace', 'one', '-n', '1', '--json']))).toEqual({
      name: 'one',
      frames: [
        {
          at: expect.any(String) as string,
          direction: 'received',
          kind: 'result',
          method: 'tools/list',
          id: 1,
          bytes: 233,
          ms: expect.any(Number) as number,
        },
      ],
    });
  });

  it('shows the content of messages if it was recorded, with secrets hidden', async ({
    expect,
  }) => {
    await using box = await sandbox({
      one: scriptedServer({ tools: [{ name: 'sign', inputSchema: { type: 'object' } }] }),
    });
    const env = { PLUGBOARD_TRACE: 'bodies' };
    await box.run(['call', 'one', 'sign', 'token=tops3cret', 'name=me'], { env });
    const { stdout } = await box.run(['trace', 'one']);
    expect(stdout).toContain('"arguments":{"token":"(hidden)","name":"me"}');
    expect(stdout).not.toContain('tops3cret');
  });
});
