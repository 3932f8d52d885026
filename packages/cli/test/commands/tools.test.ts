import { everything, filesystem, scriptedServer, verifies } from '@plugboard/testkit';
import { describe, it } from 'vitest';
import { documentOf, type Sandbox, sandbox } from '../sandbox.ts';

/** A server with one tool, so that whole outputs can be compared. */
function small(name: string, description: string): object {
  const inputSchema = { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] };
  return scriptedServer({ builtIns: [], tools: [{ name, description, inputSchema }] });
}

const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const GONE = { command: 'no-such-command-here' };

describe.concurrent('plugboard tools', () => {
  it('lists the tools of every server', async ({ expect }) => {
    await using box = await sandbox({
      one: small('first', 'Does the first'),
      two: small('second', 'Does\nthe  second'),
      off: { ...GONE, disabled: true },
    });
    expect(await box.run(['tools'])).toEqual({
      code: 0,
      stdout: `SERVER  TOOL    DESCRIPTION
one     first   Does the first
two     second  Does the second
`,
      stderr: '',
    });
  });

  it('lists the tools of one real server, and of no other', async ({ expect }) => {
    await using box = await sandbox({ every: everything(), files: filesystem('.'), gone: GONE });
    const { code, stdout, stderr } = await box.run(['tools', 'files']);
    const lines = stdout.trimEnd().split('\n');
    expect({ code, stderr, first: lines[0]?.split(/ +/) }).toEqual({
      code: 0,
      stderr: '',
      first: ['SERVER', 'TOOL', 'DESCRIPTION'],
    });
    expect(new Set(lines.slice(1).map((line) => line.split(' ')[0]))).toEqual(new Set(['files']));
    expect(lines.map((line) => line.split(/ +/)[1])).toContain('read_text_file');
  });

  it('shows the arguments of tools', async ({ expect }) => {
    await using box = await sandbox({ one: small('first', 'Does the first') });
    expect(await box.run(['tools', 'one', '--schema'])).toEqual({
      code: 0,
      stdout: `one first
Does the first
{
  "type": "object",
  "properties": {
    "a": {
      "type": "number"
    }
  },
  "required": [
    "a"
  ]
}
`,
      stderr: '',
    });
  });

  it('shows one tool as TypeScript, and asks the server only if the tool is unknown', async ({
    expect,
  }) => {
    verifies('CLI-13');
    await using box = await sandbox({ every: everything(), gone: GONE });
    const sum = `/** Get Sum Tool: Returns the sum of two numbers */
every.get-sum(arguments: {
  /** First number */
  a: number;
  /** Second number */
  b: number;
}): unknown
`;
    const asked = await box.run(['tools', 'every', 'get-sum']);
    expect(asked).toEqual({ code: 0, stdout: sum, stderr: '' });
    const stored = await Promise.all([
      box.run(['tools', 'every/get-sum']),
      box.run(['tools', 'every.get-sum', '--types']),
    ]);
    for (const { code, stdout, stderr } of stored) {
      expect({ code, stdout }).toEqual({ code: 0, stdout: sum });
      expect(stderr).toMatch(/^Listed .* ago\. To ask again: plugboard tools every --refresh\n$/);
    }
    const { tools } = documentOf(await box.run(['tools', 'every', 'get-sum', '--json'])) as {
      tools: readonly { tool: string }[];
    };
    expect(tools.map(({ tool }) => tool)).toEqual(['get-sum']);
    expect(await box.run(['tools', 'every', 'get-sun'])).toEqual({
      code: 1,
      stdout: '',
      stderr: 'error: server "every" has no tool "get-sun"\n  fix: did you mean "get-sum"?\n',
    });
  });

  it('shows all tools as TypeScript', async ({ expect }) => {
    verifies('CLI-13');
    await using box = await sandbox({
      one: small('first', 'Does the first */ and more'),
      two: small('second', 'Does the second'),
    });
    expect(await box.run(['tools', '--types'])).toEqual({
      code: 0,
      stdout: `/** Does the first * / and more */
one.first(arguments: {
  a: number;
}): unknown

/** Does the second */
two.second(arguments: {
  a: number;
}): unknown
`,
      stderr: '',
    });
    expect(await box.run(['tools', '--types', '--schema'])).toMatchObject({ code: 1, stdout: '' });
  });

  it('shows a tool of an ad-hoc server as TypeScript, without terminal sequences', async ({
    expect,
  }) => {
    verifies('CLI-13');
    await using box = await sandbox();
    const description = 'Does \u001B[2Jthe first';
    const { command, args } = scriptedServer({
      builtIns: ['echo'],
      tools: [{ name: 'first', description, inputSchema: { type: 'object' } }],
    });
    const words = [command, ...args].map((word) => `'${word}'`).join(' ');
    const { code, stdout } = await box.run(['tools', '--stdio', words, 'first']);
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringMatching(
        /^\/\*\* Does [^\u001B]*the first \*\/\n\S+\.first\(arguments: object\): unknown\n$/,
      ) as string,
    });
  });

  it('prints the tools and the failures with --json', async ({ expect }) => {
    await using box = await sandbox({ one: small('first', 'Does the first'), gone: GONE });
    const run = await box.run(['tools', '--json']);
    expect(run.code).toBe(0);
    expect(documentOf(run)).toEqual({
      tools: [
        {
          name: 'mcp__one__first',
          server: 'one',
          tool: 'first',
          description: 'Does the first',
          inputSchema: {
            type: 'object',
            properties: { a: { type: 'number' } },
            required: ['a'],
          },
          annotations: {},
          isReadOnly: false,
          isConcurrencySafe: false,
          isDestructive: true,
          isIdempotent: false,
          isOpenWorld: true,
        },
      ],
      lists: [{ server: 'one', at: expect.stringMatching(ISO_TIME) as string, source: 'server' }],
      problems: [
        {
          server: 'gone',
          kind: 'command-not-found',
          message: 'server "gone" could not start: there is no command "no-such-command-here"',
          where: '.mcp.json:4:5',
          details: [`looked for in: ${box.env['PATH']}`],
          fix: 'install no-such-command-here, or correct "command" in its entry',
        },
      ],
      quarantined: [],
      diagnostics: [],
    });
  });

  it('reports that nothing is configured, or that a server has no tools', async ({ expect }) => {
    await using empty = await sandbox();
    expect(await empty.run(['tools'])).toEqual({
      code: 0,
      stdout: '',
      stderr: 'No servers are configured here.\nAdd one: plugboard add NAME -- COMMAND\n',
    });
    await using box = await sandbox({ bare: scriptedServer({ builtIns: [] }) });
    expect(await box.run(['tools', 'bare'])).toEqual({
      code: 0,
      stdout: '',
      stderr: 'Server "bare" has no tools.\n',
    });
  });

  it('works without a server that fails, unless that server is required', async ({ expect }) => {
    verifies('CLI-03');
    const [works, fails] = [small('first', 'Does the first'), { ...GONE, required: true }];
    await using box = await sandbox({ works, fails });
    expect(await box.run(['tools'])).toEqual({
      code: 2,
      stdout: 'SERVER  TOOL   DESCRIPTION\nworks   first  Does the first\n',
      stderr: `error: server "fails" could not start: there is no command "no-such-command-here"
  at:  .mcp.json:4:5
  | looked for in: ${box.env['PATH']}
  fix: install no-such-command-here, or correct "command" in its entry
`,
    });
  });
});

