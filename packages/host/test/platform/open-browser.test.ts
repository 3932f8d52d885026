import { chmod } from 'node:fs/promises';
import { systemClock } from '@plugboard/base';
import {
  isAlive,
  ManualClock,
  type TempFolder,
  tempFolder,
  verifies,
  waitUntil,
} from '@plugboard/testkit';
import { codePoint } from '@plugboard/testkit/code-point';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type BrowserOpening,
  openBrowser,
  type OpenBrowserOptions,
} from '../../src/platform/index.ts';

const URL_TO_OPEN = 'https://auth.example.com/authorize?client_id=a&state=b%20c&scope=x+y#end';
const SCREEN = { DISPLAY: ':0' };

/** A program that records its arguments, one per line with a blank line after each run. */
async function fakeProgram(folder: TempFolder, name: string, ending = ''): Promise<string> {
  const script = `#!/bin/sh\nprintf '%s\\n' "$@" '' >> '${folder.path}/${name}.argv'\n${ending}\n`;
  const file = await folder.write(name, script);
  await chmod(file, 0o755);
  return file;
}

async function opening(
  folder: TempFolder,
  url: string,
  given: Partial<OpenBrowserOptions['environment']> = {},
): Promise<BrowserOpening> {
  const { env = SCREEN, platform = 'linux' } = given;
  const environment = { env: { PATH: folder.path, ...env }, cwd: folder.path, platform };
  return openBrowser(url, { environment, clock: systemClock });
}

const argvOf = (folder: TempFolder, name: string): Promise<string> =>
  folder.read(`${name}.argv`).catch(() => 'never run');

describe('opening the browser', () => {
  verifies('AUT-04');

  it.each([
    ['xdg-open', 'linux', SCREEN],
    ['xdg-open', 'freebsd', { WAYLAND_DISPLAY: 'wayland-0' }],
    ['wslview', 'linux', {}],
    ['open', 'darwin', {}],
  ] as const)('uses %s on %s', async (name, platform, env) => {
    await using folder = await tempFolder();
    const program = await fakeProgram(folder, name);
    expect(await opening(folder, URL_TO_OPEN, { platform, env })).toEqual({
      kind: 'opened',
      program,
    });
    expect(await argvOf(folder, name)).toBe(`${URL_TO_OPEN}\n\n`);
  });

  it.each(['', ':/nowhere', '.:bin'])(
    'runs no program of the project, with PATH %j',
    async (PATH) => {
      await using folder = await tempFolder();
      await fakeProgram(folder, 'xdg-open');
      await fakeProgram(folder, 'bin/xdg-open');
      expect(await opening(folder, URL_TO_OPEN, { env: { ...SCREEN, PATH } })).toEqual({
        kind: 'no-opener',
        tried: ['xdg-open', 'wslview'],
      });
    },
  );

  it('works without a shell on Windows', async () => {
    await using folder = await tempFolder();
    const program = await fakeProgram(folder, 'System32/rundll32.exe');
    const env = { SystemRoot: folder.path };
    expect(await opening(folder, URL_TO_OPEN, { platform: 'win32', env })).toEqual({
      kind: 'opened',
      program,
    });
    expect(await argvOf(folder, 'System32/rundll32.exe')).toBe(
      `url.dll,FileProtocolHandler\n${URL_TO_OPEN}\n\n`,
    );
  });

  it('uses the program that the user names', async () => {
    await using folder = await tempFolder();
    await fakeProgram(folder, 'xdg-open');
    const program = await fakeProgram(folder, 'my browser');
    for (const BROWSER of ['my browser', program]) {
      const env = { ...SCREEN, BROWSER };
      expect(await opening(folder, URL_TO_OPEN, { env })).toEqual({ kind: 'opened', program });
    }
    expect(await argvOf(folder, 'my browser')).toBe(`${URL_TO_OPEN}\n\n`.repeat(2));
    expect(await argvOf(folder, 'xdg-open')).toBe('never run');
  });

  it('uses no other program if that one is missing', async () => {
    await using folder = await tempFolder();
    await fakeProgram(folder, 'xdg-open');
    for (const BROWSER of ['none', 'xdg-open; touch pwned', 'xdg-open %s']) {
      const env = { ...SCREEN, BROWSER };
      expect(await opening(folder, URL_TO_OPEN, { env })).toEqual({
        kind: 'no-opener',
        tried: [BROWSER],
      });
    }
    expect(await argvOf(folder, 'xdg-open')).toBe('never run');
  });

  it('is not tried without a screen', async () => {
    await using folder = await tempFolder();
    await fakeProgram(folder, 'xdg-open');
    expect(await opening(folder, URL_TO_OPEN, { env: {} })).toEqual({
      kind: 'no-opener',
      tried: ['wslview'],
    });
    expect(await argvOf(folder, 'xdg-open')).toBe('never run');
  });

  it('reports the error of the program', async () => {
    await using folder = await tempFolder();
    const program = await fakeProgram(folder, 'xdg-open', 'exit 3');
    expect(await opening(folder, URL_TO_OPEN)).toEqual({ kind: 'failed', program, code: 3 });
  });

  it('reports that the program cannot be started', async () => {
    await using folder = await tempFolder();
    const program = await folder.write('xdg-open', '#!/no/such/interpreter\n');
    await chmod(program, 0o755);
    expect(await opening(folder, URL_TO_OPEN)).toEqual({ kind: 'failed', program, code: 'ENOENT' });
  });

  it('does not wait for a program that keeps running', async () => {
    await using folder = await tempFolder();
    const ending = `echo $$ > '${folder.path}/pid'\nexec /bin/sleep 60`;
    const program = await fakeProgram(folder, 'xdg-open', ending);
    const clock = new ManualClock();
    const environment = {
      env: { PATH: folder.path, ...SCREEN },
      cwd: folder.path,
      platform: 'linux',
    } as const;
    const opened = openBrowser(URL_TO_OPEN, { environment, clock });
    const pid = await waitUntil(
      async () => Number(await folder.read('pid').catch(() => '')) || undefined,
      { describe: 'the browser to start' },
    );
    await clock.advance(2000);
    expect(await opened).toEqual({ kind: 'opened', program });
    expect(isAlive(pid)).toBe(true);
    process.kill(pid, 'SIGKILL');
    await waitUntil(() => !isAlive(pid), { describe: 'the browser to end' });
  });
});

