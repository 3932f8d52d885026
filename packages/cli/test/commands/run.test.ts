// `plugboard run` without a terminal, with a scripted model behind the API of a provider.

import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import {
  type ModelScript,
  type ScriptedModel,
  scriptedServer,
  startScriptedModel,
  verifies,
} from '@plugboard/testkit';
import { describe, it } from 'vitest';
import {
  answersIn,
  calling,
  modelEnv,
  toldIn,
  toolsIn,
  USER_SETTINGS,
} from '../chat/chat-on-terminal.ts';
import { documentOf, finished, type Run, type Sandbox, sandbox } from '../sandbox.ts';

interface Desk extends AsyncDisposable {
  readonly box: Sandbox;
  readonly model: ScriptedModel;
  /** Runs `plugboard run …` with optional input. */
  run(args: readonly string[], piped?: string): Promise<Run>;
}

async function deskWith(
  script: Partial<ModelScript>,
  servers?: Readonly<Record<string, object>>,
): Promise<Desk> {
  const box = await sandbox(servers);
  const model = await startScriptedModel(script);
  return {
    box,
    model,
    run(args, piped) {
      return box.run(['run', ...args], { env: modelEnv(model), stdin: piped ?? '' });
    },
    async [Symbol.asyncDispose]() {
      await model.close();
      await box[Symbol.asyncDispose]();
    },
  };
}

const LOOK = 'mcp__s__look';
const LOOKER = {
  s: scriptedServer({
    builtIns: [],
    tools: [{ name: 'look', result: { content: [{ type: 'text', text: 'a cat' }] } }],
  }),
};

function eventsOf({ stdout }: Run): readonly Readonly<Record<string, unknown>>[] {
  const lines = stdout.trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
}

