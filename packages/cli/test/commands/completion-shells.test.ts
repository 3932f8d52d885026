// Completion in real shells. If zsh or fish is not installed, only its script is compared.

import { spawnSync } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { everything, isMissing, scriptedServer, verifies } from '@plugboard/testkit';
import { describe, it } from 'vitest';
import { commandFolder, type ShellSession, startShell } from '../shell-session.ts';
import { documentOf, type Sandbox, sandbox } from '../sandbox.ts';

const HOSTILE_TOOLS = [
  '$(touch pwned)',
  '`touch pwned`',
  'two words',
  "it's; touch pwned",
  'plain',
];

async function stocked(): Promise<Sandbox> {
  const box = await sandbox({
    everything: everything(),
    evil: scriptedServer({
      builtIns: [],
      tools: HOSTILE_TOOLS.map((name) => ({ name, inputSchema: { type: 'object' } })),
    }),
  });
  await box.write('notes.txt', 'hello');
  await box.write('my folder/inner file.txt', 'hello');
  const { code, stderr } = await box.run(['tools']);
  if (code !== 0) throw new Error(stderr);
  return box;
}

function bash(box: Sandbox): Promise<ShellSession> {
  return startShell(box, {
    command: 'bash',
    args: ['--norc', '--noprofile', '-i'],
    setUp: 'eval "$(plugboard completion bash)"',
  });
}

const CALL = ['plugboard', 'call', 'everything', 'echo'];

describe('completion in bash', () => {
  verifies('CLI-04');

  it('completes commands, options, servers, tools, arguments and files', async ({ expect }) => {
    await using box = await stocked();
    await using shell = await bash(box);
    const cases = [
      ['plugboard cal\tX', ['plugboard', 'call', 'X']],
      ['plugboard list --ch\tX', ['plugboard', 'list', '--check', 'X']],
      ['plugboard config sch\t--mc\tX', ['plugboard', 'config', 'schema', '--mcp-json', 'X']],
      ['plugboard remove x --scope us\tX', ['plugboard', 'remove', 'x', '--scope', 'user', 'X']],
      ['plugboard remove x --scope=pro\tX', ['plugboard', 'remove', 'x', '--scope=project', 'X']],
      ['plugboard get every\tX', ['plugboard', 'get', 'everything', 'X']],
      // Several candidates are not completed.
      ['plugboard call ev\tX', ['plugboard', 'call', 'evX']],
      // The value follows `key=` without a space.
      ['plugboard call eve\tech\tmes\thi', [...CALL, 'message=hi']],
      ['plugboard call everything echo message=@no\tX', [...CALL, 'message=@notes.txt', 'X']],
      ['plugboard call everything echo message:=@no\tX', [...CALL, 'message:=@notes.txt', 'X']],
      [
        'plugboard call everything echo message=@my\tin\tX',
        [...CALL, 'message=@my folder/inner file.txt', 'X'],
      ],
      // In the middle of a line, after a variable, and inside quotes.
      ['PAGER=cat plugboard cal\tX', ['PAGER=cat', 'plugboard', 'call', 'X']],
      ['plugboard call "eve\t echo X', [...CALL, 'X']],
    ] as const;
    for (const [keys, words] of cases) {
      expect({ keys, words: await shell.wordsAfter(keys) }).toEqual({ keys, words });
    }
  });

  it('quotes tool names of servers, and runs none of them', async ({ expect }) => {
    await using box = await stocked();
    await using shell = await bash(box);
    const evil = ['plugboard', 'call', 'evil'];
    const cases = [
      ['plugboard call evil \\$\tX', [...evil, '$(touch pwned)', 'X']],
      ['plugboard call evil \\`\tX', [...evil, '`touch pwned`', 'X']],
      ['plugboard call evil tw\tX', [...evil, 'two words', 'X']],
      ['plugboard call evil it\tX', [...evil, "it's; touch pwned", 'X']],
    ] as const;
    for (const [keys, words] of cases) {
      expect({ keys, words: await shell.wordsAfter(keys) }).toEqual({ keys, words });
    }
    expect((await readdir(box.project)).toSorted()).toEqual([
      '.git',
      '.mcp.json',
      'my folder',
      'notes.txt',
    ]);
  });

  it('prints nothing if there is nothing to complete', async ({ expect }) => {
    await using box = await sandbox();
    await box.write('.mcp.json', ']');
    await using shell = await bash(box);
    const words = ['plugboard', 'get', 'brX'];
    expect(await shell.wordsAfter('plugboard get br\tX')).toEqual(words);
    // The same without the command itself.
    await shell.run('PATH=/usr/bin:/bin');
    expect(await shell.wordsAfter('plugboard get br\tX')).toEqual(words);
  });
});

