// Approvals for longer than one call, on a real terminal: the rule is shown before it is written, and allows exactly what it
// says.

import { startScriptedModel, verifies } from '@plugboard/testkit';
import { describe, it } from 'vitest';
import { sandbox } from '../sandbox.ts';
import {
  answersIn,
  calling,
  chatOn,
  decide,
  leave,
  say,
  USER_SETTINGS,
} from './chat-on-terminal.ts';

const RUN = 'mcp__workspace__run_command';
const ABOUT = 'workspace · run_command';

describe('an approval of a command', () => {
  it('covers the shown words in this project, and no command line that does more', async ({
    expect,
  }) => {
    verifies('AGT-09');
    await using box = await sandbox();
    await using model = await startScriptedModel({
      turns: [
        calling([RUN, { command: 'echo one' }]),
        'First.',
        calling([RUN, { command: 'echo two' }]),
        'Second.',
        calling([RUN, { command: 'echo three; touch gone' }]),
        'Third.',
      ],
    });
    await using screen = await chatOn(box, model, { columns: 100, rows: 40 });
    await say(screen, 'go');
    const asked = await screen.shows('workspace/run_command(echo one)');
    expect(asked).toMatch(/h and a write it into\s+~\/\.config\/plugboard\/settings\.json/u);
    await decide(screen, { about: ABOUT, key: 'r', until: /echo \*/u });
    await screen.shows('workspace/run_command(echo *)');
    screen.type('h');
    await screen.shows('First.');
    await screen.shows('the rule {"tool":"workspace/run_command(echo *)"');
    await say(screen, 'again');
    await screen.shows('Second.');
    await say(screen, 'more');
    const other = await screen.shows('echo three; touch gone');
    expect(other).toContain('Allow this call?');
    await decide(screen, { about: ABOUT, key: 'n' });
    await screen.shows('Third.');
    expect(await leave(screen)).toBe(0);
    const texts = model.requests.flatMap((request) => answersIn(request)).map(({ text }) => text);
    expect(texts[0]).toContain('one');
    expect(texts[1]).toContain('two');
    await expect(box.read('gone')).rejects.toThrow('ENOENT');
    expect(JSON.parse(await box.read(USER_SETTINGS))).toMatchObject({
      permissions: {
        allow: [
          { tool: 'workspace/run_command(echo *)', project: expect.stringMatching('/') as string },
        ],
      },
    });
  });

  it('writes no file if it is for the conversation, and for an edit covers the folder', async ({
    expect,
  }) => {
    verifies('AGT-09');
    await using box = await sandbox();
    await box.write('src/a.txt', 'a\n');
    const write = (path: string) =>
      calling(['mcp__workspace__write_file', { path, content: 'b\n' }]);
    await using model = await startScriptedModel({
      turns: [
        write('src/a.txt'),
        'First.',
        write('src/new/b.txt'),
        'Second.',
        write('c.txt'),
        'Third.',
      ],
    });
    await using screen = await chatOn(box, model, { columns: 100, rows: 40 });
    await say(screen, 'go');
    await screen.shows('workspace/*_file(src)');
    await decide(screen, { about: 'workspace · write_file', key: 's' });
    await screen.shows('First.');
    await say(screen, 'again');
    await screen.shows('Second.');
    expect(await box.read('src/new/b.txt')).toBe('b\n');
    await say(screen, 'more');
    await decide(screen, { about: 'workspace · write_file', key: 'n' });
    await screen.shows('Third.');
    expect(await leave(screen)).toBe(0);
    await expect(box.read('c.txt')).rejects.toThrow('ENOENT');
    await expect(box.read(USER_SETTINGS)).rejects.toThrow('ENOENT');
  });
});
