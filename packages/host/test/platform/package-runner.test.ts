import { spawn } from 'node:child_process';
import { chmod } from 'node:fs/promises';
import { tempFolder, waitUntil } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { isOnlyRunner, packageRunnerOf } from '../../src/platform/package-runner.ts';

describe('a package runner', () => {
  it.each([
    ['npx', ['-y', 'server'], 'npx'],
    ['/usr/local/bin/npx', [], 'npx'],
    ['npx.cmd', ['server'], 'npx'],
    ['npm', ['exec', 'server'], 'npm'],
    ['npm', ['start'], undefined],
    ['pnpm', ['dlx', 'server'], 'pnpm'],
    ['uvx', ['mcp-server-git'], 'uvx'],
    ['uv', ['run', 'server.py'], 'uv'],
    ['uv', ['pip', 'list'], undefined],
    ['bunx', ['server'], 'bunx'],
    ['node', ['npx'], undefined],
    ['', [], undefined],
  ])('is recognized by its name and its first argument: %s %j', (command, args, runner) => {
    expect(packageRunnerOf(command, args)).toBe(runner);
  });

  // It continues on demand, and ends when its input ends.
  const RUNNER = `#!/usr/bin/env node
process.stdin.once('data', () => {
  require('node:child_process').spawn(process.execPath, ['-e', 'process.stdin.resume()'], { stdio: 'inherit' });
});
`;

  it.skipIf(process.platform === 'win32')(
    'is alone in its group until it starts the program',
    async () => {
      await using folder = await tempFolder();
      const file = await folder.write('npx', RUNNER);
      await chmod(file, 0o755);
      const child = spawn(file, ['-y', 'server'], { detached: true });
      const group = child.pid ?? 0;
      try {
        await waitUntil(() => isOnlyRunner(group), { describe: 'the runner' });
        child.stdin.write('go\n');
        await waitUntil(async () => !(await isOnlyRunner(group)), {
          describe: 'the program that it starts',
        });
      } finally {
        process.kill(-group, 'SIGKILL');
      }
      await waitUntil(async () => !(await isOnlyRunner(group)), {
        describe: 'its end',
      });
    },
  );
});
