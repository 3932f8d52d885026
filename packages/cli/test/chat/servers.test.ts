// Servers in a conversation, on a real terminal: slow ones, failing ones, and ones that need a sign-in. And sub-agents, which share
// them.

import { existsSync } from 'node:fs';
import {
  type LiveTurn,
  readTap,
  scriptedServer,
  startScriptedModel,
  type StdioEntry,
  tapped,
  verifies,
  waitUntil,
} from '@plugboard/testkit';
import { describe, it } from 'vitest';
import { sandbox } from '../sandbox.ts';
import { place } from '../signing-in.ts';
import { browserIn } from './browser.ts';
import {
  answersIn,
  calling,
  chatOn,
  decide,
  leave,
  PROMPT,
  say,
  toldIn,
  toolsIn,
  USER_SETTINGS,
} from './chat-on-terminal.ts';

/** A server that starts once a file exists. */
function behind(gate: string, { command, args }: StdioEntry): StdioEntry {
  const wait = 'until [ -e "$0" ]; do sleep 0.05; done; exec "$@"';
  return { command: '/bin/sh', args: ['-c', wait, gate, command, ...args] };
}

describe('servers in a conversation', () => {
  it('do not delay a turn: a slow server is used in the turn in which it connects', async ({
    expect,
  }) => {
    verifies('AGT-02');
    await using box = await sandbox();
    const gate = `${box.home}/gate`;
    await box.servers({
      slow: behind(gate, scriptedServer({ builtIns: ['echo'] })),
      broken: { command: '/nonexistent/server' },
    });
    // The model makes other calls until the server is connected.
    const busy: LiveTurn = (request) => {
      if (answersIn(request)[0]?.text === 'at last') return 'It came.';
      return toolsIn(request).includes('mcp__slow__echo')
        ? calling(['mcp__slow__echo', { message: 'at last' }])
        : calling(['mcp__workspace__run_command', { command: 'sleep 0.2' }]);
    };
    await using model = await startScriptedModel({
      turns: ['I am here already.'],
      otherwise: busy,
    });
    await box.write(
      USER_SETTINGS,
      JSON.stringify({
        permissions: { flow: 'off', allow: ['mcp__workspace__run_command', 'mcp__slow__echo'] },
      }),
    );
    await using screen = await chatOn(box, model);
    await say(screen, 'are you there');
    await screen.shows('I am here already.');
    const [first] = model.requests;
    expect(toolsIn(first)).not.toContain('mcp__slow__echo');
    expect(toldIn(first)).toContain('\\"slow\\" is still connecting');
    await say(screen, 'use the slow one');
    await waitUntil(() => model.requests.length > 2, { describe: 'the turn' });
    await box.write('../home/gate', '');
    await screen.shows('It came.');
    expect(toldIn(model.requests.at(-1))).toContain('\\"broken\\" is down');
    expect(await leave(screen)).toBe(0);
  });

  it('are started by the first message, and not before', async ({ expect }) => {
    verifies('AGT-02');
    await using box = await sandbox();
    const log = `${box.home}/tap`;
    await box.servers({ s: tapped(log, scriptedServer({ builtIns: ['echo'] })) });
    await using model = await startScriptedModel({ turns: ['Hello.'] });
    await using screen = await chatOn(box, model);
    await screen.shows(PROMPT);
    // The built-in server is ready by now, so others would have been started too.
    await screen.shows('1/2');
    expect(existsSync(log)).toBe(false);
    await say(screen, 'hello');
    await screen.shows('2/2');
    expect(existsSync(log)).toBe(true);
  });

  it('are reported if they need a sign-in, which the panel can start', async ({ expect }) => {
    verifies('AGT-02', 'AGT-05');
    await using desk = await place();
    const { box, issuer } = desk;
    const browser = await browserIn(box);
    await using model = await startScriptedModel({ turns: ['Who?', 'I see it.', 'I use it.'] });
    await using screen = await chatOn(box, model, { env: browser.env, rows: 60 });
    await say(screen, 'hello');
    await screen.shows('Who?');
    await screen.shows('docs wants you to sign in');
    await say(screen, 'and now');
    await screen.shows('I see it.');
    expect(toldIn(model.requests[1])).toContain('\\"docs\\" needs the user to sign in');
    await say(screen, '/mcp');
    await screen.shows(/› . docs +sign in[\s\S]* l sign in/u);
    screen.type('l');
    await fetch(await issuer.browse(await browser.opened()));
    await screen.shows(/› . docs +ready/u);
    await screen.shows('docs is connected');
    screen.press('escape');
    await say(screen, 'once more');
    await screen.shows('I use it.');
    expect(toolsIn(model.requests[2]).some((name) => name.startsWith('mcp__docs__'))).toBe(true);
  });

  it('are reconnected, disabled and enabled from the panel', async ({ expect }) => {
    verifies('AGT-05');
    await using box = await sandbox();
    const log = `${box.home}/tap`;
    await box.servers({ s: tapped(log, scriptedServer({ builtIns: ['echo'] })) });
    await using screen = await chatOn(box, undefined, { rows: 50 });
    await say(screen, '/mcp');
    await screen.shows('MCP servers');
    await screen.shows(/› . s +idle/u);
    screen.type('r');
    await screen.shows(/› . s +ready +1 tool/u);
    await screen.shows('s is connected: 1 tool');
    screen.type('d');
    await screen.shows(/› . s +disabled/u);
    screen.type('e');
    await screen.shows(/› . s +(?:idle|ready)/u);
    screen.type('r');
    await screen.shows(/› . s +ready +1 tool/u);
    const begun = (await readTap(log)).filter(
      ({ direction, text }) =>
        direction === 'to-server' && /"method":"(?:initialize|server\/discover)"/u.test(text),
    );
    expect(begun.length).toBeGreaterThanOrEqual(2);
    screen.press('escape');
    await screen.hides('MCP servers');
    expect(await leave(screen)).toBe(0);
  });
});