describe.concurrent('plugboard run', () => {
  it('changes nothing in plan mode, and only files in accept-edits mode', async ({ expect }) => {
    verifies('AGT-10');
    const calls = calling(
      ['mcp__workspace__write_file', { path: 'a.txt', content: 'a' }],
      ['mcp__workspace__run_command', { command: 'touch b.txt' }],
    );
    await using desk = await deskWith({ turns: [calls, 'A plan.', calls, 'Done.'] });
    const isError = (index: number) =>
      answersIn(desk.model.requests[index]).map((answer) => answer.isError);
    const planned = await desk.run(['go', '--mode', 'plan', '--yes']);
    expect([planned.code, planned.stdout.trim(), isError(1)]).toEqual([0, 'A plan.', [true, true]]);
    expect(toldIn(desk.model.requests[0])).toContain('Your answer is a plan');
    await desk.run(['go', '--mode', 'accept-edits']);
    expect(isError(3)).toEqual([false, true]);
    expect(await desk.box.read('a.txt')).toBe('a');
    const odd = await desk.run(['go', '--mode', 'yolo']);
    expect([odd.code, odd.stderr.split('\n')[0]]).toEqual([1, 'error: there is no mode "yolo"']);
  });

  it('runs what --allow names for this run, and nothing else', async ({ expect }) => {
    verifies('AGT-09');
    const RUN = 'mcp__workspace__run_command';
    await using desk = await deskWith({
      turns: [calling([RUN, { command: 'echo one' }], [RUN, { command: 'echo two > x' }]), 'Done.'],
    });
    const { code } = await desk.run(['go', '--allow', 'workspace/run_command(echo *)']);
    expect(code).toBe(0);
    expect(answersIn(desk.model.requests[1])).toEqual([
      { isError: false, text: expect.stringContaining('one') as string },
      { isError: true, text: expect.stringContaining('no rule allows it') as string },
    ]);
    await expect(desk.box.read(USER_SETTINGS)).rejects.toThrow('ENOENT');
    const odd = await desk.run(['go', '--allow', 'workspace/run_command(a; b)']);
    expect([odd.code, odd.stderr]).toEqual([
      1,
      expect.stringContaining('--allow takes a rule') as string,
    ]);
  });

  it('prints events without terminal sequences', async ({ expect }) => {
    await using desk = await deskWith({ otherwise: 'a\u009B31mb\u202Ec' });
    const { stdout } = await desk.run(['hello', '--json']);
    expect(stdout).toContain('a\\u009b31mb\\u202ec');
    expect(stdout).not.toMatch(/[\u0080-\u009F\u202E]/);
  });

  it('sends no request to the model while a required server is missing', async ({ expect }) => {
    verifies('CLI-03');
    const gone = { command: 'no-such-program', required: true };
    await using desk = await deskWith({ otherwise: 'Hello.' }, { ...LOOKER, gone });
    const plain = await desk.run(['hello']);
    expect([plain.code, plain.stdout]).toEqual([2, '']);
    expect(plain.stderr).toContain('error: ');
    expect(plain.stderr).toContain('no-such-program');
    const document = await desk.run(['hello', '--json']);
    expect([document.code, documentOf(document)]).toMatchObject([2, { error: {} }]);
    expect(desk.model.requests).toEqual([]);
  });

  it('accepts the task as an argument or from a pipe, and prints only the answer', async ({
    expect,
  }) => {
    verifies('AGT-06');
    await using desk = await deskWith({ otherwise: 'Hello there.' });
    const runs = await Promise.all([
      desk.run(['say hello']),
      desk.run([], 'say hello\n'),
      desk.run(['-'], 'say hello\n'),
    ]);
    const said = { code: 0, stdout: 'Hello there.\n', stderr: '' };
    expect(runs).toEqual([said, said, said]);
    expect(desk.model.requests.map((request) => toldIn(request))).toEqual(
      [1, 2, 3].map(() => expect.stringContaining('"text":"say hello"') as string),
    );
    expect(await desk.run([], ' \n')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'error: there is no prompt\n  fix: give one: plugboard run "…", or pipe it in\n',
    });
  });

  it('explains how to trust a server that came with the folder', async ({ expect }) => {
    await using desk = await deskWith({ turns: ['Done.'] });
    await desk.box.write('.mcp.json', JSON.stringify({ mcpServers: LOOKER }));
    expect(await desk.run(['go'])).toEqual({
      code: 0,
      stdout: 'Done.\n',
      stderr:
        's came with this folder or a plugin and is not trusted yet, so it is not used: plugboard trust s, or --trust-project for this once\n',
    });
  });

  it('reports the steps on stderr', async ({ expect }) => {
    verifies('AGT-06');
    await using desk = await deskWith(
      { turns: [calling([LOOK, { at: 'box' }]), 'A cat.'] },
      LOOKER,
    );
    const { stderr, ...rest } = await desk.run(['look', '--yes']);
    expect(rest).toEqual({ code: 0, stdout: 'A cat.\n' });
    expect(stderr.replaceAll(/in [\d.]+ m?s/gu, 'in 5 ms')).toBe(
      '→ s: look at=box\n← s: look done in 5 ms\n',
    );
  });

  it('prints one event per line with --json, as the guide shows them', async ({ expect }) => {
    verifies('AGT-06', 'CLI-03');
    await using desk = await deskWith(
      {
        turns: [
          {
            kind: 'answer',
            steps: [
              { kind: 'reasoning', text: 'I have to look.' },
              { kind: 'call', tool: LOOK, arguments: { at: 'box' } },
            ],
          },
          'A cat.',
        ],
      },
      LOOKER,
    );
    const run = await desk.run(['what is in the box?', '--yes', '--json']);
    expect({ code: run.code, stderr: run.stderr }).toEqual({ code: 0, stderr: '' });
    const guide = await readFile(new URL('../../../../docs/cli-json.md', import.meta.url), 'utf8');
    const [, shown = ''] = /^## run\n[\s\S]+?```jsonl\n([\s\S]+?)```/mu.exec(guide) ?? [];
    const printed = run.stdout
      .replaceAll(/"ms":[\d.]+/gu, '"ms":3')
      .replaceAll(/\d{14}-[\da-f]{8}/gu, '20261115220117-981d7480');
    expect(printed).toBe(shown);
  });

  it('runs calls that a rule allows; other calls are denied, and the model sees that', async ({
    expect,
  }) => {
    verifies('AGT-06', 'AGT-08');
    const write = 'mcp__workspace__write_file';
    await using desk = await deskWith(
      {
        turns: [
          calling([LOOK, {}], [write, { path: 'a.txt', content: 'a' }]),
          'As far as I may.',
          calling([write, { path: 'a.txt', content: 'a' }]),
          'Written.',
          calling([write, { path: '../b.txt', content: 'b' }]),
          'Not outside.',
        ],
      },
      LOOKER,
    );
    await desk.box.write(USER_SETTINGS, JSON.stringify({ permissions: { allow: [LOOK] } }));
    const first = await desk.run(['go']);
    expect(first).toMatchObject({ code: 0, stdout: 'As far as I may.\n' });
    expect(first.stderr).toMatch(/workspace: .* failed in .*there is no terminal to ask at/u);
    const reason = 'there is no terminal to ask at, and no rule allows it';
    expect(answersIn(desk.model.requests[1])).toEqual([
      { isError: false, text: 'a cat' },
      { isError: true, text: expect.stringContaining(reason) as string },
    ]);
    await expect(desk.box.read('a.txt')).rejects.toThrow('ENOENT');
    expect(await desk.run(['go', '--yes'])).toMatchObject({ code: 0, stdout: 'Written.\n' });
    expect(await desk.box.read('a.txt')).toBe('a');
    expect(await desk.run(['go', '--yes'])).toMatchObject({ code: 0, stdout: 'Not outside.\n' });
    await expect(desk.box.read('../b.txt')).rejects.toThrow('ENOENT');
    expect(answersIn(desk.model.requests[5])).toMatchObject([{ isError: true }]);
  });

  it('reads more of a result that was cut, also after the conversation is resumed', async ({
    expect,
  }) => {
    verifies('OUT-08');
    const id = { id: '' };
    const big = { big: scriptedServer({ builtIns: ['big'] }) };
    await using desk = await deskWith(
      {
        turns: [
          calling(['mcp__big__big', { bytes: 300_000 }]),
          'Cut.',
          calling(['read_result', id]),
          'Read.',
          calling(['read_result', id]),
          'Not mine.',
        ],
      },
      big,
    );
    expect(await desk.run(['first', '--yes'])).toMatchObject({ code: 0, stdout: 'Cut.\n' });
    const [cut] = answersIn(desk.model.requests[1]);
    id.id = /read_result \{"id":"(\w+)"\}/.exec(cut?.text ?? '')?.[1] ?? '';
    // The tool needs no rule.
    expect(await desk.run(['--continue', 'go on'])).toMatchObject({ code: 0, stdout: 'Read.\n' });
    expect(answersIn(desk.model.requests[3])).toEqual([
      {
        isError: false,
        text: expect.stringContaining(`[Result ${id.id} (text/plain, 300000 bytes)`) as string,
      },
    ]);
    expect(await desk.run(['something else'])).toMatchObject({ stdout: 'Not mine.\n' });
    const [other] = answersIn(desk.model.requests[5]);
    expect(other).toMatchObject({ isError: true });
    expect(other?.text).not.toContain('xxx');
  });

  it('refers the model to a result that it has above, also after the conversation is resumed', async ({
    expect,
  }) => {
    verifies('OUT-10');
    const result = { content: [{ type: 'text', text: 'x'.repeat(3000) }] };
    const annotations = { readOnlyHint: true, openWorldHint: false };
    const tools = [{ name: 'read', annotations, result }];
    const read = () => calling(['mcp__s__read', { path: 'a' }]);
    const turns = [read(), read(), 'Twice.', read(), 'Again.', read(), 'New.'];
    await using desk = await deskWith({ turns }, { s: scriptedServer({ builtIns: [], tools }) });
    await desk.run(['first', '--yes']);
    await desk.run(['--continue', 'go on', '--yes']);
    await desk.run(['something else', '--yes']);
    const [first, second, resumed, other] = [1, 2, 4, 6].map(
      (index) => answersIn(desk.model.requests[index])[0]?.text ?? '',
    );
    expect([first, other]).toEqual(['x'.repeat(3000), 'x'.repeat(3000)]);
    expect(second).toMatch(/^\[The call was made\. .* \(call \S+, 3000 characters\)\.\]$/);
    expect(resumed).toBe(second);
  });

  it('continues the last conversation, or the named one', async ({ expect }) => {
    verifies('AGT-06', 'AGT-07');
    await using desk = await deskWith({ turns: ['One.', 'Two.', 'Three.', 'Four.'] });
    const nothing = await desk.run(['--continue', 'go on']);
    expect(nothing).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'error: there is no conversation in this folder yet\n  fix: begin one: plugboard chat\n',
    });
    await desk.run(['first']);
    const wrong = await desk.run(['--resume', 'nope', 'go on']);
    expect(wrong.stderr).toContain('error: there is no conversation "nope" in this folder\n');
    const id = /fix: use one of these: (\S+)/u.exec(wrong.stderr)?.[1] ?? '';
    await desk.run(['second']);
    expect(await desk.run(['--resume', id, 'again'])).toMatchObject({ stdout: 'Three.\n' });
    await desk.run(['--continue', 'more']);
    const [, , third, fourth] = desk.model.requests.map((request) => toldIn(request));
    const said = ['first', 'One.', 'again'];
    expect(said.filter((text) => third?.includes(text))).toEqual(said);
    expect(third).not.toContain('second');
    expect(fourth).toContain('Three.');
  });
});

