import { scriptedServer, verifies } from '@plugboard/testkit';
import { describe, it } from 'vitest';
import { atTerminal } from '../person-at-terminal.ts';
import { documentOf, type Sandbox, sandbox } from '../sandbox.ts';

const USER = '../home/.config/plugboard/settings.json';

const NUMBER = { type: 'number' } as const;
/** Two tools of the everything server, which starts much slower. */
const EVERYTHING = scriptedServer({
  builtIns: [],
  tools: [
    {
      name: 'echo',
      inputSchema: { type: 'object', properties: { message: { type: 'string' } } },
      result: { content: [{ type: 'text', text: 'Echo: hi' }] },
    },
    {
      name: 'get-sum',
      inputSchema: { type: 'object', properties: { a: NUMBER, b: NUMBER } },
      result: { content: [{ type: 'text', text: 'The sum of 1 and 2 is 3.' }] },
    },
  ],
});

/** Settings with one rule per line, the first at line 3. */
async function ruledBox(rules: Readonly<Record<string, readonly unknown[]>>): Promise<Sandbox> {
  const box = await sandbox({ everything: EVERYTHING });
  const lists = Object.entries(rules).map(
    ([effect, list]) => `    ${JSON.stringify(effect)}: ${JSON.stringify(list)}`,
  );
  await box.write(USER, `{\n  "permissions": {\n${lists.join(',\n')}\n  }\n}\n`);
  return box;
}

const SUM = ['call', 'everything', 'get-sum', 'a=1', 'b=2'];
const SECRET = { tool: 'everything/echo', arguments: [{ path: 'message', matches: '*secret*' }] };

describe.concurrent('plugboard call under permission rules', () => {
  it('runs a call without a rule, and one that a rule allows', async ({ expect }) => {
    verifies('POL-04');
    await using box = await ruledBox({ allow: ['mcp__everything__echo'] });
    expect(await box.run(SUM)).toMatchObject({ code: 0, stdout: 'The sum of 1 and 2 is 3.\n' });
    const echo = ['call', 'everything', 'echo', 'message=hi'];
    expect(await box.run(echo)).toMatchObject({ code: 0 });
  });

  it('is denied by a rule, and names it', async ({ expect }) => {
    verifies('POL-01');
    await using box = await ruledBox({ deny: [SECRET] });
    const call = ['call', 'everything', 'echo', 'message=my secret'];
    expect(await box.run([...call, '--yes'])).toEqual({
      code: 5,
      stdout: '',
      stderr: `error: calling tool "echo" of server "everything" was denied by the rule {"tool":"everything/echo","arguments":[{"path":"message","matches":"*secret*"}]}, ~/.config/plugboard/settings.json:3:14 (user)
  fix: see which rules cover it: plugboard permissions everything/echo
`,
    });
  });

  it('is denied without a terminal if a rule asks, and explains what would help', async ({
    expect,
  }) => {
    verifies('POL-04');
    await using box = await ruledBox({ ask: ['everything/*'] });
    const [people, programs, yes] = await Promise.all([
      box.run(SUM),
      box.run([...SUM, '--json']),
      box.run([...SUM, '--yes']),
    ]);
    expect(people).toEqual({
      code: 5,
      stdout: '',
      stderr: `error: calling tool "get-sum" of server "everything" was denied: there is no terminal to ask at, because of the rule everything/*, ~/.config/plugboard/settings.json:3:13 (user)
  fix: answer y on a terminal, or add --yes; see the rules: plugboard permissions everything/get-sum
`,
    });
    expect(programs.code).toBe(5);
    expect(documentOf(programs)).toMatchObject({
      error: {
        kind: 'denied',
        by: {
          kind: 'approver',
          decision: { kind: 'ask', because: { kind: 'rule', rule: { origin: { line: 3 } } } },
        },
        needs: [{ kind: 'rule', list: 'allow', rule: 'everything/get-sum' }],
      },
    });
    expect(yes).toMatchObject({ code: 0, stdout: 'The sum of 1 and 2 is 3.\n' });
  });

  it('reports why a hook denied the call, and which hook failed', async ({ expect }) => {
    verifies('POL-08');
    await using box = await sandbox({ everything: EVERYTHING });
    const hooks = {
      beforeCall: [
        { tool: 'everything/get-sum', shell: `echo '{"decision":"block","reason":"no sums"}'` },
      ],
      afterCall: [{ shell: 'exit 9' }],
    };
    const text = JSON.stringify({ hooks });
    await box.write(USER, text);
    const columnOf = (part: string): number => text.indexOf(part) + 1;
    expect(await box.run(SUM)).toEqual({
      code: 5,
      stdout: '',
      stderr: `error: calling tool "get-sum" of server "everything" was denied by a hook: no sums
  at:  ~/.config/plugboard/settings.json:1:${columnOf('{"tool"')}
  fix: change the call or the hook
`,
    });
    expect(await box.run(['call', 'everything', 'echo', 'message=hi'])).toEqual({
      code: 0,
      stdout: 'Echo: hi\n',
      stderr: `warning: a hook after the call failed: exited with 9
  at:  ~/.config/plugboard/settings.json:1:${columnOf('{"shell":"exit')}
  fix: correct the hook
`,
    });
  });
});

