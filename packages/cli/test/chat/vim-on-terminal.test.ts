// Vi keys in the prompt, on a real terminal.

import { startScriptedModel, verifies } from '@plugboard/testkit';
import { describe, it } from 'vitest';
import { sandbox } from '../sandbox.ts';
import { chatOn, leave, PROMPT, say, toldIn, USER_SETTINGS } from './chat-on-terminal.ts';

describe('modal editing of the prompt', () => {
  it('is turned on and off by /vim, shows its mode, and edits the message', async ({ expect }) => {
    verifies('AGT-26');
    await using box = await sandbox();
    await using model = await startScriptedModel({ turns: ['Hello.', 'Bye.'] });
    await using screen = await chatOn(box, model);
    await say(screen, '/vim');
    await screen.shows(/^INSERT · ask · /mu);
    await screen.shows(PROMPT);
    screen.type('wrong words here');
    await screen.shows('❯ wrong words here');
    screen.press('escape');
    await screen.shows(/^NORMAL · ask/mu);
    screen.type('0d');
    await screen.shows(/^NORMAL d · ask/mu);
    screen.type('w');
    await screen.shows('❯ words here');
    screen.type('A again');
    await screen.shows('❯ words here again');
    screen.press('enter');
    await screen.shows('Hello.');
    expect(toldIn(model.requests[0])).toContain('words here again');
    await screen.shows(/^INSERT · ask/mu);
    await say(screen, '/vim');
    await screen.shows('the prompt has its usual keys');
    await screen.shows(/^ask · /mu);
    expect(await leave(screen)).toBe(0);
  });

  it('can be on from the start by a setting, and Escape still stops a turn', async ({ expect }) => {
    verifies('AGT-26');
    await using box = await sandbox();
    await box.write(USER_SETTINGS, JSON.stringify({ chat: { vim: true } }));
    await using model = await startScriptedModel({
      turns: [
        {
          kind: 'answer',
          steps: [
            { kind: 'text', text: 'Thinking about it' },
            { kind: 'hold', name: 'never' },
          ],
        },
      ],
    });
    await using screen = await chatOn(box, model);
    await screen.shows(/^INSERT · ask/mu);
    await say(screen, 'think');
    await screen.shows('Thinking about it');
    screen.press('escape');
    await screen.shows(/NORMAL · ask/u);
    screen.press('escape');
    await screen.shows(/stopped/iu);
    await screen.shows(/^NORMAL · ask/mu);
    screen.type('ibye');
    await screen.shows('❯ bye');
    screen.press('ctrl+c');
    expect(await leave(screen)).toBe(0);
  });
});
