import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type TempFolder, tempFolder, verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { readConfiguration } from '../../src/admission/index.ts';
import { testEnvironment } from '../config/test-environment.ts';

const FILE = 'project/.mcp.json';

function load(folder: TempFolder, env: Readonly<Record<string, string>> = {}) {
  const environment = testEnvironment(folder.path, { env });
  return readConfiguration({ environment, enterprise: [], trust: 'project' });
}

const servers = (entries: object) => JSON.stringify({ mcpServers: entries });

describe('a server with a variable file', () => {
  verifies('CFG-15');

  it('has the variables in its environment, unless its entry sets them itself', async () => {
    await using folder = await tempFolder();
    await folder.write('project/conf/.env', 'A=file\nB=file\nC=${HOME}\n');
    const entry = { command: 's', env: { A: 'entry', D: '${D}' }, envFile: '${DIR}/.env' };
    await folder.write(FILE, servers({ s: entry }));
    const { servers: found, diagnostics, watched } = await load(folder, { DIR: 'conf', D: 'd' });
    const path = join(folder.path, 'project/conf/.env');
    const values = { A: 'file', B: 'file', C: '${HOME}' };
    expect(found[0]?.resolved).toMatchObject({
      kind: 'ready',
      entry: { env: { ...values, A: 'entry', D: 'd' } },
      envFile: { path, values },
    });
    expect(diagnostics).toEqual([]);
    expect(watched).toContain(path);
    // The value is shown as written.
    expect(JSON.stringify(found[0]?.written)).not.toContain('file"');
  });

  it('finds the file from the folder of the entry that names it, whichever entry defines the server', async () => {
    await using folder = await tempFolder();
    await folder.write('home/.env', 'A=home');
    await folder.write('project/.env', 'A=project');
    await folder.write('home/.claude/settings.json', servers({ s: { envFile: '.env' } }));
    await folder.write('project/.claude/settings.json', servers({ t: { command: 't' } }));
    const user = 'home/.config/plugboard/settings.json';
    await folder.write(user, servers({ s: { command: 's' }, t: { command: 't' } }));
    await folder.write(
      'project/.plugboard/settings.local.json',
      servers({ t: { envFile: '.env' } }),
    );
    const { servers: found } = await load(folder);
    expect(
      found.map(({ name, resolved }) => [name, resolved.kind === 'ready' && resolved.entry]),
    ).toMatchObject([
      ['s', { env: { A: 'home' } }],
      ['t', { env: { A: 'project' } }],
    ]);
  });

  it.each<[string, (folder: TempFolder) => Promise<unknown>, string]>([
    ['is missing', () => Promise.resolve(), 'does not exist'],
    ['is a folder', (folder) => folder.mkdir('project/.env'), 'is a folder'],
    [
      'is a pipe',
      (folder) => promisify(execFile)('mkfifo', [join(folder.path, 'project/.env')]),
      'cannot be read',
    ],
    [
      'is broken',
      (folder) => folder.write('project/.env', 'A=s3cret\ns3cret\n'),
      'holds a line that is not NAME=value',
    ],
  ])('fails alone when that file %s, with its place', async (_, spoil, reason) => {
    await using folder = await tempFolder();
    await folder.mkdir('project');
    await spoil(folder);
    const file = await folder.write(
      FILE,
      '{ "mcpServers": {\n  "bad": {\n    "command": "s",\n    "envFile": ".env" },\n  "good": { "command": "g" } } }',
    );
    const { servers: found, rejected, diagnostics, watched } = await load(folder);
    const path = join(folder.path, 'project/.env');
    expect(found.map(({ name, resolved }) => [name, resolved])).toMatchObject([
      [
        'bad',
        {
          kind: 'unresolved',
          diagnostics: [
            {
              severity: 'error',
              code: 'bad-env-file',
              message: `"envFile" names ${path}, which ${reason}.`,
              file,
              line: 4,
              column: 16,
              server: 'bad',
            },
          ],
        },
      ],
      ['good', { kind: 'ready' }],
    ]);
    expect([rejected, diagnostics]).toEqual([[], []]);
    // The file may be corrected.
    expect(watched).toContain(path);
    expect(JSON.stringify(found)).not.toContain('s3cret');
  });

  it('shows no value of a variable in the path of the file', async () => {
    await using folder = await tempFolder();
    await folder.write(FILE, servers({ s: { command: 's', envFile: '${DIR}/.env' } }));
    const [server] = (await load(folder, { DIR: '/s3cret' })).servers;
    expect(server?.resolved).toMatchObject({
      diagnostics: [{ message: '"envFile" names ${DIR}/.env, which does not exist.' }],
    });
  });
});
