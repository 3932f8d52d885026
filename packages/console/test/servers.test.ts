// Actions on servers on the page: connecting, examining a failure, signing in and out, trusting.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type AuthorizationServer,
  type ProtectedServer,
  scriptedServer,
  startAuthorizationServer,
  startProtectedServer,
  verifies,
} from '@plugboard/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPage, sharePage } from './open-page.ts';

let issuer: AuthorizationServer;
let guarded: ProtectedServer;
beforeAll(async () => {
  issuer = await startAuthorizationServer({ approval: 'page' });
  guarded = await startProtectedServer({ issuer });
});
afterAll(async () => {
  await guarded[Symbol.asyncDispose]();
  await issuer[Symbol.asyncDispose]();
});

const shared = sharePage((folder) => {
  const { command, args } = scriptedServer({ builtIns: ['echo'] });
  const project = { mcpServers: { ours: { command, args, env: { API_KEY: 'very-secret' } } } };
  writeFileSync(join(folder, 'project', '.mcp.json'), JSON.stringify(project));
  return {
    files: 'discover',
    servers: {
      fine: scriptedServer({ builtIns: ['echo'] }),
      missing: { command: 'no-such-program-here' },
      dying: scriptedServer({ exitAtStart: { stderr: 'DATABASE_URL is not set', exit: 3 } }),
      guarded: { type: 'http', url: guarded.url },
    },
  };
});

describe('the servers of the console', () => {
  verifies('CON-UI');

  it('can be connected all at once, and show the problem of each', async () => {
    const tab = await openPage(shared, { place: 'servers' });
    const { page } = tab;
    const row = (name: string) => page.getByRole('listitem').filter({ hasText: name });
    await row('fine').getByText('tools not known yet').waitFor();
    await page.getByRole('button', { name: 'Connect all' }).click();
    await row('fine').getByText('1 tool', { exact: false }).waitFor();
    await row('missing').getByText('"no-such-program-here" is not installed').waitFor();
    await row('dying').getByText('DATABASE_URL is not set').waitFor();
    await row('guarded').getByText('needs you to sign in').waitFor();
    await row('ours').getByText('not trusted').waitFor();
    expect(await page.getByRole('button', { name: 'Connect all' }).count()).toBe(0);
    // The failures are announced in one sentence.
    const heard = page.getByRole('status').filter({ hasText: 'ready' });
    expect(await heard.textContent()).toBe(
      '1 of 4 servers ready; dying: failed; guarded: needs sign-in; missing: failed.',
    );
    await tab.draw('servers-connected');
    await tab.expectAccessible();
    // A failed server opens with its doctor.
    await page.getByRole('link', { name: 'missing' }).click();
    await page.getByRole('button', { name: 'Examine' }).waitFor();
    await page.getByRole('button', { name: 'Restart' }).click();
    await page.getByText('Restart missing: failed.').waitFor({ state: 'attached' });
    tab.expectCalm();
  });
});

describe('the palette', () => {
  verifies('CON-UI');

  it('restarts a server, opens its doctor and its log, and goes to a tool', async () => {
    const tab = await openPage(shared, { place: 'servers/fine' });
    const { page } = tab;
    const connect = page.getByRole('button', { name: 'Connect', exact: true });
    const restart = page.getByRole('button', { name: 'Restart', exact: true });
    await connect.or(restart).waitFor();
    if (await connect.isVisible()) await connect.click();
    await restart.waitFor();
    const search = page.getByRole('combobox', { name: 'Search for an action' });
    const choose = async (typed: string, option: string): Promise<void> => {
      await page.keyboard.press('Control+k');
      await search.pressSequentially(typed);
      await page.locator('[role=option][aria-selected=true]', { hasText: option }).waitFor();
      await tab.expectAccessible();
      await page.keyboard.press('Enter');
      await search.waitFor({ state: 'detached' });
    };
    const before = shared.served.gateway.host.servers.find(({ name }) => name === 'fine')?.state;
    await choose('restart fine', 'Restart fine');
    await expect
      .poll(() => {
        const now = shared.served.gateway.host.servers.find(({ name }) => name === 'fine')?.state;
        return now?.kind === 'ready' && before?.kind === 'ready' && now.since > before.since;
      })
      .toBe(true);
    await choose('examine miss', 'Examine missing with the doctor');
    await page.getByRole('button', { name: 'Examine' }).waitFor();
    await choose('log of fine', 'Log of fine');
    await page.getByRole('log').waitFor();
    await choose('run echo fine', 'Run echo of fine');
    await page.getByRole('textbox', { name: /^message/ }).waitFor();
    tab.expectCalm();
    // A failed action is shown on the page.
    await page.route('**/api/servers/fine', (route) =>
      route.request().method() === 'POST' ? route.abort() : route.continue(),
    );
    await choose('disable fine', 'Disable fine');
    await page.locator('.toast').getByText('Disable fine: The gateway does not answer.').waitFor();
    await tab.expectAccessible();
  });
});

describe('a server that requires a sign-in', () => {
  verifies('CON-UI');

  it('can be signed in to on a page that opens beside this one, and signed out of', async () => {
    const tab = await openPage(shared, { place: 'servers/guarded' });
    const { page } = tab;
    const connect = page.getByRole('button', { name: 'Connect', exact: true });
    const signIn = page.getByRole('button', { name: 'Sign in', exact: true });
    await connect.or(signIn).waitFor();
    if (await connect.isVisible()) await connect.click();
    await signIn.click();
    await page.getByRole('link', { name: 'look at it and open it' }).click();
    const card = page.getByRole('article').filter({ hasText: 'guarded wants you to visit' });
    expect(await card.innerText()).toContain(new URL(issuer.issuer).host);
    await tab.draw('sign-in');
    await tab.expectAccessible();
    const opening = page.context().waitForEvent('page');
    await card.getByRole('link', { name: /^Open the page/ }).click();
    const popup = await opening;
    const allow = popup.getByRole('button', { name: 'Allow' });
    await allow.waitFor();
    // The page of the authorization server cannot access this one.
    expect(await popup.evaluate(() => globalThis.opener)).toBeNull();
    await allow.click();
    await card.waitFor({ state: 'detached' });
    await page.getByText('answered', { exact: true }).waitFor();
    await page.evaluate(() => {
      location.hash = '#/servers/guarded';
    });
    const details = page.getByRole('region', { name: 'Details of the server' });
    await details.getByText(`at ${issuer.issuer}`).waitFor();
    await details.getByText('ready', { exact: true }).waitFor();
    expect(guarded.admitted.length).toBeGreaterThan(0);
    await tab.expectAccessible();
    const signOut = details.getByRole('button', { name: 'Sign out' });
    await signOut.click();
    await details.getByText('needs you to sign in').waitFor();
    await signIn.waitFor();
    // The account is read after the state is known.
    await signOut.waitFor({ state: 'detached' });
  });
});

describe('a server that came with a folder', () => {
  verifies('CON-UI');

  it('starts only after the user has seen and trusted what it would start', async () => {
    const tab = await openPage(shared, { place: 'servers/ours' });
    const { page } = tab;
    const would = page.getByRole('region', { name: 'What would start' });
    await would.waitFor();
    const text = await would.innerText();
    expect(text).toContain(process.execPath);
    expect(text).toContain('API_KEY');
    expect(text).not.toContain('very-secret');
    await tab.draw('trust');
    await tab.expectAccessible();
    await would.getByRole('button', { name: 'Trust as shown' }).click();
    await would.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    await page.getByText('ready', { exact: true }).first().waitFor();
    await page.getByText('echo', { exact: true }).waitFor();
    tab.expectCalm();
  });
});
