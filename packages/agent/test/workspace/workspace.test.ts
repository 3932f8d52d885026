import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ApprovalRequest, allowAll, denyAll } from '@plugboard/host';
import { Scope } from '@plugboard/base';
import { verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { createWorkspace } from '../../src/workspace/index.ts';
import manifest from '../../package.json' with { type: 'json' };
import { connected, ERAS, givenWorkspace, hostWith } from './given-workspace.ts';

const { version } = manifest;

const CALLS = [
  ['write_file', { path: 'a.txt', content: 'new' }],
  ['edit_file', { path: 'b.txt', old_text: 'old', new_text: 'new' }],
  ['run_command', { command: 'echo hi > c.txt' }],
] as const;

describe('the workspace of a host', () => {
  verifies('AGT-08');

  it.each(CALLS)('asks for approval of %s before anything happens', async (tool, args) => {
    await using scope = new Scope();
    const { folder, root, workspace } = await givenWorkspace(scope);
    await folder.write('tree/b.txt', 'old');
    const asked: ApprovalRequest[] = [];
    const host = await hostWith(scope, workspace, {
      approve: (request: ApprovalRequest) => {
        asked.push(request);
        return denyAll(request);
      },
    });
    const outcome = await host.call({ server: 'workspace', tool }, args);
    expect(outcome.kind).toBe('denied');
    expect(asked).toMatchObject([{ tool: { server: 'workspace', tool }, arguments: args }]);
    expect(await folder.read('tree/b.txt')).toBe('old');
    await expect(readFile(join(root, 'a.txt'))).rejects.toMatchObject({ code: 'ENOENT' });
    await expect(readFile(join(root, 'c.txt'))).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it.each(CALLS)('runs %s after approval', async (tool, args) => {
    await using scope = new Scope();
    const { folder, workspace } = await givenWorkspace(scope);
    await folder.write('tree/b.txt', 'old');
    const host = await hostWith(scope, workspace, { approve: allowAll });
    const outcome = await host.call({ server: 'workspace', tool }, args);
    expect(outcome).toMatchObject({ kind: 'result' });
  });
});

describe.each(ERAS)('a workspace, %s', (era) => {
  it('offers tools that change something, and two that read', async () => {
    await using scope = new Scope();
    const { client } = await givenWorkspace(scope, { era });
    const { tools } = await client.listTools();
    const hints = tools.map(({ name, annotations }) => ({ name, ...annotations }));
    const changing = { readOnlyHint: false, destructiveHint: true, idempotentHint: false };
    const reading = { readOnlyHint: true, destructiveHint: false, idempotentHint: true };
    expect(hints).toEqual([
      { name: 'write_file', title: 'Write a file', ...changing, openWorldHint: false },
      { name: 'edit_file', title: 'Edit a file', ...changing, openWorldHint: false },
      { name: 'run_command', title: 'Run a command', ...changing, openWorldHint: true },
      { name: 'read_job', title: 'Read a job', ...reading, openWorldHint: false },
      { name: 'stop_job', title: 'Stop a job', ...changing, openWorldHint: false },
      { name: 'web_fetch', title: 'Read a web page', ...reading, openWorldHint: true },
    ]);
  });

  it('reports the version of its package', async () => {
    await using scope = new Scope();
    const { client } = await givenWorkspace(scope, { era });
    expect(client.getServerVersion()).toMatchObject({ name: 'plugboard-workspace', version });
  });

  it('refuses unknown arguments', async () => {
    await using scope = new Scope();
    const { call } = await givenWorkspace(scope, { era });
    const answer = await call('write_file', { path: 'a', content: 'b', mode: '777' });
    expect(answer).toMatchObject({
      isError: true,
      text: expect.stringContaining(
        'no argument mode; the arguments are: path, content',
      ) as unknown,
    });
  });

  it('accepts every file and folder as path', async () => {
    verifies('AGT-08');
    await using scope = new Scope();
    const { client, call } = await givenWorkspace(scope, { era });
    const { tools } = await client.listTools();
    const taken = tools.map(({ inputSchema }) =>
      Object.keys(inputSchema.properties ?? {}).filter((key) =>
        /path|file|dir|folder|cwd/.test(key),
      ),
    );
    expect(taken).toEqual([['path'], ['path'], ['path'], [], [], []]);
    expect(await call('run_command', { command: 'pwd', cwd: '.' })).toMatchObject({
      isError: true,
      text: expect.stringContaining(
        'the arguments are: command, path, timeout_ms, background',
      ) as unknown,
    });
  });

  it('is refused when the folder is missing, and tried again at the next connection', async () => {
    await using scope = new Scope();
    const { folder } = await givenWorkspace(scope);
    const workspace = scope.use(createWorkspace({ root: join(folder.path, 'later') }));
    await expect(connected(workspace, era)).rejects.toMatchObject({ code: 'root-gone' });
    await folder.mkdir('later');
    const client = await connected(workspace, era);
    expect((await client.listTools()).tools).toHaveLength(6);
    await client.close();
  });

  it('can be closed twice, ends its sessions, and accepts no new ones', async () => {
    await using scope = new Scope();
    const { workspace, client } = await givenWorkspace(scope, { era });
    await client.listTools();
    const closed = new Promise<void>((resolve) => (client.onclose = resolve));
    await workspace.close();
    await workspace.close();
    await closed;
    await expect(connected(workspace, era)).rejects.toMatchObject({ code: 'workspace-closed' });
  });
});

describe('a preview of a call', () => {
  it('shows a file before and after each change, and changes nothing', async () => {
    await using scope = new Scope();
    const { folder, workspace } = await givenWorkspace(scope);
    await folder.write('tree/a.txt', 'one\ntwo\n');
    await folder.write('tree/a.bin', 'a\0b');
    const change = { kind: 'change', path: 'a.txt', replaces: 'text', before: 'one\ntwo\n' };
    const edit = { path: 'a.txt', old_text: 'two', new_text: '2' };
    expect(await workspace.preview('edit_file', edit)).toEqual({ ...change, after: 'one\n2\n' });
    const write = { path: 'a.txt', content: 'x' };
    expect(await workspace.preview('write_file', write)).toEqual({ ...change, after: 'x' });
    expect(await workspace.preview('write_file', { path: 'new/b', content: 'x' })).toEqual({
      kind: 'change',
      path: 'new/b',
      replaces: 'nothing',
      before: undefined,
      after: 'x',
    });
    expect(await workspace.preview('write_file', { path: 'a.bin', content: 'x' })).toMatchObject({
      replaces: 'binary',
      before: undefined,
    });
    expect(await folder.read('tree/a.txt')).toBe('one\ntwo\n');
  });

  it.each([
    ['edit_file', { path: 'a.txt', old_text: 'zebra', new_text: '' }],
    ['edit_file', { path: 'none', old_text: 'a', new_text: '' }],
    ['edit_file', { path: 'a.bin', old_text: 'a', new_text: '' }],
    ['write_file', { path: '../a', content: '' }],
    ['write_file', { path: '.git/config', content: '' }],
  ])('reports the error that the call would return: %s %j', async (tool, args) => {
    await using scope = new Scope();
    const { folder, workspace, call } = await givenWorkspace(scope);
    await folder.write('tree/a.txt', 'one\n');
    await folder.write('tree/a.bin', 'a\0b');
    const { text } = await call(tool, args);
    const preview = await workspace.preview(tool, args);
    expect(preview).toEqual({ kind: 'problem', path: args.path, message: text });
  });

  it('is empty for a command and for invalid arguments', async () => {
    await using scope = new Scope();
    const { workspace } = await givenWorkspace(scope);
    expect(await workspace.preview('run_command', { command: 'ls' })).toBeUndefined();
    expect(await workspace.preview('write_file', { path: 1 })).toBeUndefined();
    expect(await workspace.preview('edit_file', {})).toBeUndefined();
  });
});