describe('the approval prompt of plugboard call', () => {
  verifies('POL-04');

  it.for([
    ['y\r', 0],
    ['n\r', 5],
    ['\r', 5],
    ['s\r', 5],
    ['\u0003', 130],
  ] as const)('is shown on a terminal: %j', async ([keys, code], { expect }) => {
    await using box = await ruledBox({
      ask: [{ tool: 'everything/get-sum', arguments: [{ path: 'a', atLeast: 1 }] }],
    });
    const seen = await atTerminal(box, { args: SUM, turns: [['Let it run? [y/N]', keys]] });
    expect(seen.code).toBe(code);
    expect(seen.screen).toContain(
      'Call tool "get-sum" of server "everything" with\n  a = 1\n  b = 2\nAsked because of the rule {"tool":"everything/get-sum","arguments":[{"path":"a","atLeast":1}]}',
    );
    expect(seen.screen.includes('The sum of 1 and 2 is 3.')).toBe(code === 0);
  });

  it.for([
    ['a\r', '"everything/get-sum"'],
    ['here\r', '"project"'],
  ] as const)('may be answered for good: %j', async ([keys, written], { expect }) => {
    await using box = await ruledBox({ ask: ['mcp__everything__*'] });
    const question = 'Let it run? [y]es, [a]lways, always [h]ere in this project, or [N]o:';
    const seen = await atTerminal(box, { args: SUM, turns: [[question, keys]] });
    expect(seen.code).toBe(0);
    expect(seen.screen).toContain(
      'From now on it runs without asking: ~/.config/plugboard/settings.json',
    );
    expect(await box.read(USER)).toContain(written);
    expect(await box.run(SUM)).toMatchObject({ code: 0 });
  });

  it('shows hidden characters of the arguments', async ({ expect }) => {
    await using box = await ruledBox({ ask: [SECRET] });
    const args = ['call', 'everything', 'echo', 'message=secret\u202E\u001B[2Jx'];
    const seen = await atTerminal(box, { args, turns: [['Let it run?', 'n\r']] });
    expect(seen.screen).toContain('message = "secret\\u202e\\u001b[2Jx"');
  });
});

describe.concurrent('plugboard permissions', () => {
  verifies('POL-01');

  it('lists the rules of all files and entries, and the mode', async ({ expect }) => {
    await using box = await sandbox({
      everything: { ...EVERYTHING, permissions: { deniedTools: ['get-env'] } },
    });
    const permissions = { mode: 'deny-asks', allow: ['everything/echo'], ask: ['mcp__x__*'] };
    await box.write(USER, JSON.stringify({ permissions }, undefined, 1));
    const { stdout, stderr } = await box.run(['permissions']);
    expect(stdout).toBe(`EFFECT  RULE                        SCOPE    WRITTEN AT
ask     mcp__x__*                   user     ~/.config/plugboard/settings.json:8:4
allow   everything/echo             user     ~/.config/plugboard/settings.json:5:4
deny    "deniedTools": ["get-env"]  project  .mcp.json:3:${String((await box.read('.mcp.json')).split('\n')[2]?.indexOf('"deniedTools"')).replace(/\d+/, (at) => String(Number(at) + 1))}
`);
    expect(stderr).toBe('Mode "deny-asks": ~/.config/plugboard/settings.json:3:3 (user)\n');
  });

  it('explains the decision for a call, and names the file', async ({ expect }) => {
    await using box = await ruledBox({ allow: ['everything/*'], deny: [SECRET] });
    await box.write(
      '.plugboard/settings.json',
      JSON.stringify({ permissions: { allow: ['everything/echo'] } }),
    );
    await box.run(['tools']);
    const denied = await box.run(['permissions', 'mcp__everything__echo', 'message=secret']);
    expect(denied.stdout).toBe(`everything/echo is denied
  because of the rule {"tool":"everything/echo","arguments":[{"path":"message","matches":"*secret*"}]}, ~/.config/plugboard/settings.json:4:14 (user)

EFFECT  RULE                                                                              SCOPE    WRITTEN AT                              PART
deny    {"tool":"everything/echo","arguments":[{"path":"message","matches":"*secret*"}]}  user     ~/.config/plugboard/settings.json:4:14  decides
allow   everything/*                                                                      user     ~/.config/plugboard/settings.json:3:15  overruled
allow   everything/echo                                                                   project  .plugboard/settings.json:1:26           no effect: it may have come with the project
`);
    expect(denied.stderr).toContain('what allows calls has no effect in a file that may have come');
    const asked = await box.run(['permissions', 'everything/unheard-of', '--json']);
    expect(documentOf(asked)).toMatchObject({
      server: 'everything',
      tool: 'unheard-of',
      isKnown: false,
      decision: { kind: 'allow' },
      matches: [{ part: 'decides' }],
    });
  });

  it('reports that there are no rules, and what that means', async ({ expect }) => {
    await using box = await sandbox({ everything: EVERYTHING });
    expect(await box.run(['permissions'])).toEqual({
      code: 0,
      stdout: '',
      stderr: 'There are no rules. Calls that no rule covers need your approval.\n',
    });
    expect(await box.run(['permissions', 'everything/echo'])).toEqual({
      code: 0,
      stdout: 'everything/echo is asked about\n  because of the default: no rule covers it\n',
      stderr: `Note: "plugboard call" runs it: by typing the name of a tool, you ask for it.
Note: what the tool claims is not known yet; list it: plugboard tools everything
`,
    });
  });

  it.for([
    [['echo'], 'there is no tool "echo" among those that were listed'],
    [['evrything/echo'], 'there is no server "evrything"'],
    [['everything/echo', 'hi'], '"hi" is not an argument of the form key=value'],
  ] as const)('refuses %j', async ([args, message], { expect }) => {
    await using box = await sandbox({ everything: EVERYTHING });
    const run = await box.run(['permissions', ...args]);
    expect(run).toMatchObject({ code: 1, stdout: '' });
    expect(run.stderr).toContain(`error: ${message}\n`);
  });
});
