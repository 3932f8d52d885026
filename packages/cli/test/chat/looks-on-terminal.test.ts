// The information that a chat shows on a real terminal: the model, costs, the next request, changes, and problems of servers.

import { scriptedServer, startScriptedModel, verifies } from '@plugboard/testkit';
import { describe, it } from 'vitest';
import { sandbox } from '../sandbox.ts';
import { calling, chatOn, decide, leave, say, USER_SETTINGS } from './chat-on-terminal.ts';

describe('the commands about a conversation', () => {
  it('choose a model, show prices, and show the next request with the origin of its parts', async ({
    expect,
  }) => {
    verifies('AGT-16', 'AGT-17');
    await using box = await sandbox();
    await box.write('a.ts', 'const a = 1;\n');
    const local = { providers: { work: { baseUrl: 'http://127.0.0.1:9/v1', model: 'tiny' } } };
    await box.write(USER_SETTINGS, JSON.stringify({ chat: local }));
    await using model = await startScriptedModel({
      turns: [
        calling([
          'mcp__workspace__edit_file',
          { path: 'a.ts', old_text: 'a = 1', new_text: 'a = 2' },
        ]),
        'Changed.',
      ],
    });
    await using screen = await chatOn(box, model, { rows: 60 });
    await say(screen, 'make it two');
    await decide(screen, { about: 'workspace · edit_file' });
    await screen.shows('Changed.');
    await say(screen, '/cost');
    await screen.shows(/2 requests, \$0\.0001[\s\S]*\$2 read, \$10 written for a million tokens/u);
    await say(screen, '/diff');
    await screen.shows(/❯ \/diff\s+a\.ts +\+1 -1\s+1 - const a = 1;\s+1 \+ const a = 2;/u);
    await say(screen, '/context');
    const parts = await screen.shows('See one part: /context NUMBER');
    expect(parts).toMatch(/1 +system +\d+ +Plugboard +You are an assistant/u);
    expect(parts).toMatch(/tools +[\d,]+ +server workspace/u);
    expect(parts).toMatch(/message +\d+ +you +make it two/u);
    await say(screen, '/context 1');
    await screen.shows(/── system, from Plugboard, about \d+ tokens ──\s+You are an assistant/u);
    await say(screen, '/status');
    await screen.shows(/session +\d{14}-[\da-f]{8}[\s\S]*requests +2/u);
    await say(screen, '/permissions');
    await screen.shows('There are no rules.');
    await say(screen, '/model');
    await screen.shows(/anthropic\/claude-sonnet-5-5 answers[\s\S]*1000k · \$2 in, \$10 out/u);
    screen.type('tiny');
    await screen.shows(/› work\/tiny +price not known/u);
    screen.press('enter');
    await screen.shows('work/tiny answers from now on');
    await say(screen, '/cost');
    await screen.shows('The price of work/tiny is not known here');
    expect(await leave(screen)).toBe(0);
  });
});

describe('the servers of a chat', () => {
  it('are listed with problems of the configuration, and can be opened and trusted in the panel', async ({
    expect,
  }) => {
    verifies('AGT-16');
    await using box = await sandbox();
    const mcpServers = { look: scriptedServer({ builtIns: ['echo'] }), odd: { command: 5 } };
    await box.write('.mcp.json', JSON.stringify({ mcpServers }));
    await using model = await startScriptedModel({ turns: ['Hello.'] });
    await using screen = await chatOn(box, model, { rows: 60, columns: 120 });
    await screen.shows(/problem +\.mcp\.json/u);
    await say(screen, '/mcp');
    await screen.shows(/look +blocked[\s\S]*odd/u);
    screen.press('enter');
    await screen.shows(/Server look\s[\s\S]*› trust it/u);
    screen.press('enter');
    await screen.shows(/Server "look" of[\s\S]*Let "look" start\?[\s\S]*› No, leave it out/u);
    screen.press('down');
    await screen.shows('› Yes, trust it as shown above');
    screen.press('enter');
    await screen.shows('"look" is trusted as it was shown');
    await say(screen, '/tools look');
    await screen.shows('Says what it was told');
    await say(screen, '/mcp look doctor');
    await screen.shows(/❯ \/mcp look doctor[\s\S]*look[\s\S]*works/u);
    await say(screen, '/mcp look log');
    await screen.shows(/❯ \/mcp look log\s+\S/u);
    expect(await leave(screen)).toBe(0);
  });
});
