import { everything } from '@plugboard/testkit';
import { describe, it } from 'vitest';
import { documentOf, sandbox } from '../sandbox.ts';

const LOCAL = '.plugboard/settings.local.json';
const SUM = ['call', 'everything', 'get-sum', 'a=1', 'b=2'];

describe.concurrent('plugboard permissions, with an effect', () => {
  it('writes a rule for this person in this project, says where, and what counts now', async ({
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
      stderr: `Wrote the rule "deny": everything/get-sum into ${LOCAL}. To take it back, delete it there.
Note: what the tool claims is not known yet; list it: plugboard tools everything
`,
    });
    expect(await box.run(SUM)).toMatchObject({ code: 5 });
    expect(JSON.parse(await box.read(LOCAL))).toEqual({
      mcpServers: {},
      permissions: { deny: ['everything/get-sum'] },
    });
  });

  it('writes where the scope says, with patterns too', async ({ expect }) => {
    await using box = await sandbox({ everything: everything() });
    const ask = ['permissions', 'everything/*', '--ask', '--scope', 'project', '--json'];
    expect(documentOf(await box.run(ask))).toMatchObject({
      rules: [{ effect: 'ask', text: 'everything/*', scope: 'project' }],
    });
    expect(await box.run(SUM)).toMatchObject({ code: 5 });
  });

  it('allows in the settings of the person alone', async ({ expect }) => {
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

  it('is about the tools of a conversation, too', async ({ expect }) => {
    await using box = await sandbox();
    expect(await box.run(['permissions', 'workspace/write_file', '--allow'])).toEqual({
      code: 0,
      stdout: `workspace/write_file runs without a question
  because of the rule workspace/write_file, ~/.config/plugboard/settings.json:5:7 (user)

EFFECT  RULE                  SCOPE  WRITTEN AT                             PART
allow   workspace/write_file  user   ~/.config/plugboard/settings.json:5:7  decides
`,
      stderr:
        'Wrote the rule "allow": workspace/write_file into ~/.config/plugboard/settings.json. To take it back, delete it there.\n',
    });
  });

  it('refuses a tool that the server does not have, and what means nothing', async ({ expect }) => {
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
      [1, 'error: --deny and --allow exclude each other'],
      [1, 'error: --scope says where a rule is written'],
    ]);
  });
});
