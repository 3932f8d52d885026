// Saved calls, as run in CI.

import { scriptedServer, verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { onSimulatedTerminal, withoutStatus } from '../on-terminal.ts';
import { documentOf, type Sandbox, sandbox } from '../sandbox.ts';

const echo = (name: string, expected: object, message = 'hi'): object => ({
  name,
  server: 'one',
  tool: 'echo',
  arguments: { message },
  expect: expected,
});

async function withChecks(box: Sandbox, ...checks: readonly object[]): Promise<void> {
  await box.write('plugboard-checks.json', JSON.stringify({ checks }));
}

describe('plugboard check', () => {
  verifies('CON-UI');

  it('passes if every answer is as expected', async () => {
    await using box = await sandbox({ one: scriptedServer() });
    await withChecks(
      box,
      echo('says hi', { values: [{ at: '/content/0/text', contains: 'hi' }], within: 60_000 }),
      { name: 'has no such tool', server: 'one', tool: 'nothing', expect: { outcome: 'error' } },
    );
    const { code, stdout } = await box.run(['check', '--yes']);
    expect({ code, stdout: stdout.replaceAll(/\d+ ms/g, 'N ms') }).toEqual({
      code: 0,
      stdout:
        'ok    says hi (one, N ms)\nok    has no such tool (one, N ms)\n2 calls checked, all as expected.\n',
    });
  });

  it('exits with 2 if an answer differs, and shows the difference', async () => {
    await using box = await sandbox({ one: scriptedServer() });
    await withChecks(
      box,
      echo('is wrong', { values: [{ at: '/content/0/text', equals: 'no' }] }),
      echo('is right', {}),
    );
    const { code, stdout } = await box.run(['check', '--yes']);
    expect(code).toBe(2);
    expect(stdout).toMatch(
      /FAIL {2}is wrong .*\n {6}\/content\/0\/text is ".*hi.*"; expected: "no"\n/,
    );
    expect(stdout).toContain('2 calls checked, 1 not as expected.');
    const json = await box.run(['check', '--yes', '--json', '--only', 'is wrong']);
    expect(json.code).toBe(2);
    expect(documentOf(json)).toMatchObject({
      passed: 0,
      failed: 1,
      checks: [
        {
          name: 'is wrong',
          server: 'one',
          isPassed: false,
          outcome: 'ok',
          deviations: [{ kind: 'value', check: { at: '/content/0/text', equals: 'no' } }],
        },
      ],
    });
  });

  it('makes no call that no rule allows, unless the user approves it', async () => {
    await using box = await sandbox({ one: scriptedServer() });
    await withChecks(box, echo('says hi', {}));
    const denied = await box.run(['check']);
    expect(denied.code).toBe(5);
    expect(denied.stdout).toContain('the outcome is denied, and not ok');
    expect(denied.stdout).toContain('plugboard check --yes');
    // A call that the user types needs no approval.
    expect((await box.run(['call', 'one', 'echo', 'message=hi'])).code).toBe(0);
    await box.run(['permissions', 'one/echo', '--allow']);
    expect((await box.run(['check'])).code).toBe(0);
  });

  it('checks prompts and resources, too', async () => {
    await using box = await sandbox({ one: scriptedServer() });
    await withChecks(
      box,
      { name: 'a prompt', server: 'one', prompt: 'missing', expect: { outcome: 'error' } },
      { name: 'a resource', server: 'one', resource: 'x:y', expect: { outcome: 'error' } },
      { name: 'a server', server: 'two', tool: 'echo', expect: { outcome: 'error' } },
    );
    expect(await box.run(['check'])).toMatchObject({ code: 0, stderr: '' });
  });

  it('reports what is wrong with its file, and where', async () => {
    await using box = await sandbox({});
    const missing = await box.run(['check']);
    expect(missing).toMatchObject({ code: 1, stdout: '' });
    expect(missing.stderr).toContain('there are no saved calls in plugboard-checks.json');
    expect(missing.stderr).toContain('plugboard console');
    await withChecks(box, { name: 'x' });
    const { stderr } = await box.run(['check']);
    expect(stderr).toContain('at /checks/0/server, the name of a server is missing');
    await withChecks(box, echo('a', {}));
    const other = await box.run(['check', '--only', 'b']);
    expect(other.stderr).toContain('there is no saved call "b"\n  fix: there are: a');
  });

  it('clears the progress line before it asks about a call', async () => {
    await using box = await sandbox({ slow: scriptedServer({ startDelayMs: 1500 }) });
    await withChecks(box, { ...echo('says hi', {}), server: 'slow' });
    await using terminal = onSimulatedTerminal(box, ['check']);
    await terminal.waitFor('Let it run?');
    terminal.write('n\r');
    expect(await terminal.exited).toEqual({ code: 5, signal: undefined });
    expect(withoutStatus(terminal.text)).toMatch(/^Call tool "echo"/);
  });
});