/** The possible ends of a run, with their exit codes. */
const ENDINGS: readonly {
  readonly name: string;
  readonly script: Partial<ModelScript>;
  readonly args?: readonly string[];
  readonly code: number;
  readonly says: RegExp;
  readonly end: object;
}[] = [
  {
    name: 'a key that is refused',
    script: { otherwise: { kind: 'fails', failure: { kind: 'bad-key' } } },
    code: 4,
    says: /^error: .+\n {2}fix: .*\bkey\b.*\n$/u,
    end: { kind: 'failed', failure: { kind: 'bad-key' } },
  },
  {
    name: 'an unknown model',
    script: { otherwise: { kind: 'fails', failure: { kind: 'unknown-model' } } },
    args: ['--model', 'anthropic/claude-none'],
    code: 1,
    says: /^error: .+\n {2}fix: .*--model provider\/name\n$/u,
    end: { kind: 'failed', failure: { kind: 'unknown-model' } },
  },
  {
    name: 'a connection that breaks within the answer',
    script: {
      otherwise: { kind: 'answer', steps: [{ kind: 'text', text: 'I ' }, { kind: 'cut' }] },
    },
    code: 3,
    says: /^error: .+\n {2}fix: .+\n$/u,
    end: { kind: 'failed', failure: { kind: 'unreachable' } },
  },
  {
    name: 'a budget that is spent',
    script: {
      otherwise: {
        kind: 'answer',
        steps: [{ kind: 'call', tool: LOOK, arguments: {} }],
        usage: { input: 500_000, output: 10 },
      },
    },
    args: ['--budget', '0.5'],
    code: 5,
    says: /error: the budget is spent: \$1\.00 of \$0\.50\n {2}fix: allow more with --budget/u,
    end: { kind: 'over-budget', budget: 0.5 },
  },
  {
    name: 'more steps than there may be',
    script: { otherwise: calling([LOOK, {}]) },
    args: ['--max-steps', '2'],
    code: 5,
    says: /error: the model was still at work after 2 steps\n {2}fix: allow more with --max-steps/u,
    end: { kind: 'too-many-steps', steps: 2 },
  },
];

