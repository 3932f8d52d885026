// A chat with problems in its environment: it reports them once and continues.

import { startScriptedModel } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { sandbox } from '../sandbox.ts';
import { chatOn } from './chat-on-terminal.ts';

describe('a chat in a limited environment', () => {
  it('is refused with a message on a dumb terminal', async () => {
    await using box = await sandbox();
    await using screen = await chatOn(box, undefined, { env: { TERM: 'dumb' } });
    const shown = await screen.shows('plugboard run "…"');
    expect(shown.trim().split('\n')).toEqual([
      'error: this terminal cannot be drawn on (TERM=dumb)',
      '  fix: a message at a time: plugboard run "…", then plugboard run --continue "…"',
    ]);
  });

  it('reports once that the conversation cannot be stored, and continues', async () => {
    await using box = await sandbox();
    await using model = await startScriptedModel({ turns: ['One.', 'Two.'] });
    const state = await box.write('no-folder', '');
    await using screen = await chatOn(box, model, { env: { XDG_STATE_HOME: state } });
    await screen.shows('Ask for something');
    screen.type('first');
    screen.press('enter');
    await screen.shows('One.');
    screen.type('second');
    screen.press('enter');
    await screen.shows('Two.');
    expect(screen.everything().split('this conversation is not kept').length).toBe(2);
    expect(screen.everything()).toContain('(ENOTDIR)');
  });

  it('reports untrusted servers of the folder on its first screen', async () => {
    await using box = await sandbox();
    await box.write('.mcp.json', JSON.stringify({ mcpServers: { new: { command: 'true' } } }));
    await using screen = await chatOn(box, undefined);
    const shown = await screen.shows('not trusted yet');
    expect(shown).toContain('1 of this folder, not trusted yet: see /mcp');
  });

  it.each([50, 80])('fits a table of tools into %i columns', async (columns) => {
    await using box = await sandbox();
    await using screen = await chatOn(box, undefined, { columns, rows: 60 });
    await screen.shows('Ask for something');
    screen.type('/tools workspace');
    await screen.shows('/tools workspace');
    screen.press('enter');
    const shown = await screen.shows('write_file');
    const rows = shown.split('\n').filter((line) => line.includes('…'));
    const table = shown.slice(shown.indexOf('SERVER')).split('\n').slice(0, 4);
    expect([rows.length > 0, table.every((line) => /^(?:SERVER|workspace) /.test(line))]).toEqual([
      true,
      true,
    ]);
  });
});
