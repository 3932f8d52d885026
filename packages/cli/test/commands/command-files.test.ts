import { hostEnvironment } from '@plugboard/host/configuration';
import { tempFolder, verifies } from '@plugboard/testkit';
import { expect, it } from 'vitest';
import { commandFiles } from '../../src/commands/command-files.ts';

it('maps the tool names of other hosts in allowed-tools of a command to the built-in tools', async () => {
  verifies('AGT-13');
  await using folder = await tempFolder();
  const allowed =
    'Bash(git diff:*), Edit, Read, WebFetch(domain:Docs.Example.com), WebFetch, github/get_issue';
  await folder.write('.claude/commands/look.md', `---\nallowed-tools: ${allowed}\n---\nLook.\n`);
  const environment = {
    ...hostEnvironment(),
    home: folder.path,
    paths: { ...hostEnvironment().paths, home: folder.path, config: `${folder.path}/config` },
  };
  const root = await folder.mkdir('project');
  const [look] = await commandFiles({ environment, root });
  expect(look?.allows).toEqual([
    'workspace/run_command(git diff *)',
    'workspace/*_file(.)',
    'workspace/web_fetch(https://docs.example.com)',
    'github/get_issue',
  ]);
});
