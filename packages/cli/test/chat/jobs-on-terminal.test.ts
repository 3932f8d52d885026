// Background commands, on a real terminal: the model starts and reads them, the user lists and stops them, and none is left
// after the chat.

import { allProcesses, startScriptedModel, verifies, waitUntil } from '@plugboard/testkit';
import { describe, it } from 'vitest';
import { sandbox } from '../sandbox.ts';
import {
  answersIn,
  calling,
  chatOn,
  decide,
  leave,
  PROMPT,
  say,
  toldIn,
} from './chat-on-terminal.ts';

const RUN = 'mcp__workspace__run_command';
const READ = 'mcp__workspace__read_job';
const ABOUT = 'workspace · run_command';

/** Distinguishes the processes of this run from those of others. */
const SLEEPS = {
  one: `sleep 7611.${process.pid}`,
  two: `sleep 7621.${process.pid}`,
  three: `sleep 7622.${process.pid}`,
};

function isRunning(words: string): boolean {
  return allProcesses().some(({ command }) => command.includes(words));
}

describe('a command in the background', () => {
  it('is started and read by the model, listed and stopped by the user, and the model is notified of that', async ({
    expect,
  }) => {
    verifies('AGT-19');
    await using box = await sandbox();
    const command = `echo listening on 8080; ${SLEEPS.one}`;
    await using model = await startScriptedModel({
      turns: [
        calling([RUN, { command, background: true }]),
        calling([READ, { job: 1, until: 'listening', wait_ms: 60_000 }]),
        'It listens.',
        'I see.',
      ],
    });
    await using screen = await chatOn(box, model, { columns: 110, rows: 40 });
    await say(screen, 'start the server');
    const asked = await decide(screen, { about: ABOUT });
    // The approval says that the command runs in the background.
    expect(asked).toMatch(/background.*true/u);
    await screen.shows('It listens.');
    const text = await screen.shows(/ask · 1 job · /u);
    // Its output stays below the call.
    expect(text).toContain('listening on 8080');
    const read = answersIn(model.requests[2]);
    expect(read).toEqual([
      {
        isError: false,
        text: expect.stringMatching(/running for .*\nlistening on 8080/u) as string,
      },
    ]);
    await say(screen, '/status');
    await screen.shows(/^ *jobs +1 running: \/jobs/mu);
    await say(screen, '/jobs');
    await screen.shows('Commands in the background: 1 running');
    await screen.shows(
      /1: echo listening on 8080; sleep 7611\S+ .*running for .* · listening on 8080/u,
    );
    screen.press('enter');
    await screen.shows('Job 1 is running');
    screen.press('up');
    await screen.shows(/^› Stop it/mu);
    screen.press('enter');
    await screen.shows('job 1 has ended: stopped by the user');
    expect(isRunning(SLEEPS.one)).toBe(false);
    await screen.until((shown) => !/ask · 1 job/u.test(shown), { wish: 'no job in the status' });
    await say(screen, 'and now');
    await screen.shows('I see.');
    expect(toldIn(model.requests.at(-1))).toContain('stopped by the user after');
    expect(await leave(screen)).toBe(0);
  });

  it('is reported to the model once, with the next message, when it ends by itself', async ({
    expect,
  }) => {
    verifies('AGT-19');
    await using box = await sandbox();
    const command = 'until [ -e go ]; do sleep 0.05; done; echo 3 tests failed; exit 1';
    await using model = await startScriptedModel({
      turns: [
        calling([RUN, { command, background: true }]),
        'They run.',
        'So they failed.',
        'Yes.',
      ],
    });
    await using screen = await chatOn(box, model, { columns: 110, rows: 40 });
    await say(screen, 'run the tests');
    await decide(screen, { about: ABOUT });
    await screen.shows('They run.');
    await box.write('go', '');
    await screen.shows('job 1 has ended: exit code 1');
    await say(screen, 'how are they');
    await screen.shows('So they failed.');
    expect(toldIn(model.requests[2])).toMatch(/exit code 1 after .*3 tests failed/u);
    await say(screen, 'really');
    await screen.shows('Yes.');
    // Reported with the previous message, and not again.
    expect(toldIn(model.requests[3]).match(/exit code 1 after/gu)).toHaveLength(1);
    expect(await leave(screen)).toBe(0);
  });

  it('continues after /clear, is reported to the new conversation, and ends when the user leaves', async ({
    expect,
  }) => {
    verifies('AGT-19');
    await using box = await sandbox();
    const command = `echo still here; ${SLEEPS.two} & ${SLEEPS.three}`;
    await using model = await startScriptedModel({
      turns: [
        calling([RUN, { command, background: true }]),
        // On a busy machine it has printed nothing yet.
        calling([READ, { job: 1, until: 'still here', wait_ms: 60_000 }]),
        'It runs.',
        'A new beginning.',
      ],
    });
    await using screen = await chatOn(box, model, { columns: 110, rows: 40 });
    await say(screen, 'start it');
    await decide(screen, { about: ABOUT });
    await screen.shows('It runs.');
    await say(screen, '/clear');
    await screen.until((shown) => !shown.includes('It runs.'), { wish: 'an empty conversation' });
    await screen.shows(PROMPT);
    await say(screen, 'hello');
    await screen.shows('A new beginning.');
    const told = toldIn(model.requests.at(-1));
    expect(told).not.toContain('start it');
    expect(told).toMatch(/job 1: echo still here/u);
    expect(told).toMatch(/running for \d+ s; its last lines:.*still here/u);
    expect(isRunning(SLEEPS.three)).toBe(true);
    expect(await leave(screen)).toBe(0);
    await waitUntil(() => !isRunning(SLEEPS.two) && !isRunning(SLEEPS.three), {
      describe: 'the end of what was started',
    });
  });
});
