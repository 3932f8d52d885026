import { scriptedServer, verifies } from '@plugboard/testkit';
import { describe, it } from 'vitest';
import { screenOf, withoutStatus } from '../on-terminal.ts';
import { documentOf, sandbox } from '../sandbox.ts';
import { SIGNS } from '../signs.ts';

const memos = scriptedServer({
  builtIns: ['echo'],
  library: {
    resources: [
      { uri: 'memo://one', name: 'One', mimeType: 'text/plain', text: 'the first' },
      { uri: 'memo://bytes', name: 'Bytes', blob: '/wABgA==' },
      { uri: 'memo://evil', name: 'x\u001B[2Jy', text: 'a\u001B[2Jb' },
      { uri: 'memo://\u001B[31m', name: 'red' },
    ],
    templates: [{ uriTemplate: 'memo://{id}', name: 'Memo', description: 'Any memo' }],
  },
});
const other = scriptedServer({
  library: { resources: [{ uri: 'memo://one', name: 'One', text: 'of another' }] },
});

describe.concurrent('plugboard resources', () => {
  verifies('CLI-02', 'CAT-06');

  it('lists resources and templates', async ({ expect }) => {
    await using box = await sandbox({ memos });
    expect(await box.run(['resources'])).toEqual({
      code: 0,
      stdout: `SERVER  URI           TYPE        DESCRIPTION
memos   memo://one    text/plain  One
memos   memo://bytes  -           Bytes
memos   memo://evil   -           xy
memos   memo://{id}   -           Any memo
`,
      stderr: 'Left out "memo://" of server "memos": it has control characters in its uri.\n',
    });
  });

  it('reports the failure of one server beside the resources of others', async ({ expect }) => {
    await using box = await sandbox({ memos, gone: { command: '/no/such/program' } });
    const run = await box.run(['resources', '--json']);
    expect(run.code).toBe(0);
    expect(documentOf(run)).toMatchObject({
      resources: [{ server: 'memos', uri: 'memo://one' }, {}, {}],
      templates: [{ server: 'memos', uriTemplate: 'memo://{id}' }],
      problems: [{ server: 'gone', kind: 'command-not-found' }],
    });
    const alone = await box.run(['resources', 'gone']);
    expect([alone.code, alone.stdout]).toEqual([2, '']);
    expect(alone.stderr).toContain('error: server "gone" could not start');
  });

  it('reports that a server has none', async ({ expect }) => {
    await using box = await sandbox({ bare: scriptedServer({ builtIns: ['echo'] }) });
    expect(await box.run(['resources', 'bare'])).toEqual({
      code: 0,
      stdout: '',
      stderr: 'Server "bare" has no resources.\n',
    });
    expect((await box.run(['resources', 'bar'])).stderr).toContain('did you mean "bare"?');
  });
});

describe.concurrent('plugboard read', () => {
  verifies('CLI-02');

  it('prints text, and bytes unchanged', async ({ expect }) => {
    await using box = await sandbox({ memos });
    expect(await box.run(['read', 'memo://one'])).toEqual({
      code: 0,
      stdout: 'the first\n',
      stderr: '',
    });
    const reading = box.start(['read', 'memo://bytes']);
    const chunks: Buffer[] = [];
    reading.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    reading.stdin.end();
    await new Promise((resolve) => reading.once('close', resolve));
    expect(Buffer.concat(chunks)).toEqual(Buffer.from([0xff, 0, 1, 0x80]));
  });

  it('prints no terminal sequences on a terminal', async ({ expect }) => {
    await using box = await sandbox({ memos });
    expect(withoutStatus(await screenOf(box, ['read', 'memo://evil']))).toBe(`ab\n${SIGNS}`);
    expect(withoutStatus(await screenOf(box, ['read', 'memo://bytes']))).toBe(
      '[resource memo://bytes, 4 bytes]\nIt is not text. To keep it: plugboard read memo://bytes > FILE\n',
    );
  });

  it('fills in a template', async ({ expect }) => {
    await using box = await sandbox({ memos });
    const read = (...words: string[]) => box.run(['read', 'memo://{id}', ...words]);
    expect(await read('id=one')).toEqual({ code: 0, stdout: 'the first\n', stderr: '' });
    expect(await read()).toEqual({
      code: 1,
      stdout: '',
      stderr: 'error: memo://{id} needs a value for "id"\n  fix: add: id=VALUE\n',
    });
    expect(await read('id=1', 'x=2')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'error: "x" is not a variable of memo://{id}\n  fix: its variables are: id\n',
    });
  });

  it('asks if the entry demands it, and names the rule without a terminal', async ({ expect }) => {
    await using box = await sandbox({
      memos: { ...memos, permissions: { readPermission: 'ask', allowedResources: ['memo://*'] } },
    });
    expect(await box.run(['read', 'memo://one', '--server', 'memos', '--yes'])).toMatchObject({
      code: 0,
      stdout: 'the first\n',
    });
    const nobody = await box.run(['read', 'memo://one', '--server', 'memos']);
    expect([nobody.code, nobody.stdout]).toEqual([5, '']);
    expect(nobody.stderr).toContain('was denied: there is no terminal to ask at, because of');
    expect(nobody.stderr).toContain('fix: answer y on a terminal, or add --yes');
    const unlisted = await box.run(['read', 'other://x', '--server', 'memos', '--yes', '--json']);
    expect([unlisted.code, documentOf(unlisted)]).toMatchObject([
      5,
      { error: { kind: 'denied', by: { kind: 'policy', decision: { kind: 'deny' } } } },
    ]);
  });

  it('does not guess the server of an ambiguous resource', async ({ expect }) => {
    await using box = await sandbox({ memos, other });
    expect(await box.run(['read', 'memo://one'])).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'error: several servers have the resource "memo://one": memos, other\n' +
        '  fix: say whose: plugboard read memo://one --server memos\n',
    });
    const run = await box.run(['read', 'memo://one', '--server', 'other']);
    expect(run).toEqual({ code: 0, stdout: 'of another\n', stderr: '' });
  });

  it('reports an unknown resource', async ({ expect }) => {
    await using box = await sandbox({ other, bare: scriptedServer({ builtIns: ['echo'] }) });
    const [none, gone, unsupported, json] = await Promise.all([
      box.run(['read', 'memo://on']),
      box.run(['read', 'memo://nothing', '--server', 'other']),
      box.run(['read', 'memo://one', '--server', 'bare']),
      box.run(['read', 'memo://one', '--json']),
    ]);
    expect(none).toEqual({
      code: 1,
      stdout: '',
      stderr: 'error: no server has the resource "memo://on"\n  fix: did you mean "memo://one"?\n',
    });
    expect(gone).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'error: server "other" has no resource "memo://nothing"\n' +
        '  | Resource not found: "memo://nothing"\n' +
        '  fix: see what it has: plugboard resources other\n',
    });
    expect([unsupported.code, unsupported.stderr.split('\n', 1)[0]]).toEqual([
      1,
      'error: server "bare" has no resources',
    ]);
    expect(documentOf(json)).toEqual({
      kind: 'result',
      server: 'other',
      uri: 'memo://one',
      parts: [{ kind: 'resource', uri: 'memo://one', body: { kind: 'text', text: 'of another' } }],
    });
  });
});