describe.concurrent('the end of plugboard run', () => {
  it.for(ENDINGS)(
    'is reported after $name',
    async ({ script, args = [], code, says, end }, { expect }) => {
      verifies('AGT-06');
      await using desk = await deskWith(script);
      const [people, programs] = await Promise.all([
        desk.run(['go', ...args]),
        desk.run(['go', ...args, '--json']),
      ]);
      expect(people.code).toBe(code);
      expect(people.stderr).toMatch(says);
      expect({ code: programs.code, stderr: programs.stderr }).toEqual({ code, stderr: '' });
      expect(eventsOf(programs).at(-1)).toMatchObject({ kind: 'turn-ended', agent: 'agent', end });
    },
  );

  it('is reported after a signal, and leaves nothing open', async ({ expect }) => {
    verifies('AGT-06');
    await using desk = await deskWith({
      otherwise: {
        kind: 'answer',
        steps: [
          { kind: 'text', text: 'Well' },
          { kind: 'hold', name: 'thinking' },
        ],
      },
    });
    const child = desk.box.start(['run', 'go'], { env: modelEnv(desk.model) });
    const ended = finished(child);
    await once(child.stdout, 'data');
    child.kill('SIGINT');
    expect(await ended).toEqual({
      code: 130,
      stdout: 'Well\n',
      stderr: 'error: cancelled\n',
    });
    await expect.poll(() => desk.model.open).toBe(0);
  });

  it('is reported when the provider cannot be reached', async ({ expect }) => {
    verifies('AGT-06');
    await using desk = await deskWith({});
    await desk.model.close();
    const { stderr, ...rest } = await desk.run(['go']);
    expect(rest).toEqual({ code: 3, stdout: '' });
    expect(stderr).toMatch(/^error: .+\n {2}fix: .+\n$/u);
  });

  it('is reported without a key, with what to set', async ({ expect }) => {
    verifies('AGT-01', 'AGT-06');
    await using box = await sandbox();
    const run = await box.run(['run', 'go']);
    expect(run).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'error: no model is set\n  fix: set one of ANTHROPIC_API_KEY, OPENAI_API_KEY, GOOGLE_GENERATIVE_AI_API_KEY; or use a model on this machine: --model ollama/NAME\n',
    });
  });

  it('is one JSON event per line, also for mistakes before the turn', async ({ expect }) => {
    verifies('CLI-10');
    await using box = await sandbox();
    const error = {
      kind: 'usage',
      message: expect.any(String) as string,
      fix: expect.any(String) as string,
    };
    const wrong = [
      ['run', 'go', '--json'],
      ['run', '--json', '--model', 'ollama/x'],
      ['run', 'go', '--json', '--max-steps', 'few'],
      ['run', 'go', '--json', '--no-such-option'],
      ['run', 'go', '--json', '--model', 'ollama/x', '--resume', 'nowhere'],
    ];
    for (const run of await Promise.all(wrong.map((args) => box.run(args)))) {
      expect({ ...run, stdout: '' }).toEqual({ code: 1, stdout: '', stderr: '' });
      expect(eventsOf(run)).toEqual([{ kind: 'error', error }]);
    }
  });

  it('is reported for an unknown model, with the form of model names', async ({ expect }) => {
    await using box = await sandbox();
    const named = async (model: string): Promise<string> =>
      (await box.run(['run', 'go', '--model', model])).stderr.split('\n')[1] ?? '';
    const models = ['nobody/x', 'anthropic', 'compatible/x', 'ollama'];
    expect(await Promise.all(models.map(named))).toEqual([
      '  fix: write it as provider/name, for example: --model ollama/qwen3',
      '  fix: set it: export ANTHROPIC_API_KEY=…',
      '  fix: set it: export OPENAI_BASE_URL=…',
      '  fix: name one: --model ollama/NAME',
    ]);
  });
});

