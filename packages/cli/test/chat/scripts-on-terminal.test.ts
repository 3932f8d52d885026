// A script of a model, on a real terminal: the user sees it with each call that needs approval.

import { scriptedServer, startScriptedModel, verifies } from '@plugboard/testkit';
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

const CODE = `const first = await tools.notes.echo({ message: 'one' });
const second = await tools.notes.echo({ message: 'two' });
return (await tools.notes.add({ a: first.length, b: second.length })).sum;`;

describe('a script of the model in a chat', () => {
  it('is shown with the call that needs approval, and its calls are shown as they happen', async ({
    expect,
  }) => {
    verifies('CTX-02');
    await using box = await sandbox();
    const server = scriptedServer({ builtIns: ['echo', 'add'] });
    const mcpServers = { notes: { ...server, permissions: { flow: 'off' } } };
    const chat = { code: true, toolBudget: 0 };
    const permissions = { ask: ['notes/echo'], allow: ['notes/add'] };
    await box.write(USER_SETTINGS, JSON.stringify({ mcpServers, chat, permissions }));
    await using model = await startScriptedModel({
      turns: [
        'Hello.',
        calling(['run_code', { code: CODE, name: 'count letters' }]),
        'Six letters.',
      ],
    });
    await using screen = await chatOn(box, model);
    // The first request does not wait for servers.
    await say(screen, 'hi');
    await screen.shows('Hello.');
    await say(screen, '/tools');
    await screen.shows('Adds two numbers');
    await say(screen, 'how long are my notes?');
    const asked = await decide(screen, { about: 'notes · echo', key: 'c' });
    expect(asked).toContain('by script count letters');
    expect(asked).toContain("const second = await tools.notes.echo({ message: 'two' });");
    expect(asked).toContain('Yes, for this tool in this script');
    const seen = await screen.shows('Six letters.');
    expect(answersIn(model.requests.at(-1))).toEqual([{ isError: false, text: '6' }]);
    expect(seen).toMatch(/run_code/u);
    expect(seen.match(/script count letters . notes . echo/gu)).toHaveLength(2);
    expect(seen).toMatch(/script count letters . notes . add/u);
    const offered = model.requests[1]?.body['tools'] as readonly { readonly name: string }[];
    expect(offered.map(({ name }) => name)).toContain('run_code');
    expect(await leave(screen)).toBe(0);
  });
});
