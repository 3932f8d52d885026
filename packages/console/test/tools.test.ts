// Running tools on the page: forms, results and MCP Apps.

import { everything, scriptedServer, verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { openPage, sharePage } from './open-page.ts';

const APP = 'ui://clock/app.html';

/** An app that speaks the protocol by hand, and tries what it must not be able to do. */
const PAGE = `<!doctype html><p id="out">waiting</p><script>
const out = document.querySelector('#out');
let id = 0;
const open = new Map();
const ask = (method, params) => new Promise((resolve) => {
  open.set(++id, resolve);
  parent.postMessage({ jsonrpc: '2.0', id, method, params }, '*');
});
const tried = [];
try { tried.push('parent ' + top.document.title); } catch { tried.push('no parent'); }
try { tried.push('cookie ' + document.cookie); } catch { tried.push('no cookie'); }
fetch('/').then(() => tried.push('fetched'), () => tried.push('no network'));
addEventListener('message', async ({ data }) => {
  if (data.id !== undefined && open.has(data.id)) open.get(data.id)(data.result ?? data.error);
  if (data.method === 'ui/notifications/tool-result') {
    const again = await ask('tools/call', { name: 'echo', arguments: { message: 'from the app' } });
    await ask('ui/open-link', { url: 'https://example.test/more' });
    out.textContent = [data.params.content[0].text, again.content[0].text, ...tried].join('; ');
  }
});
ask('ui/initialize', { protocolVersion: '2026-01-26', appInfo: { name: 'clock', version: '1' }, appCapabilities: {} })
  .then(() => parent.postMessage({ jsonrpc: '2.0', method: 'ui/notifications/initialized', params: {} }, '*'));
</script>`;

/** 800 samples at 8 kHz. */
function wave(): string {
  const samples = 800;
  const bytes = Buffer.alloc(44 + samples, 128);
  bytes.write('RIFF', 0);
  bytes.writeUInt32LE(36 + samples, 4);
  bytes.write('WAVEfmt ', 8);
  bytes.writeUInt32LE(16, 16);
  bytes.writeUInt16LE(1, 20);
  bytes.writeUInt16LE(1, 22);
  bytes.writeUInt32LE(8000, 24);
  bytes.writeUInt32LE(8000, 28);
  bytes.writeUInt16LE(1, 32);
  bytes.writeUInt16LE(8, 34);
  bytes.write('data', 36);
  bytes.writeUInt32LE(samples, 40);
  return bytes.toString('base64');
}

/** The dangerous address is last, where the user may overlook it. */
const CSP = {
  decoys: Array.from({ length: 30 }, (_, index) => `https://decoy${index}.test`),
  connectDomains: ['https://api.example.test'],
  frameDomains: Array.from({ length: 30 }, (_, index) => `https://frame${index}.test`),
};

const shared = sharePage(() => ({
  approve: () => ({ kind: 'allow' }),
  servers: {
    everything: everything(),
    sounds: scriptedServer({
      builtIns: [],
      tools: [
        {
          name: 'beep',
          result: {
            content: [
              { type: 'audio', mimeType: 'audio/wav', data: wave() },
              { type: 'audio', mimeType: 'audio/ogg', data: btoa('<script>alert(1)</script>') },
            ],
          },
        },
      ],
    }),
    clock: scriptedServer({
      builtIns: ['echo'],
      eras: ['modern'],
      tools: [
        {
          name: 'time',
          description: 'The time <b>now</b>',
          inputSchema: {
            type: 'object',
            properties: {
              zone: { type: 'string', enum: ['UTC', 'CET'], default: 'CET' },
              places: {
                type: 'array',
                items: {
                  oneOf: [
                    { title: 'City', type: 'object', properties: { city: { type: 'string' } } },
                    { title: 'Number', type: 'integer' },
                  ],
                },
              },
            },
          },
          result: {
            content: [{ type: 'text', text: 'It is <img src=x onerror=alert(1)> noon' }],
          },
          _meta: { ui: { resourceUri: APP } },
        },
      ],
      library: {
        resources: [
          {
            uri: APP,
            name: 'app',
            mimeType: 'text/html;profile=mcp-app',
            text: PAGE,
            _meta: { ui: { csp: CSP } },
          },
        ],
      },
    }),
  },
}));

describe('a tool on the console', () => {
  verifies('CON-UI');

  it('can be run from a nested form that is in sync with its JSON, and its result is never HTML', async () => {
    const tab = await openPage(shared, { place: 'tools/clock/tool/time' });
    const { page } = tab;
    await page.getByLabel('zone', { exact: true }).waitFor();
    await page.getByRole('button', { name: /Add/ }).first().click();
    await page.getByRole('radio', { name: 'JSON' }).check({ force: true });
    const json = page.getByLabel('Arguments as JSON');
    expect(await json.inputValue()).toContain('"CET"');
    await json.fill('{ "zone": "UTC", "places": [7] }');
    await page.getByRole('radio', { name: 'Form' }).check({ force: true });
    const zone = page.getByLabel('zone', { exact: true }).locator('option:checked');
    expect(await zone.textContent()).toBe('UTC');
    await tab.expectAccessible();
    await page.keyboard.press('Control+Enter');
    const result = page.getByRole('region', { name: 'Result' });
    await result.waitFor();
    expect(await result.textContent()).toContain('<img src=x onerror=alert(1)>');
    expect(await page.locator('.result img').count()).toBe(0);
  });

  it('shows its MCP App in a frame of another origin that reaches nothing but its server', async () => {
    const tab = await openPage(shared, { place: 'tools/clock/tool/time' });
    const { page } = tab;
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    const out = page.frameLocator('.app-frame').frameLocator('iframe').locator('#out');
    await out.getByText('from the app').waitFor();
    const text = (await out.textContent()) ?? '';
    expect(text).toContain('It is <img src=x onerror=alert(1)> noon');
    for (const denied of ['no parent', 'no cookie', 'no network']) expect(text).toContain(denied);
    await page.getByText('Let the app reach https://api.example.test').waitFor();
    await page.getByRole('link', { name: 'https://example.test/more' }).waitFor();
    await tab.draw('tools-app');
    const { origin } = new URL(page.url());
    const origins = new Set(tab.requests.map((each) => new URL(each).origin));
    const [apps] = [...origins].filter((each) => each !== origin && each !== 'null');
    expect(apps).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    const frame = await fetch(
      `${apps}/?csp=${encodeURIComponent('{"connectDomains":["https://a.test","https://b.test; script-src *"]}')}`,
    );
    const policy = frame.headers.get('content-security-policy') ?? '';
    expect(policy).toContain('connect-src https://a.test;');
    expect(policy).not.toContain('b.test');
    expect(policy).toContain(`frame-ancestors ${origin} `);
    expect((await fetch(`${apps}/mcp`)).status).toBe(404);
  });

  it('lets its MCP App reach only the addresses that were shown before the user allowed them', async () => {
    const tab = await openPage(shared, { place: 'tools/clock/tool/time' });
    const { page } = tab;
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    const box = page.getByRole('checkbox', { name: /^Let the app reach/ });
    await box.waitFor();
    const shown = (await page.getByText('Let the app reach').textContent()) ?? '';
    expect(shown).toContain('https://api.example.test');
    const frameOf = (): string => tab.requests.findLast((each) => each.includes('csp=')) ?? '';
    await expect.poll(frameOf).toContain('csp=');
    const closed = await fetch(frameOf());
    expect(closed.headers.get('connection-allowlist')).toBe('(response-origin)');
    await box.check();
    await expect.poll(() => decodeURIComponent(frameOf())).toContain('api.example.test');
    const opened = await fetch(frameOf());
    const policies = ['content-security-policy', 'connection-allowlist'].map(
      (name) => opened.headers.get(name) ?? '',
    );
    for (const policy of policies) {
      const reached = policy.match(/https:\/\/[\w.-]+/g) ?? [];
      expect(reached).toContain('https://api.example.test');
      for (const address of reached) expect(shown).toContain(address);
    }
    expect(policies[0]).not.toContain('decoy');
  });

  it('plays real sounds, and does not play other data that claims to be a sound', async () => {
    const tab = await openPage(shared, { place: 'tools/sounds/tool/beep' });
    const { page } = tab;
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    const result = page.getByRole('region', { name: 'Result' });
    await result.waitFor();
    const sound = result.locator('audio');
    await expect.poll(() => sound.count()).toBe(1);
    // A tenth of a second, as measured by the browser.
    await expect
      .poll(() => sound.evaluate((element: HTMLAudioElement) => element.duration))
      .toBeCloseTo(0.1, 2);
    expect(await sound.getAttribute('autoplay')).toBeNull();
    expect(await result.textContent()).toContain('audio/ogg');
    await tab.draw('tools-audio');
    await tab.expectAccessible();
    tab.expectCalm();
  });

  it('shows pictures, links and structured results of a real server', async () => {
    const tab = await openPage(shared, { place: 'tools/everything/tool/get-tiny-image' });
    const { page } = tab;
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByRole('img', { name: /Picture of the result/ }).waitFor();
    await page.evaluate(() => {
      location.hash = '#/tools/everything/tool/get-structured-content';
    });
    await page.locator('.schema-form select').selectOption('Chicago');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByRole('heading', { name: 'Structured content', exact: true }).waitFor();
    await page.evaluate(() => {
      location.hash = '#/tools/everything/prompt/args-prompt';
    });
    await page.locator('.schema-form input[type=text]').first().fill('Bern');
    await page.keyboard.press('Control+Enter');
    const result = page.getByRole('region', { name: 'Result' });
    await result.waitFor();
    expect(await result.textContent()).toContain('Bern');
    await tab.draw('tools-prompt');
    await tab.expectAccessible();
    tab.expectCalm();
  });
});
