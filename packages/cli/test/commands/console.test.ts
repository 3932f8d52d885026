// `plugboard console` as a process: the page that it opens, its output and its end.

import { once } from 'node:events';
import { readFile, stat } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { scriptedServer, verifies, waitUntil } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { browserIn } from '../chat/browser.ts';
import { finished, type Sandbox, sandbox } from '../sandbox.ts';

interface Opened extends AsyncDisposable {
  readonly told: { readonly url: string; readonly console: string; readonly servers: string[] };
}

/** Its output for programs. */
async function opened(box: Sandbox, ...words: readonly string[]): Promise<Opened> {
  const child = box.start([...words, '--json']);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const first = await lines.next();
  if (first.done === true) throw new Error('it did not start');
  return {
    told: JSON.parse(first.value) as Opened['told'],
    async [Symbol.asyncDispose]() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      expect(await ended).toEqual([0, null]);
    },
  };
}

/** The requests of a page that is opened with the address. */
async function enter(launch: string): Promise<Response> {
  const { origin, hash } = new URL(launch);
  const token = new URLSearchParams(hash.slice(1)).get('token');
  return fetch(`${origin}/console/session`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Plugboard-Console': '1' },
    body: JSON.stringify({ token }),
  });
}

async function stateWith(launch: string, cookie: string): Promise<unknown> {
  const state = await fetch(`${new URL(launch).origin}/console/api/state`, {
    headers: { Cookie: cookie.split(';')[0] ?? '' },
  });
  return state.json();
}

describe('plugboard console', () => {
  verifies('CON-UI');

  it('opens the page in the browser with an address that works once', async () => {
    await using box = await sandbox({ one: scriptedServer() });
    const browser = await browserIn(box);
    const child = box.start(['console', '--port', '0'], { env: browser.env });
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
    const launch = await browser.opened();
    expect(launch).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/console\/#token=[\w-]{43}$/);
    const first = await enter(launch);
    expect(first.status).toBe(200);
    expect(await stateWith(launch, first.headers.get('set-cookie') ?? '')).toMatchObject({
      gateway: { isAdministrator: true },
      servers: [{ name: 'one' }],
    });
    expect((await enter(launch)).status).toBe(401);
    const page = await fetch(launch);
    expect(await page.text()).toContain('<title>');
    await waitUntil(() => said.includes('Ctrl-C stops it.'), { describe: 'what it says' });
    expect(said).toContain(`If no page opens, open this one:\n  ${launch}\n`);
    child.kill('SIGINT');
    expect(await finished(child)).toMatchObject({ code: 0, stdout: '' });
  });

  it('only prints the address with --no-open, or without a screen', async () => {
    await using box = await sandbox({});
    const browser = await browserIn(box);
    const saidBy = async (env: Readonly<Record<string, string>>, ...words: string[]) => {
      const child = box.start(['console', '--port', '0', ...words], { env });
      let said = '';
      child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
      await waitUntil(() => said.includes('Ctrl-C stops it.'), { describe: 'the address' });
      child.kill('SIGINT');
      await finished(child);
      return said;
    };
    const shown = 'Open the console in a browser of this machine:\n  http://127.0.0.1:';
    expect(await saidBy(browser.env, '--no-open')).toContain(shown);
    await expect(stat(`${box.home}/opened`)).rejects.toThrow('ENOENT');
    const without = await saidBy({});
    expect(without).toContain(shown);
    expect(without).toContain('There is no screen here to open a browser on.');
  });

  it('opens the page of the gateway in the background if one runs, and ends', async () => {
    await using box = await sandbox({});
    await box.runProcess(['serve', '--background', '--http', '0', '--json']);
    try {
      const browser = await browserIn(box);
      const { code, stderr } = await box.run(['console'], { env: browser.env });
      const launch = await browser.opened();
      expect({ code, said: stderr.includes(launch) }).toEqual({ code: 0, said: true });
      expect((await enter(launch)).status).toBe(200);
      const printed = await box.run(['console', '--no-open', '--json']);
      const { url, console: other } = JSON.parse(printed.stdout) as Opened['told'];
      expect(new URL(other).origin).toBe(new URL(url).origin);
      expect(new URL(launch).origin).toBe(new URL(url).origin);
    } finally {
      await box.run(['serve', '--stop']);
    }
  });

  it('shows nothing to clients, which all share one token', async () => {
    await using box = await sandbox({ one: scriptedServer() });
    await using serving = await opened(box, 'serve', '--http', '0', '--console');
    const token = await readFile(`${box.home}/.state/plugboard/gateway/token`, 'utf8');
    const headers = {
      Authorization: `Bearer ${token.trim()}`,
      'Content-Type': 'application/json',
      'X-Plugboard-Console': '1',
    };
    const statusOf = async (path: string, more: RequestInit = {}): Promise<number> =>
      (await fetch(new URL(path, serving.told.url), { headers, ...more })).status;
    expect(await statusOf('/mcp', { method: 'DELETE' })).toBe(400);
    for (const path of ['state', 'calls', 'events', 'answered']) {
      expect([path, await statusOf(`/console/api/${path}`)]).toEqual([path, 401]);
    }
    for (const path of ['launch', 'run', 'waiting/1']) {
      const posted = await statusOf(`/console/api/${path}`, { method: 'POST', body: '{}' });
      expect([path, posted]).toEqual([path, 401]);
    }
  });

  it('reports an invalid port', async () => {
    await using box = await sandbox({});
    const refused = await box.run(['console', '--port', 'x']);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain('"x" is not a port');
  });
});

describe('plugboard serve --console', () => {
  verifies('CON-UI');

  it('prints an address that opens the console of the gateway, and none without --console', async () => {
    await using box = await sandbox({ one: scriptedServer() });
    {
      await using serving = await opened(box, 'serve', '--http', '0', '--console');
      const { url, console: launch } = serving.told;
      expect(new URL(launch).origin).toBe(new URL(url).origin);
      const cookie = (await enter(launch)).headers.get('set-cookie') ?? '';
      expect(await stateWith(launch, cookie)).toMatchObject({ gateway: { url } });
      const token = await stat(`${box.home}/.state/plugboard/gateway/console-token`);
      expect(token.mode & 0o777).toBe(0o600);
    }
    await using plain = await opened(box, 'serve', '--http', '0');
    expect(plain.told).not.toHaveProperty('console');
    const none = await fetch(new URL('/console/api/state', plain.told.url));
    expect(none.status).toBe(401);
  });
});
