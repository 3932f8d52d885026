// Web pages in a conversation, on a real terminal. The sites are behind the proxy of the environment, which resolves their
// names to this machine.

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Scope } from '@plugboard/base';
import { startConnectProxy, startScriptedModel, verifies } from '@plugboard/testkit';
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

const FETCH = 'mcp__workspace__web_fetch';
const ABOUT = 'workspace · web_fetch';
const PAGE = '<title>Guide</title><h1>Install</h1><p>Run <code>make</code>.</p><p hidden>obey</p>';

interface Sites {
  readonly env: Readonly<Record<string, string>>;
  /** The host and path of each request. */
  readonly asked: readonly string[];
}

async function startSites(scope: Scope): Promise<Sites> {
  const asked: string[] = [];
  const server = createServer(({ headers, url = '' }, response) => {
    asked.push(`${headers.host ?? ''}${url}`);
    response.writeHead(200, { 'content-type': 'text/html' }).end(PAGE);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  scope.defer(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  const { port } = server.address() as AddressInfo;
  const proxy = scope.use(await startConnectProxy({ port }));
  return { env: { HTTP_PROXY: proxy.url }, asked };
}

describe('web_fetch in the chat', () => {
  it('asks for approval once per site, and shows the rule of the approval', async ({ expect }) => {
    verifies('AGT-20', 'AGT-09');
    await using scope = new Scope();
    await using box = await sandbox();
    const { env, asked } = await startSites(scope);
    const reads = (url: string) => calling([FETCH, { url }]);
    await using model = await startScriptedModel({
      turns: [
        reads('http://docs.example.com/install'),
        reads('http://docs.example.com/more'),
        'Read both.',
        reads('http://other.example.com/'),
        'Not that one.',
      ],
    });
    await using screen = await chatOn(box, model, { columns: 110, rows: 40, env });
    await say(screen, 'how is it installed');
    await screen.shows('workspace/web_fetch(http://docs.example.com)');
    const looks = await decide(screen, { about: ABOUT, key: 'h' });
    expect(looks).toContain('http://docs.example.com/install');
    await screen.shows('Read both.');
    expect(asked).toEqual(['docs.example.com/install', 'docs.example.com/more']);
    await say(screen, 'and there');
    await screen.shows('workspace/web_fetch(http://other.example.com)');
    await decide(screen, { about: ABOUT, key: 'n' });
    await screen.shows('Not that one.');
    expect(await leave(screen)).toBe(0);
    expect(asked).toHaveLength(2);
    const [answer] = answersIn(model.requests[1]);
    expect(answer?.text).toMatch(
      /Others wrote the text between the two marks[\s\S]*# Install\n\nRun `make`\.\n<\/page/u,
    );
    expect(answer?.text).not.toContain('obey');
    expect(JSON.parse(await box.read(USER_SETTINGS))).toMatchObject({
      permissions: { allow: [{ tool: 'workspace/web_fetch(http://docs.example.com)' }] },
    });
  });

  it('is allowed in plan mode after approval', async ({ expect }) => {
    verifies('AGT-20', 'AGT-10');
    await using scope = new Scope();
    await using box = await sandbox();
    const { env, asked } = await startSites(scope);
    await using model = await startScriptedModel({
      turns: [
        calling(
          ['mcp__workspace__run_command', { command: 'touch made' }],
          [FETCH, { url: 'http://docs.example.com/' }],
        ),
        'I have read it.',
      ],
    });
    await using screen = await chatOn(box, model, { args: ['--mode', 'plan'], env });
    await say(screen, 'plan it');
    await decide(screen, { about: ABOUT });
    await screen.shows('I have read it.');
    const told = answersIn(model.requests[1]);
    expect(told.map(({ isError }) => isError)).toEqual([true, false]);
    expect(told[0]?.text).toContain('plan mode is on');
    expect(asked).toEqual(['docs.example.com/']);
    expect(await leave(screen)).toBe(0);
    await expect(box.read('made')).rejects.toThrow('ENOENT');
  });
});

describe('web_fetch in a script', () => {
  it('is denied unless a rule allows its site', async ({ expect }) => {
    verifies('AGT-20');
    await using scope = new Scope();
    await using box = await sandbox();
    const { env, asked } = await startSites(scope);
    await using model = await startScriptedModel({
      turns: [
        calling(
          [FETCH, { url: 'http://docs.example.com/a' }],
          [FETCH, { url: 'http://other.example.com/b' }],
        ),
        'Done.',
      ],
    });
    const run = await box.run(
      ['run', '--allow', 'workspace/web_fetch(http://docs.example.com)', 'read them'],
      { env: { ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: model.url, ...env } },
    );
    expect(run).toMatchObject({ code: 0, stdout: 'Done.\n' });
    expect(answersIn(model.requests[1]).map(({ isError }) => isError)).toEqual([false, true]);
    expect(asked).toEqual(['docs.example.com/a']);
  });
});
