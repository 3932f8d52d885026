// The whole program: typed at on a real terminal, with a model behind a provider's protocol, published servers and broken ones.

import {
  descendants,
  filesystem,
  scriptedServer,
  startScriptedModel,
  verifies,
  waitUntil,
} from '@plugboard/testkit';
import { describe, it } from 'vitest';
import { sandbox } from '../sandbox.ts';
import {
  answersIn,
  calling,
  chatOn,
  chatProcessOn,
  decide,
  leave,
  say,
  toldIn,
} from './chat-on-terminal.ts';

describe('a conversation on a terminal', () => {
  it('reads through a server, asks before it writes, and accepts an answer', async ({ expect }) => {
    verifies('AGT-01', 'AGT-03', 'AGT-08');
    await using box = await sandbox();
    await box.write('notes/plan.txt', 'ship it on friday\n');
    await box.servers({ files: filesystem(`${box.project}/notes`) });
    await using model = await startScriptedModel({
      turns: [
        calling(['mcp__files__read_text_file', { path: `${box.project}/notes/plan.txt` }]),
        calling(['mcp__workspace__write_file', { path: 'copy.txt', content: 'friday\n' }]),
        'The plan says **friday**.',
      ],
    });
    await using screen = await chatProcessOn(box, model);
    await say(screen, '/tools files');
    await screen.shows('read_text_file');
    await say(screen, 'copy the day of the plan');
    expect(await decide(screen, { about: 'files · read_text_file' })).toContain('notes/plan.txt');
    const change = await decide(screen, { about: 'workspace · write_file' });
    expect(change).toContain('copy.txt (new file)');
    expect(change).toContain('+ friday');
    const end = await screen.shows('The plan says friday.');
    expect(end).toContain('✓ files · read_text_file');
    expect(end).toContain('✓ workspace · write_file');
    expect(await box.read('copy.txt')).toBe('friday\n');
    expect(toldIn(model.requests[1])).toContain('ship it on friday');
    expect(await leave(screen)).toBe(0);
    expect(descendants(screen.pid)).toEqual([]);
  });

  it('continues when a server crashes in the middle of a call', async ({ expect }) => {
    verifies('AGT-02');
    await using box = await sandbox({
      brittle: scriptedServer({
        builtIns: [],
        tools: [{ name: 'work' }],
        crashOn: { tool: 'work', exit: 3 },
      }),
      broken: { command: '/nonexistent/server' },
    });
    await using model = await startScriptedModel({
      turns: [
        calling(['mcp__brittle__work', {}]),
        'It crashed; I go on without it.',
        'Still here.',
      ],
    });
    await using screen = await chatOn(box, model);
    await say(screen, '/tools brittle');
    await screen.shows('work');
    await say(screen, 'do it');
    await decide(screen, { about: 'brittle · work' });
    await screen.shows('It crashed; I go on without it.');
    expect(answersIn(model.requests[1])).toMatchObject([{ isError: true }]);
    await say(screen, 'are you there');
    await screen.shows('Still here.');
    expect(toldIn(model.requests.at(-1))).toContain('\\"broken\\" is down');
    expect(await leave(screen)).toBe(0);
  });

  it('shows an elicitation of a server and sends the answer', async ({ expect }) => {
    await using box = await sandbox({ s: scriptedServer({ builtIns: [], asks: true }) });
    const question = {
      mode: 'form',
      message: 'Where to?',
      requestedSchema: {
        type: 'object',
        properties: { city: { type: 'string', title: 'City' } },
        required: ['city'],
      },
    };
    await using model = await startScriptedModel({
      turns: [calling(['mcp__s__ask', { questions: [question] }]), 'You said Rome.'],
    });
    await using screen = await chatOn(box, model);
    await say(screen, '/tools s');
    await screen.shows('Asks, and answers');
    await say(screen, 'book');
    await decide(screen, { about: 's · ask' });
    await screen.shows(/s asks[\s\S]*Where to\?[\s\S]*City/u);
    screen.type('Rome');
    await screen.shows('Rome');
    screen.press('enter');
    await screen.shows('› Send');
    screen.press('enter');
    await screen.shows('You said Rome.');
    const text = JSON.stringify([{ action: 'accept', content: { city: 'Rome' } }]);
    expect(answersIn(model.requests[1])).toEqual([{ isError: false, text }]);
  });

  it('can be cancelled in the middle of a call, and leaves no call running', async ({ expect }) => {
    verifies('AGT-03');
    await using box = await sandbox();
    await using model = await startScriptedModel({
      turns: [
        calling(['mcp__workspace__run_command', { command: 'echo begun; exec sleep 987' }]),
        'Here again.',
      ],
    });
    await using screen = await chatProcessOn(box, model);
    const sleeping = (): boolean =>
      descendants(screen.pid).some(({ command }) => command.includes('sleep'));
    await say(screen, 'rest a while');
    await decide(screen, { about: 'workspace · run_command' });
    await screen.shows('begun');
    await waitUntil(sleeping, { describe: 'the command' });
    screen.press('escape');
    await screen.shows(/cancelled/iu);
    await waitUntil(() => !sleeping(), { describe: 'the end of the command' });
    await say(screen, 'go on');
    await screen.shows('Here again.');
    expect(toldIn(model.requests[1])).toContain('was given up');
    expect(await leave(screen)).toBe(0);
  });

  it('is resumed where it was left', async ({ expect }) => {
    verifies('AGT-07');
    await using box = await sandbox();
    await using model = await startScriptedModel({
      turns: ['Noted: blue.', 'It is blue.', 'Blue as ever.'],
    });
    {
      await using screen = await chatOn(box, model);
      await say(screen, 'my colour is blue');
      await screen.shows('Noted: blue.');
      expect(await leave(screen)).toBe(0);
    }
    {
      await using screen = await chatOn(box, model, { args: ['--continue'] });
      await screen.shows('Noted: blue.');
      await say(screen, 'which colour');
      await screen.shows('It is blue.');
      expect(await leave(screen)).toBe(0);
    }
    // The same conversation continues without a terminal.
    const run = await box.run(['run', '--continue', 'sure?'], {
      env: { ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: model.url },
    });
    expect(run).toEqual({ code: 0, stdout: 'Blue as ever.\n', stderr: '' });
    const said = ['my colour is blue', 'Noted: blue.', 'which colour', 'It is blue.', 'sure?'];
    const last = toldIn(model.requests[2]);
    expect(said.filter((text) => last.includes(text))).toEqual(said);
  });
});
