// The folder in which servers start that are added or typed in a folder with real programs.

import { filesystem, scriptedServer, verifies } from '@plugboard/testkit';
import { describe, it } from 'vitest';
import { answering } from '../on-terminal.ts';
import { type Sandbox, sandbox } from '../sandbox.ts';

const LOCAL = '.plugboard/settings.local.json';
const SERVER = scriptedServer({ builtIns: ['echo', 'cwd'] });

/** A project with a server in it. */
async function project(): Promise<Sandbox> {
  const box = await sandbox();
  await box.write(
    'server.mjs',
    `process.argv.splice(2, Infinity, ...${JSON.stringify(SERVER.args.slice(1))});
await import(${JSON.stringify(`file://${SERVER.args[0]}`)});
`,
  );
  return box;
}

async function written(box: Sandbox): Promise<unknown> {
  return (JSON.parse(await box.read(LOCAL)) as { mcpServers: unknown }).mcpServers;
}

describe.concurrent('a server whose command names a file of the folder', () => {
  verifies('POL-11');

  it('is added with a note, fails with the line that fixes it, and works with --cwd project', async ({
    expect,
  }) => {
    await using box = await project();
    const added = await box.run(['add', 's', '--', 'node', 'server.mjs']);
    expect(added).toEqual({
      code: 0,
      stdout: '',
      stderr: `Added "s" to .plugboard/settings.local.json.
Try it: plugboard tools s
Note: "server.mjs" is a path in this folder, and the server starts in an empty one.
To start it here, add it again with --cwd project --force.
`,
    });
    const doctor = await box.run(['doctor', 's']);
    expect(doctor.stdout).toContain(
      'it starts in ~/.state/plugboard/neutral, and "server.mjs" is in the folder that you are in',
    );
    expect(doctor.stdout).toContain('write "cwd": "project" in its entry');
    const again = ['add', 's', '--cwd', 'project', '--force', '--', 'node', 'server.mjs'];
    expect((await box.run(again)).code).toBe(0);
    expect(await box.run(['call', 's', 'cwd', '--yes'])).toMatchObject({
      code: 0,
      stdout: `${box.project}\n`,
    });
  });

  it('is asked about on a terminal, and starts there after a yes', async ({ expect }) => {
    await using box = await project();
    const seen = await answering(box, ['add', 's', '--', 'node', 'server.mjs'], [['[Y/n] ', '\r']]);
    expect(seen.screen).toContain('Start it here ("cwd": "project")? [Y/n]');
    expect(await written(box)).toEqual({
      s: { command: 'node', args: ['server.mjs'], cwd: 'project' },
    });
  });

  it('is added as typed after a no', async ({ expect }) => {
    await using box = await project();
    await answering(box, ['add', 's', '--', 'node', 'server.mjs'], [['[Y/n] ', 'n\r']]);
    expect(await written(box)).toEqual({ s: { command: 'node', args: ['server.mjs'] } });
  });

  it('is suggested with absolute paths in user settings, and for a package runner that would read settings of the folder', async ({
    expect,
  }) => {
    await using box = await project();
    const own = await box.run(['add', 's', '--scope', 'user', '--', 'node', 'server.mjs']);
    expect(own.stderr).toContain(`Whole paths would be: ${box.project}/server.mjs\n`);
    const runner = await box.run(['add', 'u', '--', 'uvx', 'notes', '--root=.']);
    expect(runner.stderr).toContain(
      `Whole paths would be: notes '--root=\${PLUGBOARD_PROJECT}'\nAdd it again with those and --force.\n`,
    );
  });

  it('is added with an absolute path if the program itself has a relative path', async ({
    expect,
  }) => {
    await using box = await project();
    await box.run(['add', 's', '--scope', 'user', '--', './bin/serve', '--all']);
    expect(await box.run(['get', 's', '--json'])).toMatchObject({
      stdout: expect.stringContaining(`${box.project}/bin/serve`),
    });
  });

  it('starts in the current folder if it is given for one run', async ({ expect }) => {
    await using box = await project();
    const typed = ['call', '--stdio', 'node server.mjs', 'cwd', '--yes'];
    expect(await box.run(typed)).toMatchObject({ code: 0, stdout: `${box.project}\n` });
  });
});

describe.concurrent('server-filesystem with a dot as argument', () => {
  verifies('POL-11');

  it('serves the current folder if its entry has "cwd": "project"', async ({ expect }) => {
    await using box = await project();
    const { command, args } = filesystem('.');
    await box.run(['add', 'files', '--scope', 'user', '--cwd', 'project', '--', command, ...args]);
    const listed = await box.run(['call', 'files', 'list_directory', 'path=.', '--yes']);
    expect(listed).toMatchObject({ code: 0, stdout: expect.stringContaining('server.mjs') });
  });
});
