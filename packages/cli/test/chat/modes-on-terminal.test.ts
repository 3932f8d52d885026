// Modes and the to-do list, on a real terminal.

import { startScriptedModel, verifies } from '@plugboard/testkit';
import { describe, it } from 'vitest';
import { sandbox } from '../sandbox.ts';
import {
  answersIn,
  calling,
  chatOn,
  choose,
  leave,
  say,
  toldIn,
  USER_SETTINGS,
} from './chat-on-terminal.ts';

const WRITE = 'mcp__workspace__write_file';
const PLAN = 'present_plan';
const SHIFT_TAB = '\u001B[Z';

describe('the mode of a chat', () => {
  it('is changed by Shift-Tab, is always shown, and can accept edits without approval', async ({
    expect,
  }) => {
    verifies('AGT-10');
    await using box = await sandbox();
    await using model = await startScriptedModel({
      turns: [
        calling([WRITE, { path: 'a.txt', content: 'a\n' }]),
        'Written.',
        calling(['mcp__workspace__run_command', { command: 'touch b.txt' }]),
        'Not run.',
      ],
    });
    await using screen = await chatOn(box, model);
    await screen.shows(/^ask · /mu);
    screen.type(SHIFT_TAB);
    await screen.shows(/^accept edits · /mu);
    await say(screen, 'go');
    await screen.shows('Written.');
    expect(await box.read('a.txt')).toBe('a\n');
    await say(screen, 'and this');
    await choose(screen, 'n');
    await screen.shows('Not run.');
    screen.type(SHIFT_TAB);
    await screen.shows(/^plan · /mu);
    screen.type(SHIFT_TAB);
    await screen.shows(/^ask · /mu);
    expect(await leave(screen)).toBe(0);
  });

  it('refuses changes if it is plan, and an edited plan is carried out after approval', async ({
    expect,
  }) => {
    verifies('AGT-10');
    await using box = await sandbox();
    await box.write(
      USER_SETTINGS,
      JSON.stringify({ chat: { mode: 'plan' }, permissions: { allow: ['workspace/write_file'] } }),
    );
    await using model = await startScriptedModel({
      turns: [
        calling([WRITE, { path: 'a.txt', content: 'a\n' }]),
        calling([PLAN, { plan: '1. Delete everything' }]),
        calling([PLAN, { plan: '1. Write a.txt' }]),
        calling([WRITE, { path: 'a.txt', content: 'a\n' }]),
        'All done.',
      ],
    });
    await using screen = await chatOn(box, model);
    await screen.shows(/^plan · /mu);
    await say(screen, 'go');
    await screen.shows('1. Delete everything');
    await choose(screen, 'd');
    await screen.shows('No, because');
    screen.type('too much');
    screen.press('enter');
    await screen.shows('1. Write a.txt');
    await choose(screen, 'e');
    await screen.shows('The plan');
    screen.type(' first');
    screen.press('enter');
    await screen.shows('1. Write a.txt first');
    await choose(screen, 'y');
    await screen.shows('All done.');
    await screen.shows(/^ask · /mu);
    expect(await box.read('a.txt')).toBe('a\n');
    const answers = model.requests.map((request) => answersIn(request).at(-1));
    expect(answers[1]).toEqual({
      isError: true,
      text: expect.stringContaining('plan mode is on') as string,
    });
    expect(answers[2]?.text).toContain('too much');
    expect(answers[3]?.text).toContain('1. Write a.txt first');
    expect(toldIn(model.requests[0])).toContain('Plan mode is on');
    expect(toldIn(model.requests[4])).not.toContain('Plan mode is on: read');
    expect(await leave(screen)).toBe(0);
  });
});

describe('the to-do list', () => {
  it('is shown above the prompt as the model updates it, and again after a resume', async ({
    expect,
  }) => {
    verifies('AGT-11');
    await using box = await sandbox();
    const todos = (first: string, second: string) =>
      calling([
        'update_todos',
        {
          items: [
            { text: 'Read the tests', state: first },
            { text: 'Fix the bug', state: second },
          ],
        },
      ]);
    await using model = await startScriptedModel({
      turns: [
        todos('doing', 'open'),
        'Begun.',
        todos('done', 'doing'),
        'Half.',
        todos('done', 'done'),
        'Over.',
      ],
    });
    {
      await using screen = await chatOn(box, model);
      await say(screen, 'go');
      await screen.shows('Begun.');
      const begun = await screen.shows('To do: 0 of 2 done');
      expect(begun).toMatch(/› Read the tests\n +- Fix the bug/u);
      await say(screen, 'on');
      await screen.shows('To do: 1 of 2 done');
      expect(await leave(screen)).toBe(0);
    }
    await using screen = await chatOn(box, model, { args: ['--continue'] });
    await screen.shows('To do: 1 of 2 done');
    await say(screen, 'finish');
    await screen.shows('Over.');
    await screen.hides('To do:');
    expect(answersIn(model.requests.at(-1))[0]?.text).toBe('The user sees the list: 0 left.');
  });
});