describe('a sub-agent in the chat', () => {
  it('uses the same connections, and its approvals name it', async ({ expect }) => {
    verifies('AGT-04');
    await using box = await sandbox();
    const log = `${box.home}/tap`;
    await box.servers({ s: tapped(log, scriptedServer({ builtIns: ['echo', 'add'] })) });
    await using model = await startScriptedModel({
      turns: [
        calling(['mcp__s__echo', { message: 'mine' }]),
        calling(['delegate', { task: 'say it for me', name: 'parrot', tools: ['mcp__s__echo'] }]),
        calling(['mcp__s__echo', { message: 'for you' }]),
        'It was said.',
        'The parrot said it.',
      ],
    });
    await using screen = await chatOn(box, model);
    await say(screen, '/tools s');
    await screen.shows('Adds two numbers');
    await say(screen, 'go');
    const own = await decide(screen, { about: 's · echo' });
    expect(own).not.toContain('sub-agent');
    const its = await decide(screen, { about: 'sub-agent parrot' });
    expect(its).toContain('for you');
    await screen.shows('The parrot said it.');
    expect(toolsIn(model.requests[2]).filter((name) => name.startsWith('mcp__'))).toEqual([
      'mcp__s__echo',
    ]);
    expect(toldIn(model.requests[2])).not.toContain('mine');
    expect(toldIn(model.requests[4])).toContain('It was said.');
    const begun = (await readTap(log)).filter(
      ({ direction, text }) =>
        direction === 'to-server' && /"method":"(?:initialize|server\/discover)"/u.test(text),
    );
    expect(begun).toHaveLength(1);
  });

  it('can use the built-in server, which can be disabled and enabled from the panel', async ({
    expect,
  }) => {
    await using box = await sandbox();
    const env = { PLUGBOARD_CODEBASE: 'on' };
    await using screen = await chatOn(box, undefined, { rows: 50, env });
    await say(screen, '/mcp');
    await screen.shows(/› . codebase +ready/u);
    screen.type('d');
    await screen.shows(/› . codebase +disabled/u);
    screen.type('e');
    await screen.shows(/› . codebase +(?:idle|ready)/u);
    screen.type('r');
    await screen.shows(/› . codebase +ready/u);
    screen.press('escape');
    await screen.hides('MCP servers');
    expect(await leave(screen)).toBe(0);
  });
});