describe('completion in zsh', () => {
  verifies('CLI-04');

  it('completes commands, servers, tools, arguments and files', async ({ expect, skip }) => {
    skip(isMissing('zsh'), 'zsh is not installed');
    await using box = await stocked();
    await using shell = await startShell(box, {
      command: 'zsh',
      args: ['-f', '-i'],
      setUp: 'autoload -U compinit; compinit -u -D; eval "$(plugboard completion zsh)"',
    });
    const cases = [
      ['plugboard cal\tX', ['plugboard', 'call', 'X']],
      ['plugboard call eve\tech\tmes\thi', [...CALL, 'message=hi']],
      ['plugboard call everything echo message=@no\tX', [...CALL, 'message=@notes.txt', 'X']],
      ['plugboard call evil \\$\tX', ['plugboard', 'call', 'evil', '$(touch pwned)', 'X']],
    ] as const;
    for (const [keys, words] of cases) {
      expect({ keys, words: await shell.wordsAfter(keys) }).toEqual({ keys, words });
    }
  });
});

describe('completion in fish', () => {
  verifies('CLI-04');

  it('completes commands, servers, tools, arguments and files', async ({ expect, skip }) => {
    skip(isMissing('fish'), 'fish is not installed');
    await using box = await stocked();
    const PATH = `${await commandFolder(box)}:${box.env['PATH'] ?? ''}`;
    const offered = (line: string): readonly string[] => {
      const script = `plugboard completion fish | source; complete -C ${JSON.stringify(line)}`;
      const { stdout } = spawnSync('fish', ['--no-config', '-c', script], {
        cwd: box.project,
        env: { ...box.env, PATH },
        encoding: 'utf8',
      });
      return stdout.split('\n').map((one) => one.split('\t')[0] ?? '');
    };
    expect(offered('plugboard cal')).toContain('call');
    expect(offered('plugboard call eve')).toContain('everything');
    expect(offered('plugboard call everything echo mes')).toContain('message=');
    expect(offered('plugboard call everything echo message=@no')).toContain('message=@notes.txt');
  });
});

describe('plugboard completion', () => {
  it.for([
    [
      'zsh',
      `#compdef plugboard
# Completion of plugboard for zsh. To use it, after compinit: eval "$(plugboard completion zsh)"
_plugboard() {
  local line value
  local -a answers open open_shown closed closed_shown
  answers=("\${(@f)$(command plugboard __complete zsh -- "\${(@Q)words[1,CURRENT-1]}" "\${(Q)PREFIX}" 2>/dev/null)}")
  for line in "\${answers[@]}"; do
    value=\${line%%$'\\t'*}
    [[ -n $value ]] || continue
    if [[ $value == *[=/] ]]; then
      open+=("$value")
      open_shown+=("\${line/$'\\t'/  -- }")
    else
      closed+=("$value")
      closed_shown+=("\${line/$'\\t'/  -- }")
    fi
  done
  (( \${#closed} )) && compadd -l -d closed_shown -a closed
  (( \${#open} )) && compadd -l -S '' -d open_shown -a open
  (( \${#closed} + \${#open} ))
}
if [[ \${funcstack[1]} == _plugboard ]]; then
  _plugboard "$@"
else
  compdef _plugboard plugboard
fi
`,
    ],
    [
      'fish',
      `# Completion of plugboard for fish. To use it: plugboard completion fish | source
function __plugboard_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    command plugboard __complete fish -- $words "$current" 2>/dev/null
end
complete -c plugboard -f -a '(__plugboard_complete)'
`,
    ],
  ] as const)(
    'prints a script for %s that calls the command, and evaluates no answer',
    async ([shell, script], { expect }) => {
      await using box = await sandbox();
      expect(await box.run(['completion', shell])).toEqual({ code: 0, stdout: script, stderr: '' });
    },
  );

  it('prints a script that bash accepts', async ({ expect }) => {
    await using box = await sandbox();
    const { stdout } = await box.run(['completion', 'bash']);
    const checked = spawnSync('bash', ['-n'], { input: stdout, encoding: 'utf8' });
    expect([checked.status, checked.stderr]).toEqual([0, '']);
    expect(stdout).not.toMatch(/\beval(?! "\$\(plugboard completion bash\)"$)/m);
  });

  it('prints the script with --json, and lists the known shells for an unknown one', async ({
    expect,
  }) => {
    await using box = await sandbox();
    const [script, forPrograms, unknown] = await Promise.all([
      box.run(['completion', 'fish']),
      box.run(['completion', 'fish', '--json']),
      box.run(['completion', 'tcsh']),
    ]);
    expect(documentOf(forPrograms)).toEqual({ shell: 'fish', script: script.stdout });
    expect(unknown).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'error: there is no completion for the shell "tcsh"\n  fix: use one of: bash, zsh, fish\n',
    });
  });
});
