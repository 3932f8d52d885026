// A server that asks for a password in a form, on a real terminal.

import { scriptedServer, startScriptedModel, verifies } from '@plugboard/testkit';
import { describe, it } from 'vitest';
import { sandbox } from '../sandbox.ts';
import { answersIn, calling, chatOn, decide, say } from './chat-on-terminal.ts';

describe('an elicitation form that asks for a password', () => {
  it('is declined if the user only presses Enter', async ({ expect }) => {
    verifies('POL-18');
    await using box = await sandbox({ s: scriptedServer({ builtIns: [], asks: true }) });
    const question = {
      mode: 'form',
      message: 'Sign in again',
      requestedSchema: {
        type: 'object',
        properties: { password: { type: 'string', title: 'Password' } },
        required: ['password'],
      },
    };
    await using model = await startScriptedModel({
      turns: [calling(['mcp__s__ask', { questions: [question] }]), 'You declined.'],
    });
    await using screen = await chatOn(box, model);
    await say(screen, '/tools s');
    await screen.shows('Asks, and answers');
    await say(screen, 'sign in');
    await decide(screen, { about: 's · ask' });
    await screen.shows('Servers must not ask for those like this');
    screen.type('hunter2hunter2');
    await screen.shows('**************');
    screen.press('enter');
    await screen.shows('› Decline');
    screen.press('enter');
    await screen.shows('You declined.');
    const text = JSON.stringify([{ action: 'decline' }]);
    expect(answersIn(model.requests[1])).toEqual([{ isError: false, text }]);
  });
});
