// Recorded calls: run again unchanged and edited, compared, and saved.

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { scriptedServer, verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { callTool, openPage, sharePage } from '../open-page.ts';

const shared = sharePage(
  () => ({
    approve: () => ({ kind: 'allow' }),
    servers: { one: scriptedServer() },
  }),
  async (served) => {
    await callTool(served.url, 'one__echo', { message: 'first' });
  },
);

describe('a recorded call', () => {
  verifies('CON-UI');

  it('can be run again unchanged and edited, and the two answers are compared', async () => {
    const tab = await openPage(shared, { place: 'traffic/1' });
    const { page } = tab;
    await page.getByRole('link', { name: 'Run again' }).click();
    await page.getByRole('button', { name: 'Run again' }).click();
    await page.getByRole('region', { name: 'Run again', exact: true }).waitFor();
    const differences = page.getByRole('region', { name: 'Differences', exact: true });
    await differences.getByText('There is no difference.').waitFor();
    await page.getByRole('textbox', { name: /^message/ }).fill('second');
    await page.getByRole('button', { name: 'Run again' }).click();
    await differences.getByText('second').first().waitFor();
    expect(await differences.innerText()).toContain('first');
    await tab.draw('replay');
    await tab.expectAccessible();
    await page.goto(`${page.url().split('#')[0]}#/traffic/3`);
    await page.getByRole('link', { name: 'call 1' }).waitFor();
    tab.expectCalm();
  });

  it('can be saved with an expectation of its answer, once the recorded one passes', async () => {
    const tab = await openPage(shared, { place: 'traffic/1' });
    const { page } = tab;
    await page.getByRole('button', { name: 'Save' }).click();
    const dialog = page.getByRole('dialog', { name: 'Save this call' });
    await dialog.getByText('The recorded answer passes.').waitFor();
    const text = dialog.getByLabel('What has to hold');
    await text.fill('{ "values": [{ "at": "/content/0/text", "contains": "other" }] }');
    await dialog.getByText(/The recorded answer fails .*\/content\/0\/text/).waitFor();
    await text.fill('{ "outcome": "fine" }');
    await dialog.getByText(/it is one of/).waitFor();
    expect(await dialog.getByRole('button', { name: 'Save', exact: true }).isDisabled()).toBe(true);
    const expected = { outcome: 'ok', values: [{ at: '/content/0/text', contains: 'first' }] };
    await text.fill(JSON.stringify(expected));
    await dialog.getByLabel('Name').fill('says the first');
    await tab.expectAccessible();
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await dialog.getByText('Saved: 1 call').waitFor();
    await tab.draw('save-call');
    expect(
      JSON.parse(await readFile(join(shared.served.folder, 'project/checks.json'), 'utf8')),
    ).toEqual({
      checks: [
        {
          name: 'says the first',
          server: 'one',
          tool: 'echo',
          arguments: { message: 'first' },
          expect: expected,
        },
      ],
    });
    tab.expectCalm();
  });

  it('can be run as a saved call, compared, and removed again', async () => {
    const check = (name: string, text: string) => ({
      ...{ name, server: 'one', tool: 'echo', arguments: { message: 'hi' } },
      expect: { values: [{ at: '/content/0/text', contains: text }] },
    });
    const file = join(shared.served.folder, 'project/checks.json');
    await writeFile(
      file,
      JSON.stringify({ checks: [check('says hi', 'hi'), check('says no', 'no')] }),
    );
    const tab = await openPage(shared, { place: 'checks' });
    const { page } = tab;
    await page.getByRole('heading', { name: '2 saved calls' }).waitFor();
    await page.keyboard.press('r');
    await page.getByText('1 not as expected').first().waitFor();
    const row = (name: string) => page.getByRole('listitem').filter({ hasText: name });
    await row('says hi').getByText('as expected', { exact: true }).waitFor();
    await row('says no')
      .getByText(/is ".*hi.*"; expected: a text with "no"/)
      .waitFor();
    await tab.draw('checks');
    await tab.expectAccessible();
    await row('says no').getByRole('link', { name: 'messages' }).click();
    await page.getByRole('region', { name: 'Details of the call' }).waitFor();
    // Opens one of them by the palette.
    await page.keyboard.press('Control+k');
    const search = page.getByRole('combobox', { name: 'Search for an action' });
    await search.pressSequentially('says no');
    await page.locator('[role=option][aria-selected=true]', { hasText: 'says no' }).waitFor();
    await page.keyboard.press('Enter');
    await row('says no').getByRole('button', { name: 'Remove says no' }).click();
    await page.getByRole('heading', { name: '1 saved call' }).waitFor();
    expect(await readFile(file, 'utf8')).not.toContain('says no');
    tab.expectCalm();
  });

  it('can be exported with secrets hidden, and the file opened, replayed and closed', async () => {
    await callTool(shared.served.url, 'one__echo', {
      message: 'exported',
      apiKey: 'sk-very-secret',
    });
    const tab = await openPage(shared, { place: 'traffic' });
    const { page } = tab;
    await page.getByLabel('Text in calls').fill('exported');
    await page.getByRole('heading', { name: /^1 of/ }).waitFor();
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export' }).click();
    const file = await (await downloading).path();
    const text = await readFile(file, 'utf8');
    expect(text.trim().split('\n')).toHaveLength(2);
    expect(text).toContain('exported');
    expect(text).toContain('(hidden)');
    expect(text).not.toContain('sk-very-secret');
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByLabel('File of a recording').setInputFiles(file);
    await page.getByText(/This is the recording/).waitFor();
    await page.getByRole('heading', { name: '1 call', exact: true }).waitFor();
    await tab.expectAccessible();
    await page.getByRole('row').nth(1).getByRole('link').click();
    await page.getByRole('link', { name: 'Run again' }).click();
    await page.getByRole('button', { name: 'Run again' }).click();
    await page.getByRole('region', { name: 'Run again', exact: true }).waitFor();
    await page.goto(`${page.url().split('#')[0]}#/traffic`);
    await page.getByRole('button', { name: 'Close it' }).click();
    await page.getByRole('heading', { name: /^[2-9] calls/ }).waitFor();
    tab.expectCalm();
  });
});