describe('a hostile URL for the browser', () => {
  verifies('AUT-04', 'AUT-11');

  it.each([
    ['a:$(cmd.exe /c calc)', 'control-characters'],
    ['a:$(calc.exe)', 'scheme'],
    ['javascript:alert(1)', 'scheme'],
    ['data:text/html,<script>alert(1)</script>', 'scheme'],
    ['file:///etc/passwd', 'scheme'],
    ['vscode://file/etc/passwd', 'scheme'],
    ['ms-msdt:/id', 'scheme'],
    ['http://auth.example.com/', 'scheme'],
    ['http://127.0.0.1.example.com/', 'scheme'],
    ['http://localhost.example.com/', 'scheme'],
    ['http://10.0.0.1/', 'scheme'],
    ['--version', 'not-a-url'],
    ['-a Calculator', 'control-characters'],
    ['--args=https://example.com', 'not-a-url'],
    ['/usr/bin/id', 'not-a-url'],
    ['', 'not-a-url'],
    ['https://', 'not-a-url'],
    ['https://example.com/\n--flag', 'control-characters'],
    ['https://example.com/\r\nx', 'control-characters'],
    ['\thttps://example.com/', 'control-characters'],
    [' https://example.com/', 'control-characters'],
    ['java\nscript:alert(1)', 'control-characters'],
    ['https://example.com/\u0000', 'control-characters'],
    ['https://example.com/\u001b[2J', 'control-characters'],
    ['https://example.com/\u202egpj.exe', 'control-characters'],
    ['https://example.com/ & calc', 'control-characters'],
    ['https://bank.example@evil.example/', 'credentials'],
    ['https://me:t0ken@example.com/', 'credentials'],
    [`https://example.com/${'x'.repeat(8192)}`, 'too-long'],
  ])('starts no program: %j', async (url, why) => {
    await using folder = await tempFolder();
    for (const name of ['xdg-open', 'wslview', 'chosen']) await fakeProgram(folder, name);
    for (const env of [SCREEN, { BROWSER: 'chosen' }]) {
      expect(await opening(folder, url, { env })).toEqual({ kind: 'refused', why });
    }
    for (const name of ['xdg-open', 'wslview', 'chosen']) {
      expect(await argvOf(folder, name)).toBe('never run');
    }
  });

  it.each(['http://localhost:3000/a', 'http://127.0.0.1:3000/a', 'http://[::1]:3000/a'])(
    'may be plain http on this machine: %s',
    async (url) => {
      await using folder = await tempFolder();
      await fakeProgram(folder, 'xdg-open');
      expect(await opening(folder, url)).toMatchObject({ kind: 'opened' });
      expect(await argvOf(folder, 'xdg-open')).toBe(`${url}\n\n`);
    },
  );

  it('arrives as one argument without shell syntax', async () => {
    await using folder = await tempFolder();
    await fakeProgram(folder, 'xdg-open');
    const url = 'https://x.example/$(id)`id`;a?b=\'"|&c={1,2}!*<>^\\~%24#$HOME';
    expect(await opening(folder, url)).toMatchObject({ kind: 'opened' });
    const [argument, ...rest] = (await argvOf(folder, 'xdg-open')).split('\n');
    expect(rest).toEqual(['', '']);
    expect(argument).toBe(
      'https://x.example/%24%28id%29%60id%60;a?b=%27%22%7C&c=%7B1,2%7D%21%2A%3C%3E%5E%5C~%24#%24HOME',
    );
  });

  it('of any kind reaches a program only as an equivalent https URL', async () => {
    await using folder = await tempFolder();
    await fakeProgram(folder, 'xdg-open');
    const texts = fc.oneof(
      fc.string({ unit: codePoint }),
      fc.webUrl({ withQueryParameters: true }),
    );
    let runs = 0;
    const opens = fc.asyncProperty(texts, async (text) => {
      const outcome = await opening(folder, text);
      if (outcome.kind === 'refused') return;
      runs += 1;
      const lines = (await argvOf(folder, 'xdg-open')).split('\n\n');
      const argument = lines[runs - 1] ?? '';
      expect(argument).toMatch(/^https:\/\/[\w\-.~:/?#[\]@&+,;=%]+$/);
      expect(decodeURIComponent(argument)).toBe(decodeURIComponent(new URL(text).href));
    });
    await fc.assert(opens, { numRuns: 60 });
  });
});
