// The focus after each action, for users of screen readers: on the selected item or in the place around a removed one, and never
// nowhere.

import { scriptedServer, verifies, waitUntil } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { callTool, type OpenTab, openPage, sharePage } from './open-page.ts';

const TWO_NUMBERS = {
  type: 'object',
  properties: { first: { type: 'number' }, second: { type: 'number' } },
  required: ['first', 'second'],
};

const shared = sharePage(() => ({
  files: 'discover',
  pins: 'off',
  servers: {
    one: scriptedServer({
      builtIns: ['echo'],
      tools: [{ name: 'add', inputSchema: TWO_NUMBERS }],
    }),
    two: scriptedServer({ builtIns: ['echo'] }),
  },
}));

/** The name of the focused element, as a screen reader reads it. */
function focusedName({ page }: OpenTab): Promise<string> {
  return page.evaluate(() => {
    const { activeElement: element } = document;
    if (element === null || element === document.body) return 'nothing';
    const titled = document.getElementById(element.getAttribute('aria-labelledby') ?? '');
    const name = titled?.textContent ?? element.getAttribute('aria-label') ?? element.textContent;
    return name?.trim() ?? '';
  });
}

async function expectFocusOn(tab: OpenTab, name: string): Promise<void> {
  await waitUntil(async () => (await focusedName(tab)) === name, {
    describe: `the focus on ${name}`,
  });
}

describe('the focus of the console', () => {
  verifies('CON-UI');

  it('goes to the view that is opened, by keys or by a link', async () => {
    const tab = await openPage(shared);
    await tab.page.keyboard.press('g');
    await tab.page.keyboard.press('w');
    await expectFocusOn(tab, 'Waiting');
    await tab.page.getByRole('navigation').getByRole('link', { name: 'Traffic' }).press('Enter');
    await expectFocusOn(tab, 'Traffic');
    await tab.page.keyboard.press('Control+k');
    await tab.page.getByRole('combobox', { name: 'Search' }).pressSequentially('checks');
    await tab.page.keyboard.press('Enter');
    await expectFocusOn(tab, 'Checks');
  });

  it('goes to the call that is selected by keys, and to the next one after its answer', async () => {
    const tab = await openPage(shared, { place: 'waiting' });
    const { page } = tab;
    const first = callTool(shared.served.url, 'one__echo', { message: 'first' });
    await page.getByRole('heading', { name: 'Run echo of one?' }).waitFor();
    const said = page.getByRole('status').filter({ hasText: 'waiting for your answer' });
    expect(await said.textContent()).toBe('1 waiting for your answer: echo of one.');
    const second = callTool(shared.served.url, 'two__echo', { message: 'second' });
    await page.getByRole('heading', { name: 'Run echo of two?' }).waitFor();
    await page.keyboard.press('j');
    await expectFocusOn(tab, 'Run echo of two?');
    await page
      .getByRole('article', { name: 'Run echo of two?' })
      .getByRole('button', { name: 'Deny' })
      .press('Enter');
    await expectFocusOn(tab, 'Run echo of one?');
    const allow = page
      .getByRole('article', { name: 'Run echo of one?' })
      .getByRole('button', { name: 'Allow once' });
    // The button is enabled once the card has been visible long enough.
    await allow.click({ trial: true });
    await allow.press('Enter');
    await expectFocusOn(tab, 'What waits for your answer');
    await page
      .getByRole('status')
      .getByText('Allowed: echo of one.')
      .waitFor({ state: 'attached' });
    expect((await first).text).toContain('first');
    expect((await second).text).toContain('the user said no');
    await tab.expectAccessible();
  });

  it('moves on from a field with the first Tab, although its problem is drawn at that moment', async () => {
    const tab = await openPage(shared, { place: 'tools/one/tool/add' });
    const first = tab.page.getByRole('textbox', { name: 'first required' });
    await first.focus();
    await tab.page.keyboard.press('Tab');
    await tab.page.getByText('Is required.').waitFor();
    const second = tab.page.getByRole('textbox', { name: 'second required' });
    expect(await second.evaluate((field) => field === document.activeElement)).toBe(true);
  });

  it('stays at a server whose button is busy or is replaced', async () => {
    const tab = await openPage(shared, { place: 'servers/one' });
    const { page } = tab;
    const details = page.getByRole('region', { name: 'Details of the server' });
    await details.getByRole('button', { name: 'Restart' }).press('Enter');
    await page.getByText('Restart one: ready.').waitFor({ state: 'attached' });
    await expectFocusOn(tab, 'Restart');
    await details.getByRole('button', { name: 'Disable' }).press('Enter');
    await details.getByRole('button', { name: 'Enable' }).waitFor();
    await expectFocusOn(tab, 'Details of the server');
    await details.getByRole('button', { name: 'Enable' }).press('Enter');
    await details.getByRole('button', { name: 'Disable' }).waitFor();
    await expectFocusOn(tab, 'Details of the server');
    await page.keyboard.press('j');
    await expectFocusOn(tab, 'two');
  });

  it('goes to the message that the page is signed out', async () => {
    const tab = await openPage(shared);
    await tab.page.getByRole('button', { name: 'Sign out of the console' }).press('Enter');
    await expectFocusOn(tab, 'This page is signed out');
  });
});
