// `plugboard add` with a person at a real terminal.

import { KEYS } from '@plugboard/testkit';
import { describe, it } from 'vitest';
import { answering, type Turn } from './on-terminal.ts';
import { sandbox } from './sandbox.ts';

describe.concurrent('plugboard add on a terminal', () => {
  it('asks for the entry, and adds the answers', async ({ expect }) => {
    await using box = await sandbox();
    const seen = await answering(
      box,
      ['add'],
      [
        ['Name: ', 'files\r'],
        ['URL: ', 'run me\r'],
        ['none): ', '\r'],
        ['[local] ', 'project\r'],
        ['[Y/n] ', 'y\r'],
      ],
    );
    expect(seen).toEqual({
      code: 0,
      signal: undefined,
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

  it('asks before it replaces a server, and keeps it by default', async ({ expect }) => {
    await using box = await sandbox({ a: { command: 'old' } });
    const before = await box.read('.mcp.json');
    const turns = (last: string): readonly Turn[] => [
      ['URL: ', 'new\r'],
      ['none): ', '\r'],
      ['[Y/n] ', '\r'],
      ['[y/N] ', last],
    ];
    const kept = await answering(box, ['add', 'a', '--scope', 'project'], turns('\r'));
    expect(kept.code).toBe(1);
    expect(kept.screen).toContain('There is a "a" already. Replace it? [y/N] ');
    expect(await box.read('.mcp.json')).toBe(before);
    const replaced = await answering(box, ['add', 'a', '--scope', 'project'], turns('y\r'));
    expect(replaced.code).toBe(0);
    expect(replaced.screen).toContain('Replaced "a" in .mcp.json.\n');
    expect(JSON.parse(await box.read('.mcp.json'))).toEqual({
      mcpServers: { a: { command: 'new' } },
    });
  });

  it.for([
    ['the end of input', KEYS.ctrlD, 1],
    ['Ctrl-C', KEYS.ctrlC, 130],
  ] as const)('adds nothing after %s', async ([, key, code], { expect }) => {
    await using box = await sandbox();
    const seen = await answering(
      box,
      ['add'],
      [
        ['Name: ', 'a\r'],
        ['URL: ', key],
      ],
    );
    expect(seen.code).toBe(code);
    expect(seen.screen).toMatch(/Nothing was added\.\n$/);
    await expect(box.read('.plugboard/settings.local.json')).rejects.toThrow('ENOENT');
  });
});
