// Turns on a real terminal: typing during a turn, cancelling, and the commands of the conversation.

import {
  readTap,
  scriptedServer,
  startScriptedModel,
  tapped,
  verifies,
  waitUntil,
} from '@plugboard/testkit';
import { describe, it } from 'vitest';
import { sandbox } from '../sandbox.ts';
import { answersIn, calling, chatOn, decide, leave, say, toldIn } from './chat-on-terminal.ts';

describe('a turn on a terminal', () => {
  it('is drawn as it arrives, and messages typed meanwhile wait for its end', async ({
    expect,
  }) => {
    verifies('AGT-01');
    await using box = await sandbox();
    await using model = await startScriptedModel({
      turns: [
        {
          kind: 'answer',
          steps: [
            { kind: 'text', text: 'This is the beginning' },
            { kind: 'hold', name: 'middle' },
            { kind: 'text', text: ' and this the end.' },
          ],
        },
        'That was the second.',
      ],
    });
    await using screen = await chatOn(box, model);
    await say(screen, 'first');
    await model.reached('middle');
    const half = await screen.shows('This is the beginning');
    expect(half).not.toContain('and this the end.');
    await say(screen, 'second');
    await screen.shows(/second/u);
    expect(model.requests).toHaveLength(1);
    model.release('middle');
    await screen.shows('This is the beginning and this the end.');
    await screen.shows('That was the second.');
    expect(toldIn(model.requests[1])).toContain('and this the end.');
    expect(await leave(screen)).toBe(0);
  });

  it('cancels its request, and its calls at their servers, when it is cancelled', async ({
    expect,
  }) => {
    verifies('AGT-03');
    await using box = await sandbox();
    const log = `${box.home}/tap`;
    await box.servers({ s: tapped(log, scriptedServer({ builtIns: ['never'] })) });
    await using model = await startScriptedModel({
      turns: [
        calling(['mcp__s__never', {}]),
        { kind: 'answer', steps: [{ kind: 'hold', name: 'for ever' }] },
        'Here again.',
      ],
    });
    await using screen = await chatOn(box, model);
    const sent = async (method: string): Promise<boolean> =>
      (await readTap(log)).some(
        ({ direction, text }) => direction === 'to-server' && text.includes(`"method":"${method}"`),
      );
    await say(screen, '/tools s');
    await screen.shows('Does not answer');
    await say(screen, 'call it');
    await decide(screen, { about: 's · never' });
    await waitUntil(() => sent('tools/call'), { describe: 'the call' });
    screen.press('escape');
    await screen.shows(/cancelled/iu);
    await waitUntil(() => sent('notifications/cancelled'), {
      describe: 'the server to be told',
    });
    await say(screen, 'think about it');
    await model.reached('for ever');
    screen.press('escape');
    await waitUntil(() => model.open === 0, { describe: 'the request to be given up' });
    await say(screen, 'are you there');
    await screen.shows('Here again.');
    expect(toldIn(model.requests.at(-1))).toContain('think about it');
    expect(await leave(screen)).toBe(0);
  });

  it('ends when an approval prompt is left with Esc', async ({ expect }) => {
    verifies('AGT-03');
    await using box = await sandbox();
    await using model = await startScriptedModel({
      turns: [
        calling(['mcp__workspace__write_file', { path: 'a.txt', content: 'a' }]),
        'Fine.',
        calling(['mcp__workspace__write_file', { path: 'b.txt', content: 'b' }]),
        'Written.',
      ],
    });
    await using screen = await chatOn(box, model);
    await say(screen, 'write it');
    await screen.shows('Esc ends the turn');
    screen.press('escape');
    await screen.hides('Esc ends the turn');
    await say(screen, 'never mind');
    await screen.shows('Fine.');
    await say(screen, 'now the other');
    await decide(screen, { about: 'workspace · write_file' });
    await screen.shows('Written.');
    await expect(box.read('a.txt')).rejects.toThrow('ENOENT');
    expect(await box.read('b.txt')).toBe('b');
    expect(answersIn(model.requests.at(-1))).toMatchObject([{ isError: false }]);
  });
});

describe('the slash commands of a conversation', () => {
  it('show its cost, list conversations and summarize it', async ({ expect }) => {
    verifies('AGT-07');
    await using box = await sandbox();
    await using model = await startScriptedModel({
      turns: ['Noted.'],
    });
    await using screen = await chatOn(box, model, { rows: 50 });
    await say(screen, '/compact');
    await screen.shows('there is nothing to summarise yet');
    await say(screen, 'my colour is blue');
    await screen.shows('Noted.');
    await say(screen, '/cost');
    await screen.shows(
      /1 request, \$0\.0001[\s\S]*10 tokens read \(0 from the provider's cache, 0 %; 0 put into it\), 5 written/u,
    );
    await say(screen, '/context');
    const costs = await screen.shows(
      /The conversation takes about [\d,]+ of 1,000,000 tokens, 0 %/u,
    );
    expect(costs).toMatch(/SERVER +TOOLS +TOKENS +SENT +HOW, AND WHY/u);
    expect(costs).toMatch(/workspace +\d+ +([\d,]+) +\1 +sent: always loaded/u);
    await say(screen, '/model');
    await screen.shows('Models whose key is set');
    screen.press('escape');
    await say(screen, '/sessions');
    await screen.shows(/Conversations in this folder[\s\S]*my colour is blue/u);
    screen.press('escape');
    await say(screen, '/quit');
    expect((await screen.ended).code).toBe(0);
  });
});
