import { verifies } from '@plugboard/testkit';
import { describe, it } from 'vitest';
import { documentOf, type Run, type Sandbox, sandbox } from '../sandbox.ts';

const LOCAL = '.plugboard/settings.local.json';
const ADDED: Run = {
  code: 0,
  stdout: '',
  stderr: `Added "a" to ${LOCAL}.
Note: "a" needs the environment variable T (in "env.T"), which is not set; set T, or write a default: \${T:-value}. Then: plugboard tools a
`,
};

async function piped(box: Sandbox, args: readonly string[], text: string): Promise<Run> {
  return box.run(args, { stdin: text });
}

async function servers(box: Sandbox): Promise<unknown> {
  return JSON.parse(await box.read(LOCAL)) as unknown;
}

describe.concurrent('plugboard add-json', () => {
  const entry = { command: 'npx', args: ['-y', 'x'], env: { T: '${T}' } };
  const text = JSON.stringify(entry);

  it.for([
    ['an entry', text],
    ['an entry with comments', `// what it is\n${text.replace('}}', '}, /* the end */ }')}`],
    ['an entry with its name', `"other": ${text},`],
    ['a whole block', `{ "mcpServers": { "other": ${text} } }`],
  ] as const)('adds %s', async ([, json], { expect }) => {
    await using box = await sandbox();
    expect(await box.run(['add-json', 'a', json])).toEqual(ADDED);
    expect(await servers(box)).toEqual({ mcpServers: { a: entry } });
  });

  it('reads the entry from stdin', async ({ expect }) => {
    await using box = await sandbox();
    const block = JSON.stringify({ mcpServers: { other: entry } }, undefined, 2);
    expect(await piped(box, ['add-json', 'a', '-'], block.replaceAll('\n', '\r\n'))).toEqual(ADDED);
    expect(await servers(box)).toEqual({ mcpServers: { a: entry } });
  });

  it('does not wait for the end of a pipe that it does not read', async ({ expect }) => {
    await using box = await sandbox();
    const child = box.start(['add-json', 'a', text]);
    const ended = new Promise((resolve) => child.once('exit', resolve));
    expect(await ended).toBe(0);
    child.stdin.destroy();
  });

  it('writes into the file of a scope, and replaces only with --force', async ({ expect }) => {
    await using box = await sandbox({ a: { command: 'old' } });
    const again = ['add-json', 'a', text, '--scope', 'project'];
    expect(await box.run(again)).toEqual({
      code: 1,
      stdout: '',
      stderr: 'error: "a" is already in .mcp.json\n  fix: add --force to replace it\n',
    });
    const run = await box.run([...again, '--force', '--json']);
    expect([run.code, documentOf(run)]).toEqual([
      0,
      { kind: 'replaced', name: 'a', file: `${box.project}/.mcp.json` },
    ]);
    expect(JSON.parse(await box.read('.mcp.json'))).toEqual({ mcpServers: { a: entry } });
  });

  it('warns about fields without effect, with their place', async ({ expect }) => {
    await using box = await sandbox();
    expect(await box.run(['add-json', 'a', '{ "command": "x",\n  "arsg": [] }'])).toEqual({
      code: 0,
      stdout: '',
      stderr: `warning: server "a": "arsg" is not a field of an entry and has no effect
  at:  JSON:2:3
  fix: use "args" instead
Added "a" to ${LOCAL}.
Try it: plugboard tools a
`,
    });
  });

  it.for([
    [
      ['a', '{ "command" "x" }'],
      'a colon is expected between a name and its value',
      'JSON:1:13',
      'write it like "command": "npx"',
    ],
    [
      ['a', '"x": { "command": "x",\n  "args": "y" }'],
      '"args" must be a list of texts',
      'JSON:2:11',
      'write it like "args": ["-y", "some-package"]',
    ],
    [
      ['a', '{}'],
      'it has neither a "command" nor a "url"',
      'JSON:1:1',
      'add one of them: "command": "npx", or "url": "https://example.com/mcp"',
    ],
    [
      ['a', 'npx -y x'],
      'this is not valid JSON',
      'JSON:1:1',
      'put names and text in double quotes; only true, false and null go without',
    ],
    [
      ['a', '{"mcpServers":{"b":{"command":"b"},"c":{"command":"c"}}}'],
      'there are 2 servers in it: b, c',
      undefined,
      'use one of these names, or give one server at a time',
    ],
    [
      ['bad name', '{"command":"x"}'],
      '"bad name" cannot be the name of a server',
      undefined,
      'use 1 to 64 of the characters A-Z a-z 0-9 _ -, for example "bad-name"',
    ],
  ] as const)('refuses %j', async ([args, message, where, fix], { expect }) => {
    verifies('CLI-05');
    await using box = await sandbox();
    const at = where === undefined ? '' : `  at:  ${where}\n`;
    expect(await box.run(['add-json', ...args])).toEqual({
      code: 1,
      stdout: '',
      stderr: `error: ${message}\n${at}  fix: ${fix}\n`,
    });
    await expect(box.read(LOCAL)).rejects.toThrow('ENOENT');
  });

  it('names stdin as the place, and reads at most a megabyte from it', async ({ expect }) => {
    await using box = await sandbox();
    expect(await piped(box, ['add-json', 'a', '-'], '{\n  "command": x\n}\n')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('  at:  stdin:2:14\n'),
    });
    const long = `{ "command": "${'x'.repeat(1100)}" }\n`.repeat(1000);
    expect(await piped(box, ['add-json', 'a', '-'], long)).toMatchObject({
      code: 1,
      stderr: 'error: the input is too long to be an entry\n  fix: pipe only its entry\n',
    });
  });
});
