import { everything, KEYS, verifies } from '@plugboard/testkit';
import { describe, it } from 'vitest';
import { USER_SETTINGS } from '../chat/chat-on-terminal.ts';
import { atTerminal } from '../person-at-terminal.ts';
import { documentOf, sandbox } from '../sandbox.ts';

const LOCAL = '.plugboard/settings.local.json';
const SUM = ['call', 'everything', 'get-sum', 'a=1', 'b=2'];

describe.concurrent('plugboard permissions with an effect', () => {
  it('writes a rule for this person in this project, and reports its place and the result', async ({
    expect,
  }) => {
    await using box = await sandbox({ everything: everything() });
    expect(await box.run(['permissions', 'everything/get-sum', '--deny'])).toEqual({
      code: 0,
      stdout: `everything/get-sum is denied
  because of the rule everything/get-sum, ${LOCAL}:5:7 (local)

EFFECT  RULE                SCOPE  WRITTEN AT                          PART
deny    everything/get-sum  local  ${LOCAL}:5:7  decides
`,
      stderr: `Wrote the rule "deny": everything/get-sum into ${LOCAL} (local, for you in this project). To take it back: plugboard permissions everything/get-sum --remove
Note: what the tool claims is not known yet; list it: plugboard tools everything
`,
    });
    expect(await box.run(SUM)).toMatchObject({ code: 5 });
    expect(JSON.parse(await box.read(LOCAL))).toEqual({
      mcpServers: {},
      permissions: { deny: ['everything/get-sum'] },
    });
  });

  it('writes to the given scope, also patterns', async ({ expect }) => {
    await using box = await sandbox({ everything: everything() });
    const ask = ['permissions', 'everything/*', '--ask', '--scope', 'project', '--json'];
    expect(documentOf(await box.run(ask))).toMatchObject({
      rules: [{ effect: 'ask', text: 'everything/*', scope: 'project' }],
    });
    expect(await box.run(SUM)).toMatchObject({ code: 5 });
  });

  it('writes an allow rule only to the settings of the person', async ({ expect }) => {
    await using box = await sandbox({ everything: everything() });
    const allow = ['permissions', 'everything/get-sum', '--allow'];
    expect(documentOf(await box.run([...allow, '--json']))).toMatchObject({
      decision: { kind: 'allow', because: { kind: 'rule', rule: { scope: 'user' } } },
    });
    expect(await box.run([...allow, '--scope', 'project'])).toEqual({
      code: 1,
      stdout: '',
      stderr: `error: an "allow" in the files of a folder has no effect (--scope project)
  fix: leave --scope out: it then goes into your own settings
`,
    });
  });

  it('covers the tools of a conversation, too', async ({ expect }) => {
    await using box = await sandbox();
    expect(await box.run(['permissions', 'workspace/write_file', '--allow'])).toEqual({
      code: 0,
      stdout: `workspace/write_file runs without asking
  because of the rule workspace/write_file, ~/.config/plugboard/settings.json:5:7 (user)

EFFECT  RULE                  SCOPE  WRITTEN AT                             PART
allow   workspace/write_file  user   ~/.config/plugboard/settings.json:5:7  decides
`,
      stderr:
        'Wrote the rule "allow": workspace/write_file into ~/.config/plugboard/settings.json (user, for every project). To take it back: plugboard permissions workspace/write_file --remove\n',
    });
  });

  it('asks before a rule that allows any command, and names its scope; it is refused without a person', async ({
    expect,
  }) => {
    verifies('AGT-09');
    await using box = await sandbox();
    const wide = ['permissions', 'workspace/run_command', '--allow'];
    const refused = await box.run(wide);
    expect([refused.code, refused.stderr.split('\n')[0]]).toEqual([
      1,
      'error: "allow": workspace/run_command lets a model run any command without asking, in ~/.config/plugboard/settings.json (user, for every project)',
    ]);
    const asked = async (answer: string) =>
      atTerminal(box, {
        args: [...wide, '--here'],
        turns: [['settings.json (user, for this project)? [y/N]', `${answer}${KEYS.enter}`]],
      });
    expect((await asked('n')).code).toBe(5);
    await expect(box.read(USER_SETTINGS)).rejects.toThrow('ENOENT');
    expect((await asked('y')).code).toBe(0);
    expect(JSON.parse(await box.read(USER_SETTINGS))).toMatchObject({
      permissions: { allow: [{ tool: 'workspace/run_command' }] },
    });
    expect((await box.run([...wide, '--yes'])).code).toBe(0);
  });

  it('allows some commands, decides by their words, and takes that rule back alone', async ({
    expect,
  }) => {
    verifies('AGT-09');
    await using box = await sandbox();
    const rule = 'workspace/run_command(git status *)';
    const written = await box.run(['permissions', rule, '--allow']);
    expect([written.code, written.stderr]).toEqual([
      0,
      `Wrote the rule "allow": ${rule} into ~/.config/plugboard/settings.json (user, for every project). To take it back: plugboard permissions '${rule}' --remove\n`,
    ]);
    await box.run(['permissions', 'workspace/run_command(npm test)', '--allow']);
    const decided = async (command: string) => {
      const args = ['permissions', 'workspace/run_command', `command=${command}`, '--json'];
      const { decision } = documentOf(await box.run(args)) as { decision: { kind: string } };
      return decision.kind;
    };
    expect(await decided('git status -s')).toBe('allow');
    expect(await decided('git status; rm -rf x')).toBe('ask');
    const removed = await box.run(['permissions', rule, '--remove']);
    expect(removed.stderr).toContain(`Removed the rule "allow": ${rule} from`);
    expect(JSON.parse(await box.read(USER_SETTINGS))).toMatchObject({
      permissions: { allow: ['workspace/run_command(npm test)'] },
    });
    const odd = await box.run(['permissions', 'workspace/run_command(a; b)', '--allow']);
    expect([odd.code, odd.stderr]).toEqual([
      1,
      expect.stringContaining('one plain command') as string,
    ]);
  });

  it('refuses a tool that the server does not have, and rules without meaning', async ({
    expect,
  }) => {
    await using box = await sandbox({ everything: everything() });
    await box.run(['tools', 'everything']);
    const wrong = [
      ['everything/get-summ', '--deny'],
      ['nobody/x', '--deny'],
      ['everything/get-sum', 'a=1', '--deny'],
      ['--ask'],
      ['everything/get-sum', '--deny', '--allow'],
      ['everything/get-sum', '--scope', 'user'],
    ];
    const runs = await Promise.all(wrong.map(async (args) => box.run(['permissions', ...args])));
    expect(runs.map(({ code, stderr }) => [code, stderr.split('\n')[0]])).toEqual([
      [1, 'error: server "everything" has no tool "get-summ"'],
      [1, 'error: there is no server "nobody"'],
      [1, 'error: --deny is about one tool, whatever its arguments'],
      [1, 'error: --ask is about one tool, whatever its arguments'],
      [1, 'error: --deny and --allow cannot be combined'],
      [1, 'error: --scope says where a rule is written or removed'],
    ]);
  });
});

