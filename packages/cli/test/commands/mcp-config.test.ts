import { scriptedServer, startScriptedModel, verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { answersIn, calling, modelEnv } from '../chat/chat-on-terminal.ts';
import { documentOf, sandbox } from '../sandbox.ts';

const LOOKER = scriptedServer({
  builtIns: [],
  tools: [
    {
      name: 'look',
      annotations: { readOnlyHint: true },
      result: { content: [{ type: 'text', text: 'a cat' }] },
    },
  ],
});
const named = (entries: object): string => JSON.stringify({ mcpServers: entries });

describe('--mcp-config and --strict-mcp-config', () => {
  verifies('CFG-01', 'CFG-16');

  it('add the servers of files and JSON to the configured ones, for one run', async () => {
    await using box = await sandbox({ a: { command: 'one' } });
    await box.write('more.json', '{ "b": { "command": "two" } }');
    const inline = named({ c: { command: 'three' } });
    const { code, stdout, stderr } = await box.run([
      'list',
      '--mcp-config',
      'more.json',
      `--mcp-config=${inline}`,
    ]);
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: `NAME  STATE  TYPE   SCOPE    CONFIGURED AT          RUNS
a     idle   stdio  project  .mcp.json:3:5          one
b     idle   stdio  dynamic  more.json:1:3          two
c     idle   stdio  dynamic  given by --mcp-config  three
`,
      stderr: '',
    });
    expect((await box.run(['list'])).stdout).not.toContain('two');
  });

  it('leave out every other server with --strict-mcp-config', async () => {
    await using box = await sandbox({ a: { command: 'one' } });
    const strict = ['--strict-mcp-config', '--mcp-config', named({ b: { command: 'two' } })];
    const listed = documentOf(await box.run(['list', '--json', ...strict]));
    expect(listed).toMatchObject({ servers: [{ name: 'b' }] });
    const { code, stderr } = await box.run(['get', 'a', ...strict]);
    expect([code, stderr]).toEqual([
      1,
      'error: there is no server "a"\n  fix: did you mean "b"?\n',
    ]);
  });

  it('let tools be listed and called without a trust prompt', async () => {
    await using box = await sandbox();
    await box.write('named.json', named({ eyes: LOOKER }));
    const flags = ['--mcp-config', 'named.json'];
    const tools = documentOf(await box.run(['tools', 'eyes', '--json', ...flags]));
    expect(tools).toMatchObject({ tools: [{ server: 'eyes', tool: 'look' }] });
    const called = await box.run(['call', 'eyes', 'look', '--yes', ...flags]);
    expect([called.code, called.stdout]).toEqual([0, 'a cat\n']);
    const doctor = await box.run(['doctor', 'eyes', ...flags]);
    expect(doctor.code).toBe(0);
  });

  it('give a model only the tools of the named servers', async () => {
    await using box = await sandbox({ other: LOOKER });
    await using model = await startScriptedModel({
      turns: [calling(['mcp__eyes__look', {}]), 'A cat.'],
    });
    const flags = ['--strict-mcp-config', '--mcp-config', named({ eyes: LOOKER })];
    const run = await box.run(['run', 'look', '--yes', ...flags], { env: modelEnv(model) });
    expect(run.code).toBe(0);
    expect(answersIn(model.requests.at(-1))).toMatchObject([{ text: 'a cat' }]);
    expect(JSON.stringify(model.requests)).not.toContain('mcp__other__look');
  });

  it.each([
    [
      ['--mcp-config', 'missing.json'],
      `error: what --mcp-config names cannot be used: the file does not exist
  at:  missing.json
  fix: check the path after --mcp-config; JSON has to begin with "{"
`,
    ],
    [
      ['--mcp-config', '{ "a": { "command": "x", }'],
      `error: what --mcp-config names cannot be used: the file ends while a "{" is still open
  at:  --mcp-config:1:27
  fix: add the missing "}"
`,
    ],
    [
      ['--mcp-config', '{ "mcpServers": [] }'],
      `error: what --mcp-config names cannot be used: "mcpServers" must be an object
  at:  --mcp-config:1:17
  fix: write it like { "mcpServers": { "name": { "command": "npx" } } }
`,
    ],
    [
      ['--mcp-config'],
      "error: option '--mcp-config <file-or-json>' argument missing\n  fix: see the usage: plugboard list --help\n",
    ],
  ])('explain what is wrong with %j, and what to do', async (flags, words) => {
    await using box = await sandbox();
    expect(await box.run(['list', ...flags])).toEqual({ code: 1, stdout: '', stderr: words });
  });

  it.each([['tools'], ['call', 'a', 'b'], ['run', 'x'], ['doctor'], ['explain', 'a']])(
    'are an error of `%s` too if the file does not exist',
    async (...command) => {
      await using box = await sandbox();
      const { code, stderr } = await box.run([...command, '--mcp-config', 'missing.json']);
      expect([code, stderr.split('\n')[0]]).toEqual([
        1,
        'error: what --mcp-config names cannot be used: the file does not exist',
      ]);
    },
  );
});
