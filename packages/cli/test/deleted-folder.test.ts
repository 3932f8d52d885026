// A command in a deleted folder.

import { spawn } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { finished, PLUGBOARD, sandbox } from './sandbox.ts';

describe('a command in a folder that was deleted', () => {
  it('reports that the folder is gone, and not a bug', async () => {
    await using box = await sandbox({});
    const script = `mkdir gone && cd gone && rmdir ../gone && exec "${process.execPath}" "${PLUGBOARD}" list`;
    const shell = spawn('sh', ['-c', script], { cwd: box.project, env: box.env });
    expect(await finished(shell)).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'error: the folder that you are in no longer exists\n  fix: go to one that does: cd ~\n',
    });
  });
});
