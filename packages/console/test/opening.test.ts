// Opening the page.

import { verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { openPage, sharePage } from './open-page.ts';

const shared = sharePage(() => ({
  servers: { broken: { command: 'no-such-program-here' } },
}));

describe('the page', () => {
  verifies('CON-UI');

  it('is opened by an address that works once, and removes the token from the address bar', async () => {
    const { page, expectCalm } = await openPage(shared);
    expect(page.url()).toMatch(/\/console\/$/);
    expectCalm();
    await page.reload();
    await page.getByText('Live', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Sign out of the console' }).click();
    await page.getByRole('heading', { name: 'This page is signed out' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'This page is signed out' }).waitFor();
    const stranger = await shared.browser.open();
    await stranger.page.goto(page.url());
    await stranger.page.getByRole('heading', { name: 'This page is signed out' }).waitFor();
  });
});