describe.concurrent('plugboard permissions --remove', () => {
  verifies('CLI-11');

  it('removes a rule from its file, keeps the rest unchanged, and reports rule and place', async ({
    expect,
  }) => {
    await using box = await sandbox({ everything: everything() });
    await box.write(
      LOCAL,
      `{
  // what may be called
  "permissions": {
    "deny": [
      "everything/echo", // loud
      "everything/get-sum", // too much
      "everything/*" ],
    "ask": [{ "tool": "everything/get-sum", "arguments": [{ "path": "a", "atLeast": 1 }] }],
  },
}
`,
    );
    const removed = await box.run(['permissions', 'everything/get-sum', '--remove', '--deny']);
    expect(removed).toMatchObject({
      code: 0,
      stderr: expect.stringContaining(
        `Removed the rule "deny": everything/get-sum from ${LOCAL}.\n`,
      ),
    });
    expect(await box.read(LOCAL)).toBe(`{
  // what may be called
  "permissions": {
    "deny": [
      "everything/echo", // loud
      "everything/*" ],
    "ask": [{ "tool": "everything/get-sum", "arguments": [{ "path": "a", "atLeast": 1 }] }],
  },
}
`);
    const all = ['permissions', 'everything/get-sum', '--remove', '--json'];
    const file = `${box.project}/${LOCAL}`;
    expect(documentOf(await box.run(all))).toEqual({
      kind: 'removed',
      removed: [
        {
          effect: 'ask',
          rule: { tool: 'everything/get-sum', arguments: [{ path: 'a', atLeast: 1 }] },
          file,
        },
      ],
    });
    expect(await box.run(['permissions', 'everything/get-sum', '--remove'])).toEqual({
      code: 1,
      stdout: '',
      stderr: `error: no rule is about everything/get-sum alone
  fix: see which rules there are, and where: plugboard permissions
`,
    });
  });

  it('demands a scope if several files have the rule', async ({ expect }) => {
    await using box = await sandbox({ everything: everything() });
    const rule = ['permissions', 'everything/get-sum'];
    await box.run([...rule, '--deny']);
    await box.run([...rule, '--allow']);
    expect(await box.run([...rule, '--remove'])).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(
        /^error: rules about everything\/get-sum are in \S+ and in \S+\n {2}fix: say which are to go: --scope (?:local or --scope user|user or --scope local)\n$/,
      ) as string,
    });
    expect(await box.run([...rule, '--remove', '--scope', 'local'])).toMatchObject({ code: 0 });
    expect(JSON.parse(await box.read(LOCAL))).toMatchObject({ permissions: { deny: [] } });
    expect(await box.run(SUM)).toMatchObject({ code: 0 });
  });

  it('removes rules about a server that is gone', async ({ expect }) => {
    await using box = await sandbox();
    await box.write(LOCAL, '{ "permissions": { "deny": ["gone/x", "gone/y"] } }');
    expect(await box.run(['permissions', 'gone/x', '--remove'])).toMatchObject({ code: 0 });
    expect(await box.read(LOCAL)).toBe('{ "permissions": { "deny": ["gone/y"] } }');
  });
});
