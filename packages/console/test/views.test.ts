// Guarantees of every view: no axe violations in both colour schemes, from 360 pixels to 4K; no requests to other origins; usable by
// keyboard alone; names of servers cannot deceive.

import { scriptedServer, verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { VIEWS } from '../src/frame/views.ts';
import { callTool, openPage, sharePage } from './open-page.ts';

const HOSTILE = '<img src=x onerror=alert(1)> \u202Egnp.exe \u200B';

const shared = sharePage(
  () => ({
    approve: () => ({ kind: 'allow' }),
    pins: 'off',
    servers: {
      hostile: scriptedServer({
        builtIns: ['echo'],
        serverInfo: { name: HOSTILE, version: HOSTILE },
        instructions: HOSTILE,
        tools: [{ name: 'evil', title: HOSTILE, description: HOSTILE }],
        chatty: true,
      }),
      broken: { command: 'no-such-program-here' },
      off: { ...scriptedServer(), disabled: true },
    },
  }),
  async (served) => {
    await served.gateway.host.tools({ fresh: true });
    await callTool(served.url, 'hostile__echo', { message: HOSTILE });
  },
);

/** The controls that are outside of the window even after scrolling to them. Runs in the page. */
function unreachable(): readonly string[] {
  const controls = document.querySelectorAll('main :is(a, button, select, input, summary)');
  return [...controls]
    .filter((control) => {
      // Folded content can be reached by unfolding it.
      if (!control.checkVisibility()) return false;
      // A visually hidden control is part of a visible label.
      const seen = control.closest('label') ?? control;
      seen.scrollIntoView({ block: 'nearest', inline: 'nearest' });
      const { left, right, top, bottom } = seen.getBoundingClientRect();
      const at = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
      const isOnTop = at !== null && (seen.contains(at) || at.contains(seen));
      return left < 0 || right > innerWidth || !isOnTop;
    })
    .map((control) => control.outerHTML.slice(0, 120));
}

describe('every view of the console', () => {
  verifies('CON-UI');

  it.each([
    ['light', 360],
    ['dark', 3840],
  ] as const)('is for everyone, %s and %i pixels wide', async (colorScheme, width) => {
    const tab = await openPage(shared, { colorScheme, width });
    const { page } = tab;
    for (const { name, title } of VIEWS) {
      await page.evaluate((fragment) => {
        location.hash = fragment;
      }, `#/${name}`);
      await page.getByRole('heading', { level: 1, name: title }).waitFor({ state: 'attached' });
      await page.locator('.loading').waitFor({ state: 'detached' });
      await tab.draw(`view-${name}-${colorScheme}`);
      // There is one live region, so that nothing is announced twice.
      const isSaid = page.locator('[role="status"], [role="alert"], [aria-live]');
      expect([name, await isSaid.count()]).toEqual([name, 1]);
      await tab.expectAccessible();
      const isTooWide = await page.evaluate(
        () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
      );
      expect([name, isTooWide]).toEqual([name, false]);
      // The current view is visible in the navigation, however many there are.
      const current = page.getByRole('navigation').locator('[aria-current]');
      const box = await current.boundingBox();
      expect([name, (box?.x ?? -1) >= 0, (box?.x ?? 0) + (box?.width ?? 0) <= width]).toEqual([
        ...[name, true, true],
      ]);
    }
    tab.expectCalm();
  });

  it('keeps all controls reachable by scrolling at a zoom of 400 %', async () => {
    const tab = await openPage(shared, { width: 320, height: 256 });
    const { page } = tab;
    for (const { name, title } of VIEWS) {
      await page.evaluate((fragment) => {
        location.hash = fragment;
      }, `#/${name}`);
      await page.getByRole('heading', { level: 1, name: title }).waitFor({ state: 'attached' });
      await page.locator('.loading').waitFor({ state: 'detached' });
      expect([name, await page.evaluate(unreachable)]).toEqual([name, []]);
    }
  });

  it('marks the selected item even with system colours, and differently from the focus', async () => {
    const { page } = await openPage(shared, { place: 'servers/hostile' });
    await page.emulateMedia({ forcedColors: 'active' });
    const view = page.getByRole('navigation').getByRole('link', { name: 'Servers' });
    const outlineOf = (of: typeof view): Promise<string> =>
      of.evaluate((element) => getComputedStyle(element).outlineStyle);
    expect(await outlineOf(view)).toBe('dashed');
    expect(await outlineOf(page.locator('.server-row.is-selected'))).toBe('dashed');
    await page.keyboard.press('Tab');
    await view.focus();
    expect(await outlineOf(view)).toBe('solid');
  });

  it('can be reached by keys and by the palette, which finds servers and settings too', async () => {
    const tab = await openPage(shared);
    const { page } = tab;
    for (const { key, title } of VIEWS) {
      await page.keyboard.press('g');
      await page.keyboard.press(key);
      await page.getByRole('heading', { level: 1, name: title }).waitFor({ state: 'attached' });
    }
    const search = page.getByRole('combobox', { name: 'Search for an action' });
    await page.keyboard.press('Control+k');
    await search.pressSequentially('brok');
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'Details of the server' }).waitFor();
    await search.waitFor({ state: 'detached' });
    await page.keyboard.press('Control+k');
    await search.pressSequentially('no such thing');
    // Announced inside of the dialog, since the rest of the page is inert while it is open.
    const heard = page.getByRole('dialog').getByRole('status');
    await heard.filter({ hasText: 'Nothing matches.' }).waitFor();
    expect(await search.getAttribute('aria-expanded')).toBe('false');
    await search.fill('');
    await search.pressSequentially('dark');
    await page.keyboard.press('Enter');
    await search.waitFor({ state: 'detached' });
    expect(await page.evaluate(() => document.documentElement.dataset['theme'])).toBe('dark');
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    await tab.expectAccessible();
  });
});

