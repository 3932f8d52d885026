import { readFile } from 'node:fs/promises';
import { describe, it } from 'vitest';
import { documentOf, sandbox } from '../sandbox.ts';

const published = (name: string): Promise<string> =>
  readFile(new URL(`../../../host/${name}`, import.meta.url), 'utf8');

describe.concurrent('plugboard config', () => {
  it.for([
    [['schema'], 'settings.schema.json'],
    [['schema', '--mcp-json'], 'mcp.schema.json'],
    // It is JSON either way.
    [['schema', '--json'], 'settings.schema.json'],
  ] as const)(
    '%j prints the schema that the library publishes',
    async ([args, file], { expect }) => {
      await using box = await sandbox();
      expect(await box.run(['config', ...args])).toEqual({
        code: 0,
        stdout: await published(file),
        stderr: '',
      });
    },
  );

  it.for([['config'], ['config', '--help'], ['help', 'config']])(
    'lists its subcommands for %j',
    async (args, { expect }) => {
      await using box = await sandbox();
      expect(await box.run(args)).toEqual({
        code: 0,
        stdout: `Usage: plugboard config <command>

show where the configuration is, and its schema

Options:
  --json      print one JSON document to stdout and nothing else
  -h, --help  show this help

Commands:
  path        list the files that Plugboard looks for, strongest first
  schema      print the JSON Schema of settings, for editors
`,
        stderr: '',
      });
    },
  );

  it('suggests the nearest command for an unknown one', async ({ expect }) => {
    await using box = await sandbox();
    const [forPeople, forPrograms] = await Promise.all([
      box.run(['config', 'shema']),
      box.run(['config', 'shema', '--json']),
    ]);
    const fix = 'did you mean "config schema"?';
    expect(forPeople).toEqual({
      code: 1,
      stdout: '',
      stderr: `error: there is no command "config shema"\n  fix: ${fix}\n`,
    });
    expect(documentOf(forPrograms)).toEqual({
      error: { kind: 'usage', message: 'there is no command "config shema"', fix },
    });
  });
});