describe.concurrent('the tools that a model used', () => {
  it.for(['legacy', 'modern'] as const)(
    'are sent to the next one, and not searched for: %s server',
    async (era, { expect }) => {
      verifies('CTX-03');
      const tools = Array.from({ length: 40 }, (_, at) => ({
        name: `thing_${at}`,
        description: `Does thing number ${at}. ${'Some more words. '.repeat(10)}`,
      }));
      await using desk = await deskWith(
        { turns: [calling(['mcp__s__thing_3', {}]), 'Done.', 'Done.'] },
        { s: scriptedServer({ eras: [era], builtIns: [], tools }) },
      );
      const sentTo = (at: number): readonly string[] => toolsIn(desk.model.requests[at]);
      expect(await desk.run(['--yes', 'do thing 3'])).toMatchObject({ code: 0 });
      expect(sentTo(1)).toEqual(sentTo(0));
      expect(sentTo(0)).toContain('search_tools');
      expect(sentTo(0)).not.toContain('mcp__s__thing_3');
      expect(await desk.run(['do nothing'])).toMatchObject({ code: 0 });
      expect(sentTo(2).filter((name) => name.startsWith('mcp__s__'))).toEqual(['mcp__s__thing_3']);
      const costs = documentOf(await desk.box.run(['context', '--json']));
      expect(costs).toMatchObject({ servers: [{ server: 's', mode: 'search', sent: 1 }] });
      expect((await desk.box.run(['context'])).stdout).toMatch(
        /s +40 +[\d,]+ +\d+ +searched for but for 1, used often: costs less/u,
      );
    },
  );
});
