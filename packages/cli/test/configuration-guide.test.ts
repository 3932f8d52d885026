// docs/configuration.md is played through from top to bottom: its files are written, its commands run,
// and what it shows is what they print.

import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { finished, PLUGBOARD, type Sandbox, sandbox } from './sandbox.ts';

const GUIDE = new URL('../../../docs/configuration.md', import.meta.url);
const BLOCK = /^```(jsonc (\S+)|console)\n([\s\S]*?)^```$/gm;

/** A command after `$ `, and what follows it up to the next one. */
const STEP = /^\$ (.+)\n((?:(?!\$ ).*\n)*)/gm;

function unvarying(text: string, { home, project }: Sandbox): string {
  return text
    .replaceAll(project, '/home/me/project')
    .replaceAll(home, '/home/me')
    .replaceAll(' of /home/me/project\n', ' of ~/project\n')
    .replaceAll(/approved it on \d{4}-\d\d-\d\d/g, 'approved it on 2026-11-15');
}

async function inShell(box: Sandbox, command: string): Promise<string> {
  const plugboard = `plugboard() { "${process.execPath}" "${PLUGBOARD}" "$@"; }`;
  const child = spawn('/bin/sh', ['-c', `${plugboard}; { ${command}; } 2>&1`], {
    cwd: box.project,
    env: box.env,
  });
  const { stdout } = await finished(child);
  return unvarying(stdout, box);
}

describe('docs/configuration.md', () => {
  verifies('CFG-08');

  it('shows what its commands print', { timeout: 60_000 }, async () => {
    await using box = await sandbox();
    const blocks = [...(await readFile(GUIDE, 'utf8')).matchAll(BLOCK)];
    let played = 0;
    for (const [, , file, body = ''] of blocks) {
      if (file !== undefined) {
        await box.write(file.replace(/^~\//, '../home/'), body);
        continue;
      }
      for (const [, command = '', shown] of body.matchAll(STEP)) {
        expect({ command, printed: await inShell(box, command) }).toEqual({
          command,
          printed: shown,
        });
        played += 1;
      }
    }
    expect(played).toBeGreaterThan(20);
  });
});
