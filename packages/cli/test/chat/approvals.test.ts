// The answers to an approval, on a real terminal: their effect on this call, the next one and the files, and what the model gets.

import { readFile } from 'node:fs/promises';
import {
  type LiveTurn,
  type ScriptedModel,
  scriptedServer,
  startScriptedModel,
  type TerminalScreen,
  verifies,
} from '@plugboard/testkit';
import { describe, it } from 'vitest';
import { type Sandbox, sandbox } from '../sandbox.ts';
import {
  answersIn,
  calling,
  chatOn,
  decide,
  leave,
  say,
  USER_SETTINGS,
} from './chat-on-terminal.ts';

const ECHO = 'mcp__s__echo';
const ABOUT = 's · echo';

interface Talk extends AsyncDisposable {
  readonly box: Sandbox;
  readonly model: ScriptedModel;
  readonly screen: TerminalScreen;
}

/** A chat whose server is already connected, so that its tools are available from the first message on. */
async function talking(...turns: readonly LiveTurn[]): Promise<Talk> {
  const box = await sandbox({ s: scriptedServer({ builtIns: ['echo', 'error'] }) });
  const model = await startScriptedModel({ turns });
  const screen = await chatOn(box, model);
  await say(screen, '/tools s');
  await screen.shows('Says what it was told');
  return {
    box,
    model,
    screen,
    async [Symbol.asyncDispose]() {
      await screen[Symbol.asyncDispose]();
      await model.close();
      await box[Symbol.asyncDispose]();
    },
  };
}

function echoing(message: string): LiveTurn {
  return calling([ECHO, { message }]);
}

describe('an approval', () => {
  it('covers one call or the conversation', async ({ expect }) => {
    verifies('AGT-03');
    await using talk = await talking(
      echoing('one'),
      'First.',
      echoing('two'),
      'Second.',
      echoing('three'),
      'Third.',
    );
    const { screen, model } = talk;
    await say(screen, 'go');
    const looks = await decide(screen, { about: ABOUT, key: 'y' });
    expect(looks).toMatch(/Allow this call\?\n\s+s · echo\n\n.*message +one/u);
    await screen.shows('First.');
    await say(screen, 'again');
    await decide(screen, { about: ABOUT, key: 's' });
    await screen.shows('Second.');
    await say(screen, 'once more');
    await screen.shows('Third.');
    const answers = model.requests.flatMap((request) => answersIn(request));
    expect(answers.map(({ text }) => text)).toEqual(['one', 'two', 'three']);
    expect(await leave(screen)).toBe(0);
    await expect(readFile(`${talk.box.home}/.config/plugboard/settings.json`)).rejects.toThrow(
      'ENOENT',
    );
  });

  it('writes a rule if it is for always, which the next chat follows', async ({ expect }) => {
    verifies('AGT-03');
    await using talk = await talking(echoing('one'), 'First.', echoing('two'), 'Second.');
    const { screen, box, model } = talk;
    await say(screen, 'go');
    await decide(screen, { about: ABOUT, key: 'a' });
    await screen.shows('First.');
    await screen.shows('the rule s/echo is now in');
    expect(await leave(screen)).toBe(0);
    expect(JSON.parse(await box.read(USER_SETTINGS))).toMatchObject({
      permissions: { allow: [expect.anything()] },
    });
    await using next = await chatOn(box, model);
    await say(next, 'again');
    await next.shows('Second.');
    expect(answersIn(model.requests.at(-1))).toEqual([{ isError: false, text: 'two' }]);
  });

  it('can change the arguments, and the edited ones are used', async ({ expect }) => {
    verifies('AGT-03');
    await using talk = await talking(echoing('loud'), 'Said.');
    const { screen, model } = talk;
    await say(screen, 'go');
    await decide(screen, { about: ABOUT, key: 'e' });
    await screen.shows('The arguments, as JSON');
    // The cursor is at the end: move over the brace to the word.
    for (const _ of '"\n}') screen.press('left');
    for (const _ of 'loud') screen.press('backspace');
    await screen.shows('"message": ""');
    screen.type('quiet');
    await screen.shows('"message": "quiet"');
    screen.press('enter');
    await screen.shows('Said.');
    expect(answersIn(model.requests[1])).toEqual([{ isError: false, text: 'quiet' }]);
  });

  it('can be denied with a reason, which the model gets', async ({ expect }) => {
    verifies('AGT-03');
    await using talk = await talking(echoing('one'), 'I see.', echoing('two'), 'Fine.');
    const { screen, model } = talk;
    await say(screen, 'go');
    await decide(screen, { about: ABOUT, key: 'd' });
    await screen.shows('No, because');
    screen.type('it is too loud');
    await screen.shows('it is too loud');
    screen.press('enter');
    await screen.shows('I see.');
    expect(answersIn(model.requests[1])).toEqual([
      { isError: true, text: expect.stringContaining('it is too loud') as string },
    ]);
    await say(screen, 'again');
    await decide(screen, { about: ABOUT, key: 'n' });
    await screen.shows('Fine.');
  });
});

describe('the workspace in a chat', () => {
  it('writes, edits and runs what the user approves, and nothing outside the folder', async ({
    expect,
  }) => {
    verifies('AGT-08');
    await using box = await sandbox();
    await box.write('list.txt', 'one\ntwo\n');
    await using model = await startScriptedModel({
      turns: [
        calling([
          'mcp__workspace__edit_file',
          { path: 'list.txt', old_text: 'two', new_text: 'three' },
        ]),
        calling(['mcp__workspace__run_command', { command: 'cat list.txt' }]),
        calling(['mcp__workspace__write_file', { path: '../out.txt', content: 'x' }]),
        'All done.',
      ],
    });
    await using screen = await chatOn(box, model);
    await say(screen, 'go');
    const edit = await decide(screen, { about: 'workspace · edit_file' });
    expect(edit).toContain('- two');
    expect(edit).toContain('+ three');
    const command = await decide(screen, { about: 'workspace · run_command' });
    expect(command).toContain('$ cat list.txt');
    await decide(screen, { about: 'workspace · write_file' });
    await screen.shows('All done.');
    expect(await box.read('list.txt')).toBe('one\nthree\n');
    expect(answersIn(model.requests[2])).toEqual([
      { isError: false, text: expect.stringContaining('one\nthree') as string },
    ]);
    expect(answersIn(model.requests[3])).toEqual([
      { isError: true, text: expect.stringContaining('out.txt') as string },
    ]);
    await expect(box.read('../out.txt')).rejects.toThrow('ENOENT');
  });

  it('does not ask about a call that a rule allows', async ({ expect }) => {
    verifies('AGT-08');
    await using box = await sandbox();
    const allow = ['mcp__workspace__write_file'];
    await box.write(USER_SETTINGS, JSON.stringify({ permissions: { allow } }));
    await using model = await startScriptedModel({
      turns: [
        calling(['mcp__workspace__write_file', { path: 'new/a.txt', content: 'a\n' }]),
        'Written.',
      ],
    });
    await using screen = await chatOn(box, model);
    await say(screen, 'go');
    await screen.shows('Written.');
    expect(await box.read('new/a.txt')).toBe('a\n');
    expect(screen.everything()).not.toContain('Allow this call?');
  });
});
