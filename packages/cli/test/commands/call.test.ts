import {
  everything,
  filesystem,
  scriptedServer,
  startEverythingHttp,
  verifies,
} from '@plugboard/testkit';
import { describe, it } from 'vitest';
import { documentOf, type Run, sandbox } from '../sandbox.ts';

function result(server: string, tool: string, text: string): object {
  return { kind: 'result', server, tool, parts: [{ kind: 'text', text }] };
}

function said(stdout: string): Run {
  return { code: 0, stdout, stderr: '' };
}

describe.concurrent('plugboard call', () => {
  it('prints the result, and with --json one document and nothing else', async ({ expect }) => {
    verifies('CLI-03');
    // A file with a warning: problems of other servers do not appear on stdout, and not at all with --json.
    await using box = await sandbox({ everything: everything() });
    await box.write('.plugboard/settings.json', '{ "mcpServer": {} }');
    const call = ['call', 'everything', 'echo', 'message=hi'];
    const [forPeople, forPrograms] = await Promise.all([
      box.run(call),
      box.run([...call, '--json']),
    ]);
    expect(forPeople).toEqual({
      code: 0,
      stdout: 'Echo: hi\n',
      stderr: `warning: "mcpServer" is not a setting and has no effect
  at:  .plugboard/settings.json:1:3
  fix: use "mcpServers" instead
`,
    });
    expect(forPrograms.code).toBe(0);
    expect(documentOf(forPrograms)).toEqual(result('everything', 'echo', 'Echo: hi'));
  });

  it('converts text to numbers if the tool expects numbers', async ({ expect }) => {
    await using box = await sandbox({ everything: everything() });
    expect(await box.run(['call', 'everything', 'get-sum', 'a=2', 'b:=3.5'])).toEqual(
      said('The sum of 2 and 3.5 is 5.5.\n'),
    );
  });

  it('reads text and JSON from files', async ({ expect }) => {
    await using box = await sandbox({ files: filesystem('.') });
    await box.write('content.txt', 'a = "1"\n@home\n');
    await box.write('paths.json', '["out.txt"]');
    // A separate process, since typed paths are relative to its folder.
    const written = await box.runProcess([
      'call',
      'files',
      'write_file',
      'path=out.txt',
      'content=@content.txt',
    ]);
    expect(written).toMatchObject({ code: 0, stderr: '' });
    expect(await box.read('out.txt')).toBe('a = "1"\n@home\n');
    const read = await box.runProcess([
      'call',
      'files',
      'read_multiple_files',
      'paths:=@paths.json',
    ]);
    expect(read).toMatchObject({ code: 0, stderr: '' });
    expect(read.stdout).toContain('a = "1"\n@home\n');
  });

  it('prints the content of a file once, unchanged', async ({ expect }) => {
    verifies('OUT-01');
    await using box = await sandbox({ files: filesystem('.') });
    const words = '# Notes\n\n{ "a": 1 }\nthe end\n';
    await box.write('notes.md', words);
    const read = ['call', 'files', 'read_text_file', 'path=notes.md'];
    expect(await box.run(read)).toEqual(said(words));
    expect(documentOf(await box.run([...read, '--json']))).toEqual({
      kind: 'result',
      server: 'files',
      tool: 'read_text_file',
      parts: [{ kind: 'text', text: words }],
      structured: { content: words },
    });
  });

  it('includes the metadata of a result with --json, and reports an empty result to people', async ({
    expect,
  }) => {
    verifies('OUT-05', 'OUT-06');
    const _meta = { 'example.com/cost': 3 };
    const tools = [
      { name: 'paid', result: { content: [{ type: 'text', text: 'hi' }], _meta } },
      { name: 'bare', result: { value: 42 } },
    ];
    await using box = await sandbox({ server: scriptedServer({ tools }) });
    const [paid, forPrograms, bare] = await Promise.all([
      box.run(['call', 'server', 'paid']),
      box.run(['call', 'server', 'paid', '--json']),
      box.run(['call', 'server', 'bare']),
    ]);
    expect(paid).toEqual(said('hi\n'));
    expect(documentOf(forPrograms)).toMatchObject({ meta: _meta });
    expect(bare).toEqual({
      code: 0,
      stdout: '{\n  "value": 42\n}\n',
      stderr:
        'note: The server sent a result without "content", which the MCP specification requires; this is what it sent, as JSON.\n',
    });
  });

  it('names content that is not text, and includes it with --json', async ({ expect }) => {
    await using box = await sandbox({ server: scriptedServer() });
    const [image, asJson, structured] = await Promise.all([
      box.run(['call', 'server', 'image']),
      box.run(['call', 'server', 'image', '--json']),
      box.run(['call', 'server', 'add', 'a=1', 'b=2']),
    ]);
    expect(image).toEqual(said('[image image/png, 70 bytes]\n'));
    expect(documentOf(asJson)).toEqual({
      kind: 'result',
      server: 'server',
      tool: 'image',
      parts: [
        { kind: 'image', mimeType: 'image/png', data: expect.stringMatching(/^iVBORw0KGgo.*==$/) },
      ],
    });
    expect(structured).toEqual(said('{\n  "sum": 3\n}\n'));
  });

  it('calls a server over HTTP', async ({ expect }) => {
    await using peer = await startEverythingHttp();
    await using box = await sandbox({ web: { type: 'http', url: peer.url } });
    expect(await box.run(['call', 'web', 'echo', 'message=hi'])).toEqual(said('Echo: hi\n'));
  });

  it('reports the error of a tool on stderr', async ({ expect }) => {
    await using box = await sandbox({ server: scriptedServer() });
    const [forPeople, forPrograms] = await Promise.all([
      box.run(['call', 'server', 'error']),
      box.run(['call', 'server', 'error', '--json']),
    ]);
    expect(forPeople).toEqual({
      code: 2,
      stdout: '',
      stderr: `error: tool "error" of server "server" failed
  | the tool failed
  fix: read what the tool says above; what its server logged: plugboard logs server
`,
    });
    expect(forPrograms.code).toBe(2);
    expect(documentOf(forPrograms)).toEqual({
      kind: 'tool-error',
      server: 'server',
      tool: 'error',
      parts: [{ kind: 'text', text: 'the tool failed' }],
    });
  });

  it.for([
    [
      { type: 'object', properties: { a: {}, b: {} }, required: ['a'] },
      ["must have required property 'a'", '/c is not one of its arguments; it takes: a, b'],
    ],
    [
      { type: 'object', properties: { a: {} }, additionalProperties: false },
      ['must NOT have additional properties: c', 'it takes: a'],
    ],
    [
      { type: 'object', additionalProperties: false },
      ['must NOT have additional properties: c', 'it takes none'],
    ],
  ] as const)('names an unknown argument once: %#', async ([inputSchema, details], { expect }) => {
    await using box = await sandbox({
      server: scriptedServer({ tools: [{ name: 'x', inputSchema }] }),
    });
    const run = await box.run(['call', 'server', 'x', 'c=1', '--json']);
    expect(documentOf(run)).toMatchObject({ error: { kind: 'invalid-arguments', details } });
  });

  it('suggests the nearest tool and the nearest server', async ({ expect }) => {
    verifies('CLI-05');
    await using box = await sandbox({ everything: everything() });
    const [tool, strange, server] = await Promise.all([
      box.run(['call', 'everything', 'ehco', '--json']),
      box.run(['call', 'everything', 'zebra']),
      box.run(['call', 'evrything', 'echo']),
    ]);
    const named = await box.run(['call', 'evrything', 'echo', '--json']);
    expect(documentOf(named)).toEqual({
      error: {
        kind: 'unknown-server',
        message: 'there is no server "evrything"',
        fix: 'did you mean "everything"?',
      },
    });
    expect(tool.code).toBe(1);
    expect(documentOf(tool)).toEqual({
      error: {
        kind: 'unknown-tool',
        message: 'server "everything" has no tool "ehco"',
        fix: 'did you mean "echo"?',
      },
    });
    expect(strange).toEqual({
      code: 1,
      stdout: '',
      stderr: `error: server "everything" has no tool "zebra"
  fix: see what it has: plugboard tools everything
`,
    });
    expect(server).toEqual({
      code: 1,
      stdout: '',
      stderr: 'error: there is no server "evrything"\n  fix: did you mean "everything"?\n',
    });
  });

  it.for(['every/echo', 'every.echo'])(
    'parses %s as a server and its tool',
    async (tool, { expect }) => {
      verifies('CLI-13');
      await using box = await sandbox({ every: everything() });
      expect(await box.run(['call', tool, 'message=hi'])).toEqual({
        code: 0,
        stdout: 'Echo: hi\n',
        stderr: '',
      });
    },
  );

  it('refuses arguments that do not match the schema, before the call', async ({ expect }) => {
    await using box = await sandbox({ everything: everything() });
    expect(await box.run(['call', 'everything', 'get-sum', 'a=two'])).toEqual({
      code: 1,
      stdout: '',
      stderr: `error: tool "get-sum" of server "everything" does not take these arguments
  | must have required property 'b'
  | /a must be number
  fix: see what it takes: plugboard tools everything get-sum
`,
    });
  });

  it('returns the schema of the tool and the problems of the arguments with --json', async ({
    expect,
  }) => {
    verifies('CAL-02');
    await using box = await sandbox({ server: scriptedServer({ builtIns: ['add'] }) });
    const { error } = documentOf(
      await box.run(['call', 'server', 'add', 'a=two', 'b=1', '--json']),
    ) as { readonly error: Readonly<Record<string, unknown>> };
    expect(error).toMatchObject({
      kind: 'invalid-arguments',
      issues: [{ path: '/a', message: 'must be number' }],
      schema: { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } } },
    });
  });

  it('reports how a server refused a call: code, message and data', async ({ expect }) => {
    verifies('CAL-05');
    const error = { code: -32_050, message: 'database is locked', data: { retryAfterMs: 500 } };
    const tools = [{ name: 'query', error }];
    await using box = await sandbox({ server: scriptedServer({ builtIns: [], tools }) });
    const [forPeople, forPrograms] = await Promise.all([
      box.run(['call', 'server', 'query']),
      box.run(['call', 'server', 'query', '--json']),
    ]);
    expect(forPeople.stderr).toContain(
      'server "server" refused with error -32050: database is locked\n',
    );
    expect(forPeople.stderr).toContain('  | data: {"retryAfterMs":500}\n');
    expect(documentOf(forPrograms)).toMatchObject({ error: { kind: 'rpc', rpc: error } });
  });

  it.for([
    [
      ['hello'],
      '"hello" is not an argument of the form key=value',
      'write key=text, key:=json, key=@file or one JSON object, for example: message=hello',
    ],
    [['a=1', 'a:=2'], '"a" is given twice', 'give it once'],
    [['a=@nowhere'], 'the file for "a", nowhere, does not exist', 'correct the path after @'],
    [['a=@.git'], 'the file for "a", .git, is a folder', 'correct the path after @'],
  ] as const)('refuses %j', async ([args, message, fix], { expect }) => {
    await using box = await sandbox({ server: scriptedServer() });
    expect(await box.run(['call', 'server', 'echo', ...args])).toEqual({
      code: 1,
      stdout: '',
      stderr: `error: ${message}\n  fix: ${fix}\n`,
    });
  });

  it('refuses invalid JSON after :=', async ({ expect }) => {
    await using box = await sandbox({ server: scriptedServer() });
    const run = await box.run(['call', 'server', 'echo', 'message:={']);
    expect(run).toMatchObject({ code: 1, stdout: '' });
    // The middle depends on the version of Node.
    expect(run.stderr).toMatch(
      /^error: "message" is not JSON: .+\n {2}fix: for text write message=…; put JSON in quotes: message:='\["a"\]'\n$/,
    );
  });
});
