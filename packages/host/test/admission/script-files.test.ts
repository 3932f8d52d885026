// An approval is also bound to the files that a project's server runs. With real folders and real approvals.

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type TempFolder, tempFolder, verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import {
  type Admission,
  type AdmittedServer,
  approve,
  readConfiguration,
} from '../../src/admission/index.ts';
import { testEnvironment } from '../config/test-environment.ts';

const PROJECT = 'project/.mcp.json';

async function projectWith(
  servers: object,
  files: Readonly<Record<string, string>>,
): Promise<TempFolder> {
  const folder = await tempFolder();
  await folder.mkdir('project/.git');
  await folder.write(PROJECT, JSON.stringify({ mcpServers: servers }));
  for (const [path, text] of Object.entries(files)) await folder.write(path, text);
  return folder;
}

async function serverIn(folder: TempFolder, cwd = 'project'): Promise<AdmittedServer> {
  const environment = testEnvironment(folder.path, { cwd: join(folder.path, cwd) });
  const [server] = (await readConfiguration({ environment })).servers;
  if (server === undefined) throw new Error('no server');
  return server;
}

async function admissionIn(folder: TempFolder, cwd?: string): Promise<Admission> {
  return (await serverIn(folder, cwd)).admission;
}

async function trusted(folder: TempFolder, cwd?: string): Promise<void> {
  const admission = await admissionIn(folder, cwd);
  if (admission.kind !== 'untrusted') throw new Error(admission.kind);
  await approve(testEnvironment(folder.path), admission.subject);
}

const changed = (...changes: readonly object[]) => ({
  kind: 'untrusted',
  standing: { kind: 'changed', changes },
});

const RUNS = { s: { command: 'node', args: ['s.mjs', 'data.db'] } };

