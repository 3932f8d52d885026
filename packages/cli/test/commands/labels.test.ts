import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { memory, scriptedServer, verifies } from '@plugboard/testkit';
import { describe, it } from 'vitest';
import { documentOf, sandbox, type Sandbox } from '../sandbox.ts';

const USER = '../home/.config/plugboard/settings.json';

const MAIL = scriptedServer({
  builtIns: [],
  tools: ['get_mail', 'send_mail'].map((name) => ({ name, result: { content: [] } })),
});

async function mailbox(settings: Readonly<Record<string, unknown>> = {}): Promise<Sandbox> {
  const box = await sandbox();
  await box.write(USER, JSON.stringify({ mcpServers: { mail: MAIL }, ...settings }, undefined, 2));
  await box.run(['tools', 'mail']);
  return box;
}

interface LabelsDocument {
  readonly tools: readonly { readonly tool: string; readonly labels: readonly string[] }[];
  readonly modes: Readonly<Record<string, string>>;
}

async function labelsIn(box: Sandbox): Promise<Readonly<Record<string, readonly string[]>>> {
  const { tools } = documentOf(await box.run(['labels', '--json'])) as LabelsDocument;
  return Object.fromEntries(tools.map(({ tool, labels }) => [tool, labels]));
}

describe.concurrent('plugboard labels', () => {
  it('shows the labels of each tool, and their source', async ({ expect }) => {
    verifies('POL-09', 'POL-10');
    await using box = await mailbox();
    const { code, stdout } = await box.run(['labels', 'mail']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/mail +get_mail +reads private data, brings foreign text/u);
    expect(stdout).toMatch(/mail +send_mail +sends out or changes something/u);
  });

  it('sets the labels of a tool in the settings of the user, and removes them', async ({
    expect,
  }) => {
    verifies('POL-10');
    await using box = await mailbox();
    expect(await box.run(['labels', 'mail/get_mail', '--set', 'private'])).toMatchObject({
      code: 0,
      stderr: 'Wrote the labels of mail/get_mail: ~/.config/plugboard/settings.json\n',
    });
    expect(await labelsIn(box)).toEqual({ get_mail: ['private'], send_mail: ['out'] });
    const file = await readFile(join(box.project, USER), 'utf8');
    expect(JSON.parse(file)).toMatchObject({
      mcpServers: { mail: { permissions: { labels: { get_mail: ['private'] } } } },
    });
    expect(await box.run(['labels', 'mail/get_mail', '--reset'])).toMatchObject({ code: 0 });
    expect(await labelsIn(box)).toEqual({ get_mail: ['private', 'foreign'], send_mail: ['out'] });
  });

  it('lets a project only add labels, and only make flow rules stricter', async ({ expect }) => {
    verifies('POL-09', 'POL-10');
    await using box = await mailbox({ permissions: { flow: 'ask' } });
    const patch = { permissions: { flow: 'off', labels: { '*': [], get_mail: ['out'] } } };
    await box.write(
      '.plugboard/settings.json',
      JSON.stringify({ mcpServers: { mail: patch }, permissions: { flow: 'off' } }),
    );
    const run = documentOf(await box.run(['labels', '--json'])) as LabelsDocument;
    expect(run.modes).toEqual({ mail: 'ask' });
    expect(await labelsIn(box)).toEqual({
      get_mail: ['private', 'foreign', 'out'],
      send_mail: ['out'],
    });
  });

  it('recognizes well-known servers by their packages', async ({ expect }) => {
    verifies('POL-09');
    await using box = await sandbox();
    await box.write(
      USER,
      JSON.stringify({ mcpServers: { memory: memory(join(box.home, 'memory.json')) } }),
    );
    await box.run(['tools', 'memory']);
    expect(await labelsIn(box)).toMatchObject({
      create_entities: [],
      read_graph: ['private', 'foreign'],
    });
  });

  it('refuses invalid requests, and explains what to do', async ({ expect }) => {
    await using box = await mailbox();
    const refused = [
      [['labels', 'mail', '--set', 'out'], 'labels are set for one tool'],
      [['labels', 'mail/send_mail', '--set', 'outwards'], '"outwards" is not a label'],
      [['labels', 'codebase/read_file', '--set', 'out'], 'built-in server "codebase" are fixed'],
      [['labels', 'nail/send_mail'], 'no server "nail"'],
    ] as const;
    for (const [args, words] of refused) {
      const { code, stderr } = await box.run(args);
      expect(code).toBe(1);
      expect(stderr).toContain(words);
      expect(stderr).toContain('fix:');
    }
  });
});