describe.concurrent('plugboard tools after a server has listed its tools', () => {
  verifies('CON-02');

  /** A server that records each start. */
  function marking(box: Sandbox): object {
    const { command, args } = scriptedServer({ builtIns: ['echo'] });
    const quoted = [command, ...args].map((word) => `'${word}'`).join(' ');
    return { command: 'sh', args: ['-c', `echo started >> ${box.project}/starts; exec ${quoted}`] };
  }

  async function starts(box: Sandbox): Promise<number> {
    return (await box.read('starts')).trimEnd().split('\n').length;
  }

  it('shows them without starting it, and states the age of the list', async ({ expect }) => {
    await using box = await sandbox();
    await box.servers({ one: marking(box), off: { ...GONE, disabled: true } });
    const first = await box.run(['tools']);
    expect([first.stderr, await starts(box)]).toEqual(['', 1]);
    expect(await box.run(['tools'])).toEqual({
      code: 0,
      stdout: first.stdout,
      stderr: 'Listed less than a minute ago. To ask again: plugboard tools --refresh\n',
    });
    expect(await box.run(['tools', 'one'])).toEqual({
      code: 0,
      stdout: first.stdout,
      stderr: 'Listed less than a minute ago. To ask again: plugboard tools one --refresh\n',
    });
    expect(documentOf(await box.run(['tools', '--json']))).toMatchObject({
      tools: [{ name: 'mcp__one__echo' }],
      lists: [{ server: 'one', source: 'stored' }],
      problems: [],
      diagnostics: [],
    });
    expect(await starts(box)).toBe(1);
  });

  it('asks again with --refresh', async ({ expect }) => {
    await using box = await sandbox();
    await box.servers({ one: marking(box) });
    const first = await box.run(['tools']);
    expect(await box.run(['tools', '--refresh'])).toEqual({ ...first, stderr: '' });
    expect(await starts(box)).toBe(2);
  });

  it('asks only the servers without a stored list', async ({ expect }) => {
    await using box = await sandbox();
    await box.servers({ one: marking(box) });
    await box.run(['tools']);
    await box.servers({ one: marking(box), two: small('second', 'Does the second') });
    const { stdout, stderr } = await box.run(['tools']);
    expect([
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => line.split(/ +/)[0]),
      stderr,
    ]).toEqual([
      ['SERVER', 'one', 'two'],
      'Listed less than a minute ago. To ask again: plugboard tools --refresh\n',
    ]);
    expect(await starts(box)).toBe(1);
  });

  it('starts it for a call, once', async ({ expect }) => {
    await using box = await sandbox();
    await box.servers({ one: marking(box) });
    await box.run(['tools']);
    expect((await box.run(['call', 'one', 'echo', 'message=hi'])).stdout).toBe('hi\n');
    expect((await box.run(['call', 'one', 'ehco', 'message=hi'])).stderr).toBe(
      'error: server "one" has no tool "ehco"\n  fix: did you mean "echo"?\n',
    );
    expect(await starts(box)).toBe(3);
  });
});
