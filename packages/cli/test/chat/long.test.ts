// A conversation that outgrows the context of its model: it is summarized, keeps the files in use, and can be resumed.

import { startScriptedModel, verifies } from '@plugboard/testkit';
import { describe, it } from 'vitest';
import { sandbox } from '../sandbox.ts';
import {
  calling,
  chatOn,
  decide,
  leave,
  modelEnv,
  say,
  toldIn,
  USER_SETTINGS,
} from './chat-on-terminal.ts';

const NOTES = 'The user plans a trip to Rome.';

describe('a long conversation', () => {
  it('is summarized, keeps the files in use, and is resumed with its summary', async ({
    expect,
  }) => {
    verifies('AGT-07');
    await using box = await sandbox();
    const providers = { anthropic: { contextTokens: 6000 } };
    await box.write(USER_SETTINGS, JSON.stringify({ chat: { providers } }));
    const long = 'Rome has many sights. '.repeat(400);
    await using model = await startScriptedModel({
      turns: [
        calling(['mcp__workspace__write_file', { path: 'trip.md', content: 'Rome\n' }]),
        'I wrote it down.',
        {
          kind: 'answer',
          steps: [{ kind: 'text', text: long }],
          usage: { input: 4000, output: 2500 },
        },
        NOTES,
        'It is in trip.md.',
        'Still trip.md.',
      ],
    });
    {
      await using screen = await chatOn(box, model);
      await say(screen, 'plan a trip to Rome');
      await decide(screen, { about: 'workspace · write_file' });
      await screen.shows('I wrote it down.');
      await say(screen, 'tell me all of it');
      await screen.shows('Rome has many sights.');
      await say(screen, 'where is the plan');
      await screen.shows('It is in trip.md.');
      expect(await leave(screen)).toBe(0);
    }
    const after = toldIn(model.requests[4]);
    expect(after).toContain(NOTES);
    expect(after).toContain('trip.md (mcp__workspace__write_file)');
    expect(after).not.toContain('I wrote it down.');
    const run = await box.run(['run', '--continue', 'sure?'], { env: modelEnv(model) });
    expect(run).toMatchObject({ code: 0, stdout: 'Still trip.md.\n' });
    const resumed = toldIn(model.requests[5]);
    expect(resumed).toContain(NOTES);
    expect(resumed).toContain('trip.md (mcp__workspace__write_file)');
    expect(resumed).toContain('It is in trip.md.');
  });
});
