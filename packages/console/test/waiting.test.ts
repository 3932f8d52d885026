// Approvals and questions on the page: they appear at once, are answered by keyboard, and rules are made of them.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { scriptedServer, verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { type RawAnswer, RawSession } from '../../gateway/test/attacks/raw-http.ts';
import { callTool, openPage, sharePage } from './open-page.ts';

const shared = sharePage(() => ({
  files: 'discover',
  servers: { one: scriptedServer({ builtIns: ['echo'], asking: true, eras: ['legacy'] }) },
  permissions: { allow: ['one/ask'] },
}));

const FORM = {
  mode: 'form',
  message: 'Whom shall I greet?',
  requestedSchema: {
    type: 'object',
    properties: {
      name: { type: 'string', title: 'Name', minLength: 2 },
      tone: { type: 'string', title: 'Tone', enum: ['warm', 'formal'], default: 'warm' },
    },
    required: ['name'],
  },
};

describe('a call or question that waits for the user', () => {
  verifies('CON-UI');

  it('appears on every view, shows what exactly will run, and can be answered by keys', async () => {
    const tab = await openPage(shared);
    const { page } = tab;
    const called = callTool(shared.served.url, 'one__echo', { message: 'hi \u202Eevil' });
    await page.getByText('1 answer wanted').waitFor();
    await tab.expectAccessible();
    await page.keyboard.press('g');
    await page.keyboard.press('w');
    await page.getByRole('heading', { name: 'Run echo of one?' }).waitFor();
    const card = page.getByRole('article');
    // The card says how much time is left.
    expect(await card.textContent()).toMatch(
      /can be answered until \d\d:\d\d:\d\d \([45] minutes left\)/,
    );
    // Characters that change the writing direction are shown as their code.
    expect(await card.textContent()).toContain('U+202E');
    await tab.draw('waiting-approval');
    await tab.expectAccessible();
    await page.getByRole('button', { name: /^Allow once/, disabled: false }).waitFor();
    await page.keyboard.press('a');
    expect((await called).text).toContain('hi');
    await page.getByRole('heading', { name: 'Nothing waits' }).waitFor();
    await page.getByText('allowed', { exact: true }).waitFor();
    tab.expectCalm();
  });

  it('shows the time left by the minute, and announces once that it is one minute', async () => {
    const tab = await openPage(shared);
    const { page } = tab;
    await page.clock.install();
    const called = callTool(shared.served.url, 'one__echo', { message: 'late' });
    await page.getByText('1 answer wanted').waitFor();
    const said = page.locator('[aria-live=polite]').first();
    await said.getByText('1 waiting for your answer: echo of one.').waitFor();
    const warnings = await page.evaluateHandle(() => {
      const heard: string[] = [];
      const place = document.querySelector('[aria-live=polite]');
      if (place === null) throw new Error('nothing is said on this page');
      new MutationObserver(() => heard.push(place.textContent)).observe(place, {
        childList: true,
        characterData: true,
        subtree: true,
      });
      return heard;
    });
    // On a view without the card.
    await page.clock.fastForward('03:30');
    expect(await warnings.jsonValue()).toEqual([]);
    await page.clock.fastForward('00:31');
    await said.getByText('One minute left to answer: echo of one.').waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('w');
    const card = page.getByRole('article');
    await card.getByText('less than a minute left').waitFor();
    await page.clock.fastForward('00:20');
    expect(await warnings.jsonValue()).toEqual(['One minute left to answer: echo of one.']);
    await page.clock.runFor(1000);
    await page.getByRole('button', { name: /^Allow once/, disabled: false }).waitFor();
    await page.keyboard.press('a');
    expect((await called).text).toContain('late');
    tab.expectCalm();
  });

  it('may be a call run on this page, whose form and result are kept while the user answers it', async () => {
    const tab = await openPage(shared, { place: 'tools/one/tool/echo' });
    const { page } = tab;
    await page.getByRole('textbox', { name: /^message/ }).fill('still there');
    await page.keyboard.press('Control+Enter');
    await page.getByText('1 approval or question waiting').waitFor();
    await page.getByRole('link', { name: 'answer', exact: true }).click();
    await page.getByRole('heading', { name: 'Run echo of one?' }).waitFor();
    await page.getByRole('button', { name: /^Allow once/, disabled: false }).click();
    await page.getByRole('heading', { name: 'Nothing waits' }).waitFor();
    for (const back of ['by keys', 'by the button of the browser']) {
      if (back === 'by keys') await page.keyboard.type('gt');
      else await page.goBack();
      const result = page.getByRole('region', { name: 'Result' });
      await result.getByText('still there').waitFor();
      const field = page.getByRole('textbox', { name: /^message/ });
      expect(await field.inputValue()).toBe('still there');
      await page.keyboard.type('gw');
      await page.getByRole('heading', { name: 'Nothing waits' }).waitFor();
    }
    await page.reload();
    await page.keyboard.type('gt');
    await page.getByRole('link', { name: /^echo/ }).click();
    await page.getByRole('button', { name: /^Run/ }).waitFor();
    expect(await page.getByText('still there').count()).toBe(0);
    tab.expectCalm();
  });

  it('can be denied by a key, and made into a rule, which is shown before it is written', async () => {
    const tab = await openPage(shared, { place: 'waiting', colorScheme: 'dark' });
    const { page } = tab;
    const called = callTool(shared.served.url, 'one__echo', { message: 'no' });
    await page.getByRole('heading', { name: 'Run echo of one?' }).waitFor();
    await page.keyboard.press('d');
    expect((await called).text).toContain('the user said no');
    // A rule can also be made in the details of the call.
    const decided = page.getByRole('listitem').filter({ hasText: 'denied' });
    await decided.getByRole('link', { name: 'Messages' }).click();
    const decision = page.getByRole('region', { name: 'Decision' });
    await decision.getByText('a person denied it').waitFor();
    await decision.getByRole('button', { name: 'Make a rule of this' }).click();
    await page.getByRole('dialog').getByText('"allow"').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('g');
    await page.keyboard.press('w');
    await decided.getByRole('link', { name: 'Messages' }).waitFor();
    await page.getByRole('button', { name: 'Make a rule of this' }).first().click();
    const dialog = page.getByRole('dialog');
    // An input under its label needs a forced click, which does not wait until the dialog has stopped moving.
    const withValues = dialog.getByRole('radio', { name: 'With these values' });
    await expect
      .poll(() =>
        withValues.check({ force: true }).then(
          () => true,
          () => false,
        ),
      )
      .toBe(true);
    await dialog.getByText('"equals": "no"').waitFor();
    const file = join(shared.served.folder, 'config', 'settings.json');
    await dialog.getByText(file).waitFor();
    await tab.draw('waiting-rule');
    await tab.expectAccessible();
    await expect(readFile(file)).rejects.toThrow();
    await dialog.getByRole('button', { name: 'Write this rule' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({
      permissions: {
        deny: [{ tool: 'one/echo', arguments: [{ path: '/message', equals: 'no' }] }],
      },
    });
    tab.expectCalm();
  });

  it('does not get the answer to a call that was withdrawn a moment ago', async () => {
    const tab = await openPage(shared, { place: 'waiting' });
    const { page } = tab;
    const session = await RawSession.begin(shared.served.url);
    const call = (id: number, message: string): Promise<RawAnswer> =>
      session.post({
        id,
        method: 'tools/call',
        params: { name: 'one__echo', arguments: { message } },
      });
    const harmless = call(1, 'harmless');
    await page.getByRole('article').getByText('harmless').waitFor();
    const harmful = call(2, 'harmful');
    await page.getByRole('article').getByText('harmful').waitFor();
    // Both have been visible long enough.
    const allows = page.getByRole('button', { name: /^Allow once/, disabled: false });
    await expect.poll(() => allows.count()).toBe(2);
    // A key and a click just after the second call has taken the place of the first.
    const answered = page.evaluate(
      () =>
        new Promise<string>((resolve) => {
          const observer = new MutationObserver(() => {
            if (document.querySelectorAll('article').length !== 1) return;
            observer.disconnect();
            dispatchEvent(new KeyboardEvent('keydown', { key: 'a' }));
            const button = document.querySelector<HTMLButtonElement>('article .button-main');
            button?.click();
            resolve(button?.textContent ?? '');
          });
          observer.observe(document.body, { childList: true, subtree: true });
        }),
    );
    await session.post({ method: 'notifications/cancelled', params: { requestId: 1 } });
    expect(await answered).toContain('Allow once');
    await page.getByRole('button', { name: /^Deny/ }).click();
    expect((await harmful).text).toContain('the user said no');
    await harmless;
  });

  it('may be a form of a server, which can be filled in and sent by keyboard alone', async () => {
    const tab = await openPage(shared, { place: 'waiting', width: 360 });
    const { page } = tab;
    const asked = callTool(shared.served.url, 'one__ask', {
      method: 'elicitation/create',
      params: FORM,
    });
    await page.getByText(FORM.message).waitFor();
    await page.keyboard.press('Control+Enter');
    // Sent too early: the missing field gets the focus.
    await page.locator('input:focus').waitFor();
    await page.keyboard.type('Ada');
    await tab.draw('waiting-form-360');
    await tab.expectAccessible();
    await page.getByRole('button', { name: /^Send/, disabled: false }).waitFor();
    await page.keyboard.press('Control+Enter');
    expect((await asked).text).toContain('Ada');
    tab.expectCalm();
  });

  it('may be a page of a server, which opens outside of the console and can be declined', async () => {
    const tab = await openPage(shared, { place: 'waiting' });
    const { page } = tab;
    const params = {
      mode: 'url',
      message: 'Sign in',
      url: 'https://xn--bcher-kva.test/',
      elicitationId: 'e',
    };
    const asked = callTool(shared.served.url, 'one__ask', { method: 'elicitation/create', params });
    const link = page.getByRole('link', { name: 'Open the page of xn--bcher-kva.test' });
    await link.waitFor();
    expect(await link.getAttribute('rel')).toBe('noopener noreferrer');
    await page.getByText('letters that may look like those of another host').waitFor();
    await tab.draw('waiting-page');
    await tab.expectAccessible();
    await page.keyboard.press('d');
    expect((await asked).text).toContain('decline');
    tab.expectCalm();
  });

  it('is announced even while a dialog hides the rest of the page from screen readers', async () => {
    const tab = await openPage(shared);
    const { page } = tab;
    const first = callTool(shared.served.url, 'one__echo', { message: 'before' });
    await page.getByText('1 answer wanted').waitFor();
    await page.keyboard.press('?');
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    const debug = await page.context().newCDPSession(page);
    /** The text of the live regions that a screen reader can reach. */
    const heard = async (): Promise<readonly string[]> => {
      const { nodes } = await debug.send('Accessibility.getFullAXTree');
      const places = nodes.filter(({ role, ignored }) => !ignored && role?.value === 'status');
      const inside = new Set(places.flatMap(({ childIds = [] }) => childIds));
      return nodes
        .filter(({ nodeId, ignored }) => inside.has(nodeId) && !ignored)
        .map(({ name }) => String(name?.value));
    };
    expect(await heard()).toEqual([]);
    const second = callTool(shared.served.url, 'one__echo', { message: 'meanwhile' });
    await expect.poll(heard).toEqual(['2 waiting for your answer, 1 of them new: echo of one.']);
    await tab.expectAccessible();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.keyboard.type('gw');
    for (const left of ['1 answer wanted', 'Nothing waits']) {
      await page.getByRole('button', { name: /^Deny/ }).first().click();
      await page.getByRole('heading', { name: left }).waitFor();
    }
    await Promise.all([first, second]);
    tab.expectCalm();
  });
});
