import { ok } from '@plugboard/base';
import {
  type BrowserTab,
  missingBrowser,
  startBrowser,
  type TestBrowser,
  verifies,
} from '@plugboard/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Browser, loopbackBrowser } from '../../src/auth/index.ts';
import { inBrowser } from './following-browser.ts';
import { guardedHost, look, SEEN, SERVER } from './guarded-host.ts';
import { guardedPair } from './guarded-pair.ts';

const missing = missingBrowser();
beforeEach(({ skip }) => skip(missing !== undefined, missing));

let chromium: TestBrowser;
beforeAll(async () => {
  if (missing === undefined) chromium = await startBrowser();
});
afterAll(() => chromium?.[Symbol.asyncDispose]());

/** A user who reads the page and presses a button. */
function pressing(button: 'Allow' | 'Deny', { page }: BrowserTab): Browser {
  return loopbackBrowser({
    async show(url) {
      await page.goto(url.href);
      await page.getByRole('button', { name: button }).click();
      return ok(undefined);
    },
  });
}

/** The sign-in may be over before the page is drawn. */
async function arrived({ page }: BrowserTab): Promise<void> {
  await page.waitForURL('**/callback?**');
}

/** Everything that a person and a program can see of a page. */
async function seen({ page }: BrowserTab) {
  return {
    title: await page.title(),
    heading: await page.getByRole('heading', { level: 1 }).innerText(),
    words: await page.getByRole('main').innerText(),
    dom: await page.content(),
  };
}

describe('a sign-in in a real browser', () => {
  it.each(['light', 'dark'] as const)(
    'ends on a page that confirms it, and reveals nothing (%s)',
    async (colorScheme) => {
      verifies('AUT-04');
      await using guarded = await guardedPair({ issuer: { approval: 'page' } });
      const { issuer, url } = guarded;
      const tab = await chromium.open({ colorScheme });
      await using host = await guardedHost({ url });

      const outcome = await host.login(SERVER, inBrowser(pressing('Allow', tab)));

      expect(outcome).toMatchObject({ kind: 'signed-in', issuer: issuer.issuer });
      expect(await look(host)).toEqual(SEEN);
      await arrived(tab);
      await tab.draw(`callback-page-${colorScheme}`);
      const { title, heading, words, dom } = await seen(tab);
      expect(title).toBe('Sign-in received – Plugboard');
      expect(heading).toBe('Sign-in received');
      expect(words).toContain(`Plugboard finishes signing in to ${new URL(url).host}.`);
      expect(words).toContain('You can close this tab');
      const [callback = ''] = tab.requests.filter((request) => request.includes('/callback?'));
      for (const secret of issuer.everySecret()) expect(dom).not.toContain(secret);
      for (const value of new URL(callback).searchParams.values()) {
        expect(dom).not.toContain(value);
      }
      const origins = new Set(tab.requests.map((request) => new URL(request).origin));
      expect(origins).toEqual(new Set([issuer.origin, new URL(callback).origin]));
      expect(tab.complaints).toEqual([]);
    },
  );

  it('that is denied shows a page that says so', async () => {
    verifies('AUT-04');
    await using guarded = await guardedPair({ issuer: { approval: 'page' } });
    const { issuer, url } = guarded;
    const tab = await chromium.open();
    await using host = await guardedHost({ url });
    expect(await host.login(SERVER, inBrowser(pressing('Deny', tab)))).toEqual({
      kind: 'not-signed-in',
      server: SERVER,
      problem: { kind: 'denied', issuer: issuer.issuer, error: 'access_denied' },
    });
    await arrived(tab);
    await tab.draw('callback-page-denied');
    const { title, heading, words } = await seen(tab);
    expect(title).toBe('Not signed in – Plugboard');
    expect(heading).toBe('Not signed in');
    expect(words).toContain(`The sign-in to ${new URL(url).host} was not completed.`);
    expect(tab.complaints).toEqual([]);
  });

  it('ends on a page that is readable in both colour schemes, and runs no script', async () => {
    await using guarded = await guardedPair({ issuer: { approval: 'page' } });
    for (const colorScheme of ['light', 'dark'] as const) {
      const tab = await chromium.open({ colorScheme });
      await using host = await guardedHost({ url: guarded.url });
      await host.login(SERVER, inBrowser(pressing('Allow', tab)));
      await arrived(tab);
      const texts = await tab.page.evaluate<Text[]>(TEXTS);
      expect(texts.length).toBe(5);
      expect(texts.filter((text) => contrast(text) < 4.5)).toEqual([]);
      expect(await tab.page.locator('script').count()).toBe(0);
      expect(await tab.page.locator('html').getAttribute('lang')).toBe('en');
    }
  });
});

interface Text {
  readonly text: string;
  readonly color: string;
  readonly behind: string;
}

/** Runs in the page, where the types of this file do not apply. */
const TEXTS = `(() => {
  const behind = getComputedStyle(document.querySelector('main')).backgroundColor;
  return [...document.querySelectorAll('h1, p, b, footer')].map((element) => {
    return { text: element.textContent, color: getComputedStyle(element).color, behind };
  });
})()`;

/** https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio */
function contrast({ color, behind }: Text): number {
  const [front, back] = [luminance(color), luminance(behind)];
  return (Math.max(front, back) + 0.05) / (Math.min(front, back) + 0.05);
}

/** Of `rgb(1, 2, 3)`. */
function luminance(color: string): number {
  const [r = 0, g = 0, b = 0] = (color.match(/\d+/g) ?? []).map((part) => {
    const value = Number(part) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
