// A server that a policy list blocks. Every command shows the rule, and none starts the server.

import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { scriptedServer, verifies } from '@plugboard/testkit';
import { describe, it } from 'vitest';
import { documentOf, type Sandbox, sandbox } from '../sandbox.ts';

const SETTINGS = '../home/.config/plugboard/settings.json';
const RULE = 'denied by { serverName: "bad" }, ~/.config/plugboard/settings.json:1:22';

const ERROR = `error: server "bad" is blocked: ${RULE}
  at:  .mcp.json:3:5
  fix: see the rule, and change it if it is yours: plugboard explain bad
`;

/** A server that would create `started` in the project. Its tools are known from an earlier run. */
async function blocked(): Promise<Sandbox> {
  const { command, args } = scriptedServer();
  const box = await sandbox({
    bad: { command: '/bin/sh', args: ['-c', ': > started; exec "$0" "$@"', command, ...args] },
  });
  await box.write(SETTINGS, '{"deniedMcpServers":[{"serverName":"bad"}]}');
  return box;
}

async function hasStarted(box: Sandbox): Promise<boolean> {
  return access(join(box.project, 'started')).then(
    () => true,
    () => false,
  );
}

describe.concurrent('a blocked server', () => {
  verifies('CFG-10');

  it.for<[string, readonly string[]]>([
    ['call', ['call', 'bad', 'echo', 'message=hi']],
    ['call --trust-project', ['call', 'bad', 'echo', 'message=hi', '--trust-project']],
    ['tools', ['tools', 'bad']],
    ['tools of all', ['tools']],
  ])('is refused by %s with the rule, as denied', async ([, args], { expect }) => {
    await using box = await blocked();
    expect(await box.run(args)).toEqual({ code: 5, stdout: '', stderr: ERROR });
    expect(await hasStarted(box)).toBe(false);
  });

  it('is refused although its tools are known from before', async ({ expect }) => {
    await using box = await blocked();
    await box.write(SETTINGS, '{}');
    expect((await box.run(['tools', 'bad'])).code).toBe(0);
    await box.write(SETTINGS, '{"deniedMcpServers":[{"serverName":"bad"}]}');
    for (const args of [['tools', 'bad'], ['tools']]) {
      expect(await box.run(args)).toEqual({ code: 5, stdout: '', stderr: ERROR });
    }
  });

  it('is listed with the rule', async ({ expect }) => {
    await using box = await blocked();
    const list = await box.run(['list']);
    expect([list.code, list.stderr]).toEqual([0, `"bad" is blocked: ${RULE} (user)\n`]);
    expect(list.stdout).toMatch(/^bad +blocked +stdio +project /m);
    expect(documentOf(await box.run(['list', '--json']))).toMatchObject({
      servers: [{ name: 'bad', state: 'blocked', problems: [`${RULE} (user)`] }],
    });
    const get = await box.run(['get', 'bad']);
    expect(get.stdout).toContain(`state       blocked\nbecause     ${RULE} (user)\n`);
    const check = await box.run(['list', '--check']);
    expect([check.code, check.stderr]).toEqual([5, `${ERROR}1 of 1 server failed.\n`]);
    expect(check.stdout).toMatch(/^bad +blocked /m);
    expect(await hasStarted(box)).toBe(false);
  });

  it('is diagnosed with the rule', async ({ expect }) => {
    await using box = await blocked();
    expect(await box.run(['doctor', 'bad'])).toEqual({
      code: 5,
      stdout: `Server "bad" does not work.

  failed  configured  not in use

${ERROR}`,
      stderr: '',
    });
    expect(await box.run(['doctor'])).toEqual({
      code: 5,
      stdout: `blocked  bad  is blocked: ${RULE}\n\nSee more: plugboard doctor bad\n`,
      stderr: '',
    });
    expect(await hasStarted(box)).toBe(false);
  });

  it('has its own error code for programs', async ({ expect }) => {
    await using box = await blocked();
    const run = await box.run(['call', 'bad', 'echo', '--json']);
    expect([run.code, documentOf(run)]).toEqual([
      5,
      {
        error: {
          kind: 'blocked',
          message: `server "bad" is blocked: ${RULE}`,
          where: '.mcp.json:3:5',
          fix: 'see the rule, and change it if it is yours: plugboard explain bad',
        },
      },
    ]);
  });

  it('is not reported for variables that it will never need', async ({ expect }) => {
    await using box = await blocked();
    await box.servers({ bad: { command: 'x', args: ['${NOT_SET}'] } });
    expect((await box.run(['list'])).stderr).toBe(`"bad" is blocked: ${RULE} (user)\n`);
  });

  it('is every server while a policy list is broken', async ({ expect }) => {
    await using box = await blocked();
    await box.write(SETTINGS, '{"deniedMcpServers":{"serverName":"other"}}');
    const { code, stderr } = await box.run(['tools', 'bad']);
    expect([code, stderr.includes('the deny list is broken and denies every server')]).toEqual([
      5,
      true,
    ]);
    expect(await hasStarted(box)).toBe(false);
  });
});
