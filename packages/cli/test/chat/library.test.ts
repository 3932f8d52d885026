// Prompts and resources of servers in a conversation: completed, added to messages, and read again after a change. Also pages
// that a server asks the user to visit.

import {
  type Library,
  scriptedServer,
  startScriptedModel,
  type TerminalScreen,
  verifies,
} from '@plugboard/testkit';
import { describe, it } from 'vitest';
import { sandbox } from '../sandbox.ts';
import { browserIn } from './browser.ts';
import { calling, chatOn, decide, leave, PROMPT, say, toldIn } from './chat-on-terminal.ts';

const LIBRARY: Library = {
  // A resource without a text says how often it was read.
  resources: [{ uri: 'doc://count', name: 'the count', mimeType: 'text/plain' }],
  prompts: [
    {
      name: 'greet',
      description: 'Greets somebody',
      arguments: [{ name: 'who', required: true }],
      messages: [{ role: 'user', content: { type: 'text', text: 'Please greet them all.' } }],
    },
  ],
  completions: { who: ['Ada', 'Alan', 'Grace'] },
};

/** Types key by key and waits for the completions. */
async function offered(screen: TerminalScreen, typed: string, what: string): Promise<string> {
  await screen.shows(PROMPT);
  screen.type(typed);
  await screen.shows(`❯ ${typed}`);
  return screen.shows(what);
}

describe('resources and prompts in a conversation', () => {
  it('are completed, added to messages, and read again when they change', async ({ expect }) => {
    verifies('AGT-05');
    await using box = await sandbox({
      lib: scriptedServer({ builtIns: ['echo'], library: LIBRARY }),
    });
    await using model = await startScriptedModel({
      turns: ['Greetings.', 'I have read it.', 'It is new.', 'Nothing new.'],
    });
    await using screen = await chatOn(box, model, { rows: 60 });
    await say(screen, '/tools lib');
    await screen.shows('Says what it was told');

    await offered(screen, '/lib:', '/lib:greet who=');
    screen.press('tab');
    await screen.shows('❯ /lib:greet');
    screen.type('who=A');
    const names = await screen.shows(/Ada[\s\S]*Alan/u);
    expect(names).not.toContain('Grace');
    screen.press('tab');
    await screen.shows('/lib:greet who=Ada');
    screen.press('enter');
    await screen.shows('Greetings.');
    expect(toldIn(model.requests[0])).toContain('Please greet them all.');

    await offered(screen, 'see @lib:d', '@lib:doc://count');
    screen.press('tab');
    await screen.shows('❯ see @lib:doc://count');
    screen.press('enter');
    await screen.shows('I have read it.');
    expect(toldIn(model.requests[1])).toContain('read 1');

    await say(screen, '/call lib touch uri=doc://count');
    await screen.shows('lib:doc://count has changed');
    await say(screen, 'what is new');
    await screen.shows('It is new.');
    expect(toldIn(model.requests[2])).toContain('read 2');
    await say(screen, 'and now');
    await screen.shows('Nothing new.');
    expect(toldIn(model.requests[3])).not.toContain('read 3');
    expect(await leave(screen)).toBe(0);
  });

  it('include files of the folder, which are completed and added as well', async ({ expect }) => {
    verifies('AGT-05');
    await using box = await sandbox();
    await box.write('docs/plan.md', 'Ship on friday.\n');
    await using model = await startScriptedModel({ turns: ['Friday.'] });
    await using screen = await chatOn(box, model);
    await offered(screen, 'when @do', '@docs/');
    screen.press('tab');
    await screen.shows('@docs/plan.md');
    screen.press('tab');
    await screen.shows('❯ when @docs/plan.md');
    screen.press('enter');
    await screen.shows('Friday.');
    expect(toldIn(model.requests[0])).toContain('Ship on friday.');
  });
});

const PAGE = { mode: 'url', message: 'Pay for it', url: 'https://pay.example/order/7' };
/** A legacy server continues at once, a modern one after the user has finished on the page. */
const ERAS = ['legacy', 'modern'] as const;

describe('a page that a server asks the user to visit', () => {
  it.for(ERAS)('is opened after the user agrees: %s', async (era, { expect }) => {
    verifies('INB-02');
    const server = scriptedServer({ builtIns: [], asks: true, eras: [era] });
    await using box = await sandbox({ shop: { ...server, protocol: era } });
    const browser = await browserIn(box);
    const page = era === 'legacy' ? { ...PAGE, elicitationId: 'visit' } : PAGE;
    await using model = await startScriptedModel({
      turns: [calling(['mcp__shop__ask', { questions: [page] }]), 'It is paid.'],
    });
    await using screen = await chatOn(box, model, { env: browser.env });
    await say(screen, '/tools shop');
    await screen.shows('Asks, and answers');
    await say(screen, 'buy it');
    await decide(screen, { about: 'shop · ask' });
    const asked = await screen.shows('Open it in your browser');
    expect(asked).toContain(PAGE.url);
    screen.type('o');
    expect(await browser.opened()).toBe(PAGE.url);
    if (era === 'modern') {
      await screen.shows(/Are you done on the page\?[\s\S]*› Send/u);
      screen.press('enter');
    }
    await screen.shows('It is paid.');
    expect(await screen.shows('Opened in your browser.')).not.toContain('Are you done');
    expect(toldIn(model.requests[1])).toContain('accept');
  });

  it('is not opened if the user declines', async ({ expect }) => {
    verifies('INB-02');
    const server = scriptedServer({ builtIns: [], asks: true, eras: ['modern'] });
    await using box = await sandbox({ shop: { ...server, protocol: 'modern' } });
    const browser = await browserIn(box);
    await using model = await startScriptedModel({
      turns: [calling(['mcp__shop__ask', { questions: [PAGE] }]), 'As you wish.'],
    });
    await using screen = await chatOn(box, model, { env: browser.env });
    await say(screen, '/tools shop');
    await screen.shows('Asks, and answers');
    await say(screen, 'buy it');
    await decide(screen, { about: 'shop · ask' });
    await screen.shows('Open it in your browser');
    screen.type('d');
    await screen.shows('As you wish.');
    expect(toldIn(model.requests[1])).toContain('decline');
    await expect(box.read('../home/opened')).rejects.toThrow('ENOENT');
  });
});
