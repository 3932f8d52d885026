// Scripts that the user stores by name, with real servers.

import { join } from 'node:path';
import { scriptedServer, verifies } from '@plugboard/testkit';
import { describe, it } from 'vitest';
import { onTerminal, withoutStatus } from '../on-terminal.ts';
import { documentOf, type Sandbox, sandbox } from '../sandbox.ts';

const CODE = `const { sum }: { sum: number } = await tools.s.add({ a: 1, b: 2 });\nreturn sum;\n`;
const USER_SETTINGS = '../home/.config/plugboard/settings.json';

async function boxWith(permissions: object): Promise<Sandbox> {
  const box = await sandbox();
  const mcpServers = { s: scriptedServer({ builtIns: ['add', 'echo'] }) };
  await box.write(USER_SETTINGS, JSON.stringify({ mcpServers, permissions }));
  await box.write('sum.ts', CODE);
  return box;
}

describe.concurrent('plugboard snippets', () => {
  verifies('CTX-02');

  it('stores an approved script, and runs it while it is unchanged', async ({ expect }) => {
    await using box = await boxWith({ allow: ['s/add'] });
    const added = await box.run(['snippets', 'add', 'sum', 'sum.ts', '--yes', '--json']);
    const file = join(box.project, 'sum.ts');
    expect(documentOf(added)).toEqual({
      kind: 'approved',
      name: 'sum',
      file,
      digest: expect.stringMatching(/^[0-9a-f]{64}$/u) as string,
    });
    expect(await box.run(['snippets', 'run', 'sum'])).toMatchObject({ code: 0, stdout: '3\n' });
    const listed = await box.run(['snippets', 'list']);
    expect(listed.stdout).toBe('NAME  STATE     FILE\nsum   approved  sum.ts\n');
    const { stdout } = await box.run(['snippets', 'show', 'sum']);
    expect(stdout).toBe(CODE);
    const ran = documentOf(await box.run(['snippets', 'run', 'sum', '--json']));
    expect(ran).toMatchObject({
      ...{ name: 'sum', kind: 'done', value: 3, log: [] },
      calls: [{ name: 'mcp__s__add', state: 'done' }],
    });
    expect(await box.run(['snippets', 'remove', 'sum'])).toMatchObject({ code: 0 });
    expect(await box.run(['snippets', 'run', 'sum'])).toMatchObject({ code: 1 });
    expect(await box.read('sum.ts')).toBe(CODE);
  });

  it('does not run a script that has changed, without a new approval', async ({ expect }) => {
    await using box = await boxWith({ allow: ['s/add', 's/echo'] });
    await box.run(['snippets', 'add', 'sum', 'sum.ts', '--yes']);
    await box.write('sum.ts', `return await tools.s.echo({ message: 'stolen' });`);
    expect(await box.run(['snippets', 'run', 'sum', '--yes'])).toEqual({
      code: 5,
      stdout: '',
      stderr: `Not run: the script of "sum" is not approved.
Read it, and approve it: plugboard snippets add sum sum.ts
`,
    });
    const refused = await box.run(['snippets', 'run', 'sum', '--json']);
    expect(documentOf(refused)).toEqual({
      kind: 'not-approved',
      name: 'sum',
      file: join(box.project, 'sum.ts'),
    });
    const { stdout } = await box.run(['snippets', 'list', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ snippets: [{ name: 'sum', state: 'changed' }] });
    await box.write('sum.ts', CODE);
    expect(await box.run(['snippets', 'run', 'sum'])).toMatchObject({ code: 0, stdout: '3\n' });
  });

  it('asks about calls on a terminal, and shows the script', async ({ expect }) => {
    await using box = await boxWith({});
    await using adding = await onTerminal(box, ['snippets', 'add', 'sum', 'sum.ts']);
    await adding.waitFor('Approve this script? [y/N] ');
    expect(adding.text).toContain('  | return sum;');
    adding.write('y\r');
    expect(await adding.exited).toMatchObject({ code: 0 });
    await using running = await onTerminal(box, ['snippets', 'run', 'sum']);
    await running.waitFor('yes for this tool in this [s]cript');
    expect(running.text).toContain('By script "sum":');
    expect(running.text).toContain('  | return sum;');
    running.write('s\r');
    expect(await running.exited).toMatchObject({ code: 0 });
    expect(withoutStatus(running.text)).toMatch(/\n3\n$/u);
  });

  it('makes no call that a rule denies, or that needs an approval without a terminal', async ({
    expect,
  }) => {
    await using box = await boxWith({ deny: ['s/add'] });
    await box.run(['snippets', 'add', 'sum', 'sum.ts', '--yes']);
    const denied = await box.run(['snippets', 'run', 'sum', '--yes']);
    expect(denied).toMatchObject({ code: 2 });
    expect(denied.stdout).toContain('Calling tool add was denied');
    await using other = await boxWith({});
    await other.run(['snippets', 'add', 'sum', 'sum.ts', '--yes']);
    const unasked = await other.run(['snippets', 'run', 'sum']);
    expect(unasked).toMatchObject({ code: 2 });
    expect(unasked.stdout).toContain('there is no terminal to ask at');
  });

  it('reports what is wrong', async ({ expect }) => {
    await using box = await boxWith({});
    expect(await box.run(['snippets', 'add', '../x', 'sum.ts', '--yes'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('this is not a valid name for a snippet') as string,
    });
    expect(await box.run(['snippets', 'add', 'x', 'nowhere.ts', '--yes'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('nowhere.ts cannot be read: missing') as string,
    });
    await box.write('../home/.state/plugboard/snippets.json', '{ "snippets": 1 }');
    expect(await box.run(['snippets', 'list'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('cannot be used: broken') as string,
    });
  });
});
