// How the page is opened.

import { Scope } from '@plugboard/base';
import { missingBrowser, startBrowser, type TestBrowser, verifies } from '@plugboard/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openPage, type ServedPage, servePage } from './open-page.ts';

const missing = missingBrowser();
beforeEach(({ skip }) => skip(missing !== undefined, missing));

const scope = new Scope();
let browser: TestBrowser;
let served: ServedPage;

beforeAll(async () => {
  if (missing !== undefined) return;
  browser = await startBrowser();
  scope.defer(async () => browser[Symbol.asyncDispose]());
  served = await servePage(scope, {
    servers: { broken: { command: 'no-such-program-here' } },
  });
});
afterAll(() => scope.close());

describe('the page', () => {
  verifies('CON-UI');

  it('is opened by an address that works once, and does not keep the token in sight', async () => {
    const { page, expectCalm } = await openPage(browser, served);
    expect(page.url()).toMatch(/\/console\/$/);
    expectCalm();
    await page.reload();
    await page.getByText('Live', { exact: true }).waitFor();
    const stranger = await browser.open();
    await stranger.page.goto(page.url());
    await stranger.page.getByRole('heading', { name: 'This page is signed out' }).waitFor();
  });
});
