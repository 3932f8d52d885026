// The traffic view, used with the mouse and with the keyboard.

import { type BrowserTab, scriptedServer, verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { callTool, openPage, servePage, sharePage } from '../open-page.ts';
import { recordCalls } from './recorded-traffic.ts';

const shared = sharePage(
  () => ({
    approve: () => ({ kind: 'allow' }),
    servers: {
      old: scriptedServer({ eras: ['legacy'] }),
      new: scriptedServer({ eras: ['modern'] }),
    },
  }),
  async (served) => {
    const secret = { Authorization: 'Bearer secret-token-of-a-person' };
    await callTool(
      served.url,
      'old__echo',
      { message: 'first words', password: 'hunter2' },
      secret,
    );
    await callTool(served.url, 'new__echo', { message: 'second words' });
    await callTool(served.url, 'old__no-such-tool', {});
  },
);

describe('the traffic', () => {
  verifies('CON-UI');

  it('is listed live, and a call shows its messages on both hops', async () => {
    const tab = await openPage(shared, { place: 'traffic' });
    const { page } = tab;
    await page.getByRole('heading', { name: '3 calls' }).waitFor();
    await callTool(shared.served.url, 'old__echo', { message: 'live' });
    await page.getByRole('heading', { name: '4 calls' }).waitFor();
    await tab.draw('traffic');
    await page.getByRole('row').nth(1).getByRole('link', { name: 'echo' }).click();
    const details = page.getByRole('region', { name: 'Details of the call' });
    await details.getByText('Allowed').waitFor();
    const messages = details.getByRole('region', { name: 'Messages' }).getByRole('listitem');
    await expect.poll(() => messages.count()).toBe(4);
    const ways = await messages.locator('.message-way').allInnerTexts();
    expect(ways).toEqual([
      'client → gateway',
      'gateway → old',
      'old → gateway',
      'gateway → client',
    ]);
    const eras = await messages.locator('.era').allInnerTexts();
    expect(eras).toEqual(['modern', 'legacy', 'legacy', 'modern']);
    await messages.first().locator('summary').click();
    await messages.first().getByText('"live"').waitFor();
    await tab.draw('traffic-call');
    await tab.expectAccessible();
    tab.expectCalm();
  });
});

/** The calls that the list shows, newest first. */
async function rowsOf(page: BrowserTab['page']): Promise<readonly string[]> {
  const links = page.getByRole('table').locator('.row-link');
  return links.allInnerTexts();
}

describe('the filter of the traffic', () => {
  verifies('CON-UI');

  it('selects calls by server, tool, outcome, duration and text, including text of messages', async () => {
    const { page } = await openPage(shared, { place: 'traffic' });
    await page.getByRole('heading', { name: 'calls' }).waitFor();
    await page.getByLabel('Server', { exact: true }).selectOption('new');
    await expect.poll(() => rowsOf(page)).toEqual(['echo']);
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByLabel('Outcome').selectOption('failed');
    await expect.poll(() => rowsOf(page)).toEqual(['old__no-such-tool']);
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByLabel('Tool', { exact: true }).selectOption('old__no-such-tool');
    await expect.poll(() => rowsOf(page)).toEqual(['old__no-such-tool']);
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByLabel(/^Duration/).fill('>10m');
    await expect.poll(() => rowsOf(page)).toEqual([]);
    await page.getByLabel(/^Duration/).fill('soon');
    expect(await page.getByLabel(/^Duration/).getAttribute('aria-invalid')).toBe('true');
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.keyboard.press('/');
    await page.keyboard.type('second words');
    await expect.poll(() => rowsOf(page)).toEqual(['echo']);
    // A hidden secret cannot be searched for.
    const searched = page.waitForResponse((response) => response.url().includes('hunter2'));
    await page.getByLabel('Text in calls').fill('hunter2');
    expect(await (await searched).json()).toEqual([]);
    expect(await rowsOf(page)).toEqual([]);
  });
});

describe('a secret in a recorded call', () => {
  verifies('CON-UI');

  it('is hidden in its headers and in its arguments', async () => {
    const { page } = await openPage(shared, { place: 'traffic/1' });
    const messages = page.getByRole('region', { name: 'Messages' }).getByRole('listitem');
    await messages.first().locator('summary').click();
    const shown = messages.first();
    await shown.getByText('authorization').waitFor();
    expect(await shown.innerText()).toContain('(hidden)');
    expect(await shown.innerText()).not.toContain('secret-token-of-a-person');
    expect(await shown.innerText()).not.toContain('hunter2');
  });
});

describe('100,000 recorded messages', () => {
  verifies('CON-UI');

  it('can be loaded, scrolled, zoomed and panned by keyboard alone', async () => {
    const many = await servePage(shared.scope, () => ({}));
    recordCalls(many.gateway, 25_000);
    const tab = await openPage(
      { browser: shared.browser, served: many },
      { place: 'traffic', colorScheme: 'dark' },
    );
    const { page } = tab;
    await page.getByRole('heading', { name: '25,000 calls' }).waitFor();
    await page.keyboard.press('j');
    await page.getByRole('region', { name: 'Details of the call' }).waitFor();
    expect(page.url()).toMatch(/#\/traffic\/25000$/);
    await page.keyboard.press('j');
    await expect.poll(() => page.url()).toMatch(/#\/traffic\/24999$/);
    await page.keyboard.press('Escape');
    // Wherever the list is scrolled to, the page has far fewer rows than calls.
    const rows = page.getByRole('row');
    expect(await rows.count()).toBeLessThan(80);
    await page.getByRole('rowgroup', { name: 'Calls' }).focus();
    await page.keyboard.press('End');
    await page.getByRole('row').filter({ hasText: 'tool-0' }).last().waitFor();
    await expect
      .poll(async () => Number(await rows.last().getAttribute('aria-rowindex')))
      .toBe(25_001);
    expect(await rows.count()).toBeLessThan(80);
    const timeline = page.getByLabel(/^Timeline of 25,000 calls/);
    const shown = page.locator('.timeline-hint');
    const all = await shown.innerText();
    await timeline.focus();
    for (let step = 0; step < 12; step += 1) await page.keyboard.press('+');
    await expect.poll(() => shown.innerText()).not.toBe(all);
    const zoomed = await shown.innerText();
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => shown.innerText()).not.toBe(zoomed);
    await tab.draw('traffic-zoomed');
    await page.keyboard.press('0');
    await expect.poll(() => shown.innerText()).toBe(all);
    await tab.expectAccessible();
    tab.expectCalm();
  });

  it('can be opened by a click on the timeline, zoomed by the wheel and panned by dragging', async () => {
    const few = await servePage(shared.scope, () => ({}));
    recordCalls(few.gateway, 1);
    const { page } = await openPage(
      { browser: shared.browser, served: few },
      { place: 'traffic', width: 360 },
    );
    await page.getByRole('heading', { name: '1 call' }).waitFor();
    const timeline = page.getByLabel(/^Timeline of 1 call/);
    const box = await timeline.boundingBox();
    if (box === null) throw new Error('there is no timeline');
    const shown = page.locator('.timeline-hint');
    const all = await shown.innerText();
    // The call is at the left end of the timeline, after the margin.
    const at = { x: box.x + box.width * 0.5, y: box.y + 20 + 16 + 4 };
    await page.mouse.move(at.x, at.y);
    await page.mouse.wheel(0, -200);
    await expect.poll(() => shown.innerText()).not.toBe(all);
    const zoomed = await shown.innerText();
    await page.mouse.down();
    await page.mouse.move(at.x + 60, at.y, { steps: 4 });
    await page.mouse.up();
    await page.mouse.move(at.x, box.y + 5);
    await expect.poll(() => shown.innerText()).not.toBe(zoomed);
    await page.getByRole('button', { name: 'All', exact: true }).click();
    await page.mouse.move(box.x + box.width / 3, at.y);
    await expect.poll(() => shown.innerText()).toContain('tool-0');
    await page.mouse.click(box.x + box.width / 3, at.y);
    await page.getByRole('region', { name: 'Details of the call' }).waitFor();
    const scrolls = await page.evaluate(
      () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
    );
    expect(scrolls).toBe(false);
  });
});
