// Going back on a real terminal: to earlier conversations and to an earlier message with its files; and continuing in a copy.

import { Transcripts } from '@plugboard/agent';
import { startScriptedModel, type TerminalScreen, verifies, waitUntil } from '@plugboard/testkit';
import { describe, it } from 'vitest';
import { type Sandbox, sandbox } from '../sandbox.ts';
import { calling, chatOn, decide, leave, say, toldIn } from './chat-on-terminal.ts';

interface ListedSession {
  readonly id: string;
  readonly title: string;
  readonly folder: string;
}

async function sessionsOf(box: Sandbox, ...args: string[]): Promise<readonly ListedSession[]> {
  const { stdout } = await box.run(['sessions', '--json', ...args]);
  return (JSON.parse(stdout) as { readonly sessions: readonly ListedSession[] }).sessions;
}

function cameBack(screen: TerminalScreen): string {
  const [, id = ''] =
    /To come back: plugboard chat --resume (\S+)/u.exec(screen.everything()) ?? [];
  return id;
}

describe('an earlier conversation', () => {
  it('is stored when a new one begins, and can be found by its words and resumed', async ({
    expect,
  }) => {
    verifies('AGT-15');
    await using box = await sandbox();
    await using model = await startScriptedModel({
      turns: ['Noted: blue.', 'I know nothing of it.', 'It is blue.'],
    });
    await using screen = await chatOn(box, model);
    await say(screen, 'my colour is blue');
    await screen.shows('Noted: blue.');
    await say(screen, '/clear');
    await screen.hides('my colour is blue');
    await say(screen, 'which colour');
    await screen.shows('I know nothing of it.');
    expect(toldIn(model.requests[1])).not.toContain('blue');
    await waitUntil(async () => (await sessionsOf(box)).length === 2, {
      describe: 'both conversations to be kept',
    });
    await say(screen, '/resume');
    await screen.shows(/Conversations in this folder[\s\S]*my colour is blue/u);
    screen.type('blue');
    await screen.shows('1 of 3');
    screen.press('enter');
    await screen.shows(/resumed[\s\S]*Noted: blue\./u);
    await say(screen, 'and now');
    await screen.shows('It is blue.');
    expect(toldIn(model.requests[2])).toContain('my colour is blue');
    expect(await leave(screen)).toBe(0);
    const [latest] = await sessionsOf(box);
    expect([cameBack(screen), latest?.title]).toEqual([latest?.id, 'my colour is blue']);
  });

  it('can be chosen on the first screen with --resume, and shows its folder if it is another one', async ({
    expect,
  }) => {
    verifies('AGT-15');
    await using box = await sandbox();
    await using model = await startScriptedModel({ turns: ['Noted: blue.'] });
    const env = { ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: model.url };
    const run = await box.run(['run', '--json', 'my colour is blue'], { env });
    const [listed] = await sessionsOf(box);
    expect(JSON.parse(run.stdout.split('\n')[0] ?? '')).toEqual({
      kind: 'session',
      id: listed?.id,
    });
    const sub = { state: `${box.home}/.state/plugboard`, folder: `${box.project}/sub` };
    const elsewhere = new Transcripts(sub).begin('scripted/model');
    elsewhere.add({ kind: 'user', parts: [{ kind: 'text', text: 'over here' }] });
    await elsewhere.settled();
    expect((await sessionsOf(box, '--all', '--search', 'OVER sub'))[0]?.title).toBe('over here');
    await using screen = await chatOn(box, model, { args: ['--resume'] });
    await screen.shows(/› my colour is blue/u);
    screen.press('down');
    await screen.shows('› conversations of all folders');
    screen.press('enter');
    await screen.shows(/Conversations in all folders[\s\S]*over here +\S*sub · /u);
    screen.type('over');
    await screen.shows('1 of 2');
    screen.press('enter');
    await screen.shows(/cd \S+sub && plugboard chat --resume\s+\d/u);
    await say(screen, `/resume ${listed?.id}`);
    await screen.shows('Noted: blue.');
    expect(await leave(screen)).toBe(0);
  });
});

describe('a message that the user goes back to', () => {
  it('is removed, with the later changes of files by tools, and can be sent again', async ({
    expect,
  }) => {
    verifies('AGT-15');
    await using box = await sandbox();
    await box.write('a.txt', 'first\n');
    const write = (content: string) =>
      calling(['mcp__workspace__write_file', { path: 'a.txt', content }]);
    await using model = await startScriptedModel({
      turns: ['Hello.', write('second\n'), 'Written.', 'As you were.'],
    });
    await using screen = await chatOn(box, model);
    await say(screen, 'hello there');
    await screen.shows('Hello.');
    await say(screen, 'write the second');
    await decide(screen, { about: 'workspace · write_file' });
    await screen.shows('Written.');
    expect(await box.read('a.txt')).toBe('second\n');
    await say(screen, '/rewind');
    await screen.shows(/Go back to before this message[\s\S]*› write the second/u);
    screen.press('enter');
    await screen.shows(
      /the conversation and the files +a\.txt[\s\S]*commands changed is not covered/u,
    );
    screen.press('enter');
    const back = await screen.shows('Restored a.txt.');
    expect(await box.read('a.txt')).toBe('first\n');
    expect(back).not.toContain('Written.');
    await screen.shows('❯ write the second');
    screen.type(' thing');
    screen.press('enter');
    await screen.shows('As you were.');
    const told = toldIn(model.requests.at(-1));
    expect([told.includes('write the second thing'), told.includes('Written.')]).toEqual([
      true,
      false,
    ]);
    screen.press('escape');
    await screen.shows('Press Esc again to go back');
    screen.press('escape');
    await screen.shows('Go back to before this message');
    screen.press('escape');
    expect(await leave(screen)).toBe(0);
  });
});

describe('a conversation that is copied', () => {
  it('continues in a fork, is exported to a new file without secrets, and is copied to the clipboard', async ({
    expect,
  }) => {
    verifies('AGT-15');
    await using box = await sandbox();
    await using model = await startScriptedModel({ turns: ['Noted.', 'In the copy.'] });
    await using screen = await chatOn(box, model);
    await say(screen, '/fork');
    await screen.shows('nothing was said yet');
    await say(screen, 'the token is ghp_0123456789abcdefghij');
    await screen.shows('Noted.');
    await say(screen, '/fork');
    await screen.shows('This is a copy now.');
    await say(screen, 'go on');
    await screen.shows('In the copy.');
    const sessions = await sessionsOf(box);
    expect(sessions.map(({ title }) => title)).toHaveLength(2);
    await say(screen, '/export talk.md');
    await screen.shows('The conversation is in talk.md.');
    const exported = await box.read('talk.md');
    expect(exported).toContain('## Model\n\nIn the copy.');
    expect(exported).not.toContain('ghp_');
    await say(screen, '/export talk.md');
    await screen.shows('talk.md is there already');
    await say(screen, '/copy');
    await screen.shows('Copied the last answer: 12 characters.');
    const base64 = Buffer.from('In the copy.').toString('base64');
    await screen.writes(`\u001B]52;c;${base64}\u0007`);
    expect(await leave(screen)).toBe(0);
  });
});
