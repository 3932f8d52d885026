// A command without the home folder of its user in HOME.

import { spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { finished, PLUGBOARD, sandbox } from './sandbox.ts';

describe('a command without a home folder', () => {
  it.each(['', '.'])(
    'uses no file of the folder as one of the user if HOME is "%s"',
    async (HOME) => {
      await using box = await sandbox({});
      const folder = join(box.project, '.config', 'plugboard');
      await mkdir(folder, { recursive: true });
      const theirs = { mcpServers: { theirs: { command: 'touch', args: ['started'] } } };
      await writeFile(join(folder, 'settings.json'), JSON.stringify(theirs));
      const { XDG_CONFIG_HOME: _, ...env } = box.env;
      const child = spawn(process.execPath, [PLUGBOARD, 'get', 'theirs', '--json'], {
        cwd: box.project,
        env: { ...env, HOME },
      });
      const { code, stdout } = await finished(child);
      expect(JSON.parse(stdout)).toMatchObject({ error: { kind: 'unknown-server' } });
      expect(code).toBe(1);
    },
  );
});
