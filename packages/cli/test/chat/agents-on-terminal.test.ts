// Agents and skills that are files, on a real terminal: those of the user, and those of the project after approval.

import { symlink } from 'node:fs/promises';
import {
  type ModelRequestSeen,
  startScriptedModel,
  type TerminalScreen,
  verifies,
} from '@plugboard/testkit';
import { describe, it } from 'vitest';
import { sandbox } from '../sandbox.ts';
import {
  answersIn,
  calling,
  chatOn,
  choose,
  leave,
  modelEnv,
  say,
  toldIn,
  toolsIn,
} from './chat-on-terminal.ts';

const READ = 'mcp__codebase__read_file';

interface ToolSeen {
  readonly name: string;
  readonly description: string;
}

/** A tool with its schema, as it is in a request. */
function toolIn(request: ModelRequestSeen | undefined, name: string): string {
  const tools = (request?.body['tools'] ?? []) as readonly ToolSeen[];
  return JSON.stringify(tools.find((tool) => tool.name === name) ?? '');
}

/** Approves the text on the screen. */
async function approveText(screen: TerminalScreen, text: string): Promise<void> {
  await screen.shows(text);
  await choose(screen, 'y');
}

describe('an agent that is a file', () => {
  it('works with only its own text, tools and model if the user defined it', async ({ expect }) => {
    verifies('AGT-21');
    await using box = await sandbox();
    await box.write('engine.txt', 'diesel\n');
    await box.write(
      '../home/.claude/agents/reader.md',
      '---\nname: reader\ndescription: Reads one file\ntools:\n  - Read\n  - Task\nmodel: haiku\n---\nRead slowly and report.\n',
    );
    await using model = await startScriptedModel({
      turns: [
        'Hello.',
        calling(['delegate', { agent: 'reader', task: 'Read engine.txt' }]),
        calling([READ, { path: 'engine.txt' }], ['mcp__workspace__run_command', { command: 'ls' }]),
        'It is diesel.',
        'The reader says diesel.',
      ],
    });
    await using screen = await chatOn(box, model, { env: { PLUGBOARD_CODEBASE: 'on' } });
    // Servers connect with the first message. An agent has the tools of those that are connected when it starts.
    await say(screen, 'hello');
    await screen.shows(/● 2\/2 /u);
    await say(screen, 'which engine');
    await screen.shows('The reader says diesel.');
    const [, first, second, third] = model.requests;
    expect(toolIn(first, 'delegate')).toContain('- reader: Reads one file');
    expect(toolsIn(second)).toEqual([READ]);
    expect(toldIn(second)).toMatch(/This is how you are to work[\s\S]*Read slowly and report\./u);
    expect(second?.body['model']).toMatch(/haiku/u);
    expect(first?.body['model']).not.toMatch(/haiku/u);
    expect(answersIn(third)).toMatchObject([
      { isError: false },
      { isError: true, text: expect.stringContaining('no tool mcp__workspace__run_command') },
    ]);
    await say(screen, '/agents');
    await screen.shows(/› reader: Reads one file +yours/u);
    screen.press('enter');
    await screen.shows(/no tools +Task[\s\S]*Read slowly and report\./u);
    expect(await leave(screen)).toBe(0);
  });

  it('is neither listed nor used before the user has approved its text if the project defined it', async ({
    expect,
  }) => {
    verifies('AGT-21');
    await using box = await sandbox();
    await box.write(
      '.claude/agents/tester.md',
      '---\ndescription: Obey this\u200B description\n---\nRun the tests.\n',
    );
    await box.write(
      '.plugboard/agents/judge.md',
      '---\ndescription: Judges\n---\nJudge the change.\n',
    );
    const delegate = calling(['delegate', { agent: 'tester', task: 'Test it' }]);
    await using model = await startScriptedModel({
      turns: [
        delegate,
        'Not now.',
        delegate,
        'Still not.',
        calling(['delegate', { agent: 'judge', task: 'Judge' }]),
        'Judged well.',
        'It is good.',
        'Bye.',
      ],
    });
    await using screen = await chatOn(box, model);
    await screen.shows('brings what you have not approved: agent judge, agent tester');
    await say(screen, 'test');
    await screen.shows('Run the tests.');
    screen.press('escape');
    await screen.shows('Not now.');
    expect(toolIn(model.requests[0], 'delegate')).not.toContain('Obey');
    expect(answersIn(model.requests[1])).toMatchObject([
      { isError: true, text: expect.stringContaining('has not approved tester') },
    ]);
    // After "later", a model that insists does not cause another question.
    await say(screen, 'again');
    await screen.shows('Still not.');
    await say(screen, 'judge');
    await approveText(screen, 'Judge the change.');
    await screen.shows('It is good.');
    expect(toldIn(model.requests[5])).toContain('Judge the change.');
    await say(screen, '/agents tester');
    await approveText(screen, 'Run the tests.');
    await screen.shows(/agent +tester, used/u);
    await say(screen, 'bye');
    await screen.shows('Bye.');
    const listed = toolIn(model.requests.at(-1), 'delegate');
    expect(listed).toContain('- judge: Judges');
    expect(listed).toContain('- tester: Obey this description');
    expect(await leave(screen)).toBe(0);
  });

  it('is reported with its mistakes, and not used', async ({ expect }) => {
    verifies('AGT-21');
    await using box = await sandbox();
    await box.write('../home/.config/plugboard/agents/quiet.md', '---\ntools: Fly\n---\n');
    await box.write(
      '.claude/agents/far.md',
      '---\ndescription: Elsewhere\nmodel: openai/gpt-6.1-sol\n---\nWork elsewhere.\n',
    );
    await using model = await startScriptedModel({
      turns: [calling(['delegate', { agent: 'quiet', task: 'Work' }]), 'It cannot.'],
    });
    const env = { ...modelEnv(model), OPENAI_API_KEY: 'k' };
    const { stdout, stderr } = await box.run(['run', 'work'], { env });
    expect(stdout).toContain('It cannot.');
    expect(stderr).toMatch(
      /quiet\.md is not used: "description" is missing[^\n]*no text below[^\n]*names no tool/u,
    );
    expect(stderr).toMatch(/far\.md is not used: "model" is openai\S*, of another provider/u);
    expect(answersIn(model.requests[1])).toMatchObject([
      { isError: true, text: expect.stringContaining('"description" is missing') },
    ]);
  });
});

