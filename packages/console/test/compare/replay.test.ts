// A recorded call that is run again, as it was and edited, compared, and saved.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Scope } from '@plugboard/base';
import {
  missingBrowser,
  scriptedServer,
  startBrowser,
  type TestBrowser,
  verifies,
} from '@plugboard/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openPage, type ServedPage, servePage } from '../open-page.ts';
import { callTool } from '../traffic/recorded-traffic.ts';

const missing = missingBrowser();
beforeEach(({ skip }) => skip(missing !== undefined, missing));

const scope = new Scope();
let browser: TestBrowser;
let served: ServedPage;

beforeAll(async () => {
  if (missing !== undefined) return;
  browser = await startBrowser();
  scope.defer(async () => browser[Symbol.asyncDispose]());
  const host = { approve: () => ({ kind: 'allow' }) as const, servers: { one: scriptedServer() } };
  served = await servePage(scope, host);
  await callTool(served.url, 'one__echo', { message: 'first' });
});
afterAll(() => scope.close());

describe('a recorded call', () => {
  verifies('CON-UI');

  it('is run again as it was, and edited, and the two answers are compared', async () => {
    const tab = await openPage(browser, served, { place: 'traffic/1' });
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

  it('is saved with what its answer has to be, once the recorded one passes', async () => {
    const tab = await openPage(browser, served, { place: 'traffic/1' });
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
    expect(JSON.parse(await readFile(join(served.folder, 'project/checks.json'), 'utf8'))).toEqual({
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

  it('is exported with secrets hidden, and the file is opened, replayed and closed again', async () => {
    await callTool(served.url, 'one__echo', { message: 'exported', apiKey: 'sk-very-secret' });
    const tab = await openPage(browser, served, { place: 'traffic' });
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