describe('a server on the console', () => {
  verifies('CON-UI');

  it('cannot disguise its names: invisible characters are spelled out, and markup stays text', async () => {
    const tab = await openPage(shared, { place: 'servers/hostile' });
    const { page } = tab;
    const details = page.getByRole('region', { name: 'Details of the server' });
    // The page shows the configured name, whatever the server calls itself.
    await details.getByRole('heading', { level: 2, name: 'hostile', exact: true }).waitFor();
    await details
      .getByText(/img src=x/)
      .first()
      .waitFor();
    const text = (await page.locator('main').textContent()) ?? '';
    expect(text).toContain('<img src=x onerror=alert(1)>');
    expect(text).toContain('U+202E');
    expect(text).toContain('U+200B');
    expect(await page.locator('main img').count()).toBe(0);
    await page.getByRole('link', { name: 'Log' }).click();
    await page.getByRole('log').locator('.log-line').first().waitFor();
    tab.expectCalm();
  });

  it.each([
    ['servers/hostile'],
    ['definitions'],
    ['tools/hostile'],
    ['context'],
    ['compare/none'],
    ['compare/1/none'],
    ['checks'],
    ['traffic/none'],
  ])('cannot hide characters in the reason for a refusal, at %s', async (place) => {
    const { page } = await openPage(shared);
    const refusal = { status: 409, json: { error: `refused ${HOSTILE}` } };
    await page.route(/\/api\/(?!calls\/1$)/, (route) => route.fulfill(refusal));
    await page.evaluate((fragment) => {
      location.hash = fragment;
    }, `#/${place}`);
    const reason = page.getByRole('main').locator('.empty').filter({ hasText: 'refused' });
    expect(await reason.first().textContent()).toContain('U+202E');
  });

  it('cannot hide characters in the reason why the tool search fails', async () => {
    const { page } = await openPage(shared, { place: 'context' });
    const refusal = { status: 409, json: { error: `refused ${HOSTILE}` } };
    await page.route('**/api/search?*', (route) => route.fulfill(refusal));
    await page.getByRole('searchbox', { name: 'What is to be done' }).fill('add');
    const reason = page.getByRole('main').locator('.empty').filter({ hasText: 'refused' });
    expect(await reason.textContent()).toContain('U+202E');
  });

  it('shows in its doctor which step fails', async () => {
    const tab = await openPage(shared, { place: 'servers/broken/doctor' });
    const { page } = tab;
    await page.getByRole('button', { name: 'Examine' }).click();
    await page.getByRole('heading', { name: 'The server does not work.' }).waitFor();
    const steps = await page.locator('.doctor-step').allTextContents();
    expect(steps.at(-1)).toContain('program');
    expect(steps.at(-1)).toContain('failed');
    await tab.draw('doctor');
    await tab.expectAccessible();
    tab.expectCalm();
  });
});