describe('a skill', () => {
  it('can be loaded by the model, with the files of its folder and no others, if the user defined it', async ({
    expect,
  }) => {
    verifies('AGT-22');
    await using box = await sandbox();
    const folder = '../home/.claude/skills/forms';
    await box.write(
      `${folder}/SKILL.md`,
      '---\nname: forms\ndescription: >\n  Fill in\n  forms\n---\nFirst read fields.md.\n',
    );
    await box.write(`${folder}/fields.md`, 'The field is blue.\n');
    await box.write('../home/.claude/skills/secret.md', 'hidden words\n');
    await symlink(`${box.home}/.claude/skills/secret.md`, `${box.home}/.claude/skills/forms/link`);
    await using model = await startScriptedModel({
      turns: [
        calling(['skill', { name: 'forms' }]),
        calling(
          ['skill', { name: 'forms', file: 'fields.md' }],
          ['skill', { name: 'forms', file: '../secret.md' }],
          ['skill', { name: 'forms', file: 'link' }],
          ['skill', { name: 'other' }],
        ),
        'Filled in.',
      ],
    });
    await using screen = await chatOn(box, model);
    await say(screen, 'fill in the form');
    await screen.shows('Filled in.');
    const [first, second, third] = model.requests;
    expect(toolIn(first, 'skill')).toContain('- forms: Fill in forms');
    expect(toldIn(first)).not.toContain('First read');
    const [loaded] = answersIn(second);
    expect(loaded?.text).toMatch(/First read fields\.md\.[\s\S]*skills\/forms:\n- fields\.md/u);
    const answers = answersIn(third);
    expect(answers.map(({ isError }) => isError)).toEqual([false, true, true, true]);
    expect(answers[0]?.text).toBe('The field is blue.\n');
    expect(JSON.stringify(answers)).not.toContain('hidden words');
    expect(await leave(screen)).toBe(0);
  });

  it('is hidden from the model until its text is approved if the project defined it, and is asked about once', async ({
    expect,
  }) => {
    verifies('AGT-22');
    await using box = await sandbox();
    await box.write(
      '.claude/skills/deploy/SKILL.md',
      '---\ndescription: Ship it\n---\nShip on Mondays.\n',
    );
    await box.write('.claude/skills/deploy/steps.md', 'Step one.\n');
    await using model = await startScriptedModel({
      turns: [
        calling(['skill', { name: 'deploy' }]),
        'Not there.',
        'Shipped.',
        calling(['skill', { name: 'deploy', file: 'steps.md' }]),
        'Step one it is.',
      ],
    });
    await using screen = await chatOn(box, model);
    await screen.shows('brings what you have not approved: skill deploy');
    await say(screen, 'ship');
    await screen.shows('Not there.');
    expect(toolsIn(model.requests[0])).not.toContain('skill');
    expect(toldIn(model.requests[0])).not.toContain('Ship');
    await say(screen, '/deploy');
    await approveText(screen, 'Ship on Mondays.');
    await screen.shows('Shipped.');
    await say(screen, 'which step');
    await screen.shows('Step one it is.');
    expect(toolIn(model.requests[3], 'skill')).toContain('- deploy: Ship it');
    expect(answersIn(model.requests[4])).toEqual([{ isError: false, text: 'Step one.\n' }]);
    expect(await leave(screen)).toBe(0);
  });
});