describe('an approval of a server that runs a file of the project', () => {
  verifies('POL-16');

  it('is not valid in a subfolder with another file of that name', async () => {
    await using folder = await projectWith(RUNS, {
      'project/s.mjs': 'one',
      'project/sub/s.mjs': 'another',
    });
    await trusted(folder);
    expect(await admissionIn(folder)).toEqual({ kind: 'admitted' });
    expect(await admissionIn(folder, 'project/sub')).toMatchObject(
      changed(
        { kind: 'removed', field: 'files.s.mjs' },
        { kind: 'added', field: 'files.sub/s.mjs' },
      ),
    );
    await trusted(folder, 'project/sub');
    expect(await admissionIn(folder)).toEqual({ kind: 'admitted' });
    expect(await admissionIn(folder, 'project/sub')).toEqual({ kind: 'admitted' });
  });

  it('ends when the file changes, and the file is named', async () => {
    await using folder = await projectWith(RUNS, { 'project/s.mjs': 'one', 'project/data.db': '' });
    await trusted(folder);
    await folder.write('project/data.db', 'what it keeps is no program');
    expect(await admissionIn(folder)).toEqual({ kind: 'admitted' });
    await folder.write('project/s.mjs', 'two');
    expect(await admissionIn(folder)).toMatchObject(
      changed({ kind: 'changed', field: 'files.s.mjs' }),
    );
  });

  it('is not valid for a file that it did not include', async () => {
    await using folder = await projectWith(RUNS, { 'project/s.mjs': 'one' });
    const admission = await admissionIn(folder);
    if (admission.kind !== 'untrusted') throw new Error(admission.kind);
    const { files: _files, ...launch } = admission.subject.launch;
    await approve(testEnvironment(folder.path), { ...admission.subject, launch });
    expect(await admissionIn(folder)).toMatchObject(
      changed({ kind: 'added', field: 'files.s.mjs' }),
    );
  });

  it.each([
    ['a program by its path', { command: './bin/serve' }, ['bin/serve']],
    ['a script without an ending', { command: 'python3', args: ['-u', 'serve'] }, ['serve']],
    ['what is loaded before it', { command: 'node', args: ['--require=./a.cjs', 'x'] }, ['a.cjs']],
    [
      'a script from where it starts',
      { command: 'node', args: ['a.cjs'], cwd: 'in' },
      ['in/a.cjs'],
    ],
    [
      'a helper for headers',
      { url: 'https://e.com', headersHelper: './bin/serve --all' },
      ['bin/serve'],
    ],
    ['no module by its name', { command: 'python3', args: ['-m', 'serve.all'] }, undefined],
    ['a script whose ending is left out', { command: 'node', args: ['a'] }, ['a.cjs']],
    [
      'a script after a hook',
      { command: 'node', args: ['--require=./a.cjs', 'serve'] },
      ['a.cjs', 'serve'],
    ],
    [
      'the main file of a folder',
      { command: 'node', args: ['pack'] },
      ['pack/package.json', 'pack/m.js'],
    ],
    [
      'the main file of this folder',
      { command: 'node', args: ['.'], cwd: 'pack' },
      ['pack/package.json', 'pack/m.js'],
    ],
    ['the program of a folder', { command: 'python3', args: ['app'] }, ['app/__main__.py']],
    [
      'scripts in a line for a shell',
      { command: 'sh', args: ['-c', 'exec node a.cjs'] },
      ['a.cjs'],
    ],
    [
      'a script in another folder',
      { command: 'uv', args: ['--directory', 'in', 'run', 'b.py'] },
      ['in/b.py'],
    ],
    ['what npm runs', { command: 'npm', args: ['run', 'mcp'] }, ['package.json']],
    [
      'what npm runs elsewhere',
      { command: 'npm', args: ['--prefix', 'pack', 'start'] },
      ['package.json', 'pack/package.json', 'pack/m.js'],
    ],
    ['what make runs', { command: 'make', args: ['-s', 'mcp'] }, ['Makefile']],
    [
      'what make is told to read',
      { command: 'make', args: ['-f', 'in/mk'] },
      ['in/mk', 'Makefile'],
    ],
    ['what docker runs', { command: 'docker', args: ['compose', 'up'] }, ['compose.yml']],
    ['no word that is no script', { command: 'run', args: ['serve'] }, undefined],
  ])('is bound to %s', async (_what, entry, expected) => {
    await using folder = await projectWith(
      { s: entry },
      {
        'project/bin/serve': '1',
        'project/serve': '2',
        'project/a.cjs': '3',
        'project/in/a.cjs': '4',
        'project/in/b.py': '5',
        'project/in/mk': '6',
        'project/app/__main__.py': '7',
        'project/pack/package.json': '{ "main": "m.js" }',
        'project/pack/m.js': '8',
        'project/package.json': '{}',
        'project/Makefile': '9',
        'project/compose.yml': '10',
      },
    );
    const { scripts } = await serverIn(folder);
    expect(scripts?.map(({ shown }) => shown)).toEqual(expected);
  });

  it('is bound to a file by its address', async () => {
    await using folder = await projectWith({}, { 'project/in/a.cjs': 'one' });
    const args = ['--import', pathToFileURL(join(folder.path, 'project/in/a.cjs')).href, 'x.mjs'];
    await folder.write(PROJECT, JSON.stringify({ mcpServers: { s: { command: 'node', args } } }));
    const { scripts } = await serverIn(folder);
    expect(scripts?.map(({ shown }) => shown)).toEqual(['in/a.cjs']);
  });

  it('ends when another command stands behind the name that npm runs', async () => {
    const npm = { s: { command: 'npm', args: ['run', 'mcp'] } };
    const file = 'project/package.json';
    await using folder = await projectWith(npm, { [file]: '{ "scripts": { "mcp": "one" } }' });
    await trusted(folder);
    await folder.write(file, '{ "scripts": { "mcp": "two" } }');
    expect(await admissionIn(folder)).toMatchObject(
      changed({ kind: 'changed', field: 'files.package.json' }),
    );
  });

  it('is not bound to a file elsewhere', async () => {
    await using folder = await projectWith({}, { 'elsewhere/s.mjs': 'one' });
    const args = [join(folder.path, 'elsewhere/s.mjs')];
    await folder.write(PROJECT, JSON.stringify({ mcpServers: { s: { command: 'node', args } } }));
    expect((await serverIn(folder)).scripts).toBeUndefined();
  });

  it('causes the file to be watched', async () => {
    await using folder = await projectWith(RUNS, { 'project/s.mjs': 'one' });
    const { watched } = await readConfiguration({ environment: testEnvironment(folder.path) });
    expect(watched).toContain(join(folder.path, 'project/s.mjs'));
  });
});
