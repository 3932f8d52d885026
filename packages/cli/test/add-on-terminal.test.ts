// `plugboard add` with a person at a real terminal, which `script` of util-linux provides.

import { spawn, spawnSync } from 'node:child_process';
import { describe, it } from 'vitest';
import { PLUGBOARD, type Sandbox, sandbox } from './sandbox.ts';

const SCRIPT = 'script';
// A machine that checks changes must have it: there nothing is left out in silence.
const hasScript = process.env['CI'] !== undefined || spawnSync(SCRIPT, ['--version']).status === 0;

interface Seen {
  readonly code: number | null;
  readonly screen: string;
}

/** Types each answer when its question has appeared. */
async function typed(
  box: Sandbox,
  command: string,
  turns: readonly (readonly [question: string, answer: string])[],
): Promise<Seen> {
  // In the place of the shell, which would hear of Ctrl-C too and answer for the command.
  const line = command.replace('plugboard', `exec "${process.execPath}" "${PLUGBOARD}"`);
  const child = spawn(SCRIPT, ['-qec', line, '/dev/null'], {
    cwd: box.project,
    env: { ...box.env, TERM: 'xterm', SHELL: '/bin/sh', NO_COLOR: '1' },
  });
  const left = [...turns];
  let screen = '';
  let from = 0;
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    screen += chunk;
    const [turn] = left;
    if (turn === undefined || !screen.slice(from).includes(turn[0])) return;
    left.shift();
    from = screen.length;
    child.stdin.write(turn[1]);
  });
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, screen: screen.replaceAll('\r\n', '\n') };
}

describe.runIf(hasScript).concurrent('plugboard add on a terminal', () => {
  it('asks, and adds what was answered', async ({ expect }) => {
    await using box = await sandbox();
    const seen = await typed(box, 'plugboard add', [
      ['Name: ', 'files\n'],
      ['URL: ', 'run me\n'],
      ['none): ', '\n'],
      ['[local] ', 'project\n'],
      ['[Y/n] ', 'y\n'],
    ]);
    expect(seen).toEqual({
      code: 0,
      screen: `Name: files
Command or URL: run me
Environment variable, as NAME or NAME=VALUE (Enter for none): 
Who has it: local (you, here), project (everyone here) or user (you, everywhere)? [local] project
This goes into .mcp.json:
  "files": {
    "command": "run",
    "args": [
      "me"
    ]
  }
Add it? [Y/n] y
Added "files" to .mcp.json.
Try it: plugboard tools files
`,
    });
    expect(JSON.parse(await box.read('.mcp.json'))).toEqual({
      mcpServers: { files: { command: 'run', args: ['me'] } },
    });
  });

  it('asks before it replaces a server, and keeps it unless told', async ({ expect }) => {
    await using box = await sandbox({ a: { command: 'old' } });
    const before = await box.read('.mcp.json');
    const turns = (last: string): [string, string][] => [
      ['URL: ', 'new\n'],
      ['none): ', '\n'],
      ['[Y/n] ', '\n'],
      ['[y/N] ', last],
    ];
    const kept = await typed(box, 'plugboard add a --scope project', turns('\n'));
    expect(kept.code).toBe(1);
    expect(kept.screen).toContain('There is a "a" already. Replace it? [y/N] ');
    expect(await box.read('.mcp.json')).toBe(before);
    const replaced = await typed(box, 'plugboard add a --scope project', turns('y\n'));
    expect(replaced.code).toBe(0);
    expect(replaced.screen).toContain('Replaced "a" in .mcp.json.\n');
    expect(JSON.parse(await box.read('.mcp.json'))).toEqual({
      mcpServers: { a: { command: 'new' } },
    });
  });

  it.for([
    ['the end of input', '\u0004'],
    ['Ctrl-C', '\u0003'],
  ] as const)('adds nothing after %s', async ([, key], { expect }) => {
    await using box = await sandbox();
    const seen = await typed(box, 'plugboard add', [
      ['Name: ', 'a\n'],
      ['URL: ', key],
    ]);
    expect(seen.code).toBe(1);
    expect(seen.screen).toMatch(/Nothing was added\.\n$/);
    await expect(box.read('.plugboard/settings.local.json')).rejects.toThrow('ENOENT');
  });
});
