// A real headless browser: the Chromium of this machine, which reaches only this machine. Tabs share no state, and each
// reports what it loaded and what errors it logged. Tests drive a tab through Playwright's API.

import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { CodedError } from '@plugboard/base';
import type { Browser, Page } from 'playwright-core';
import { tempFolder } from './temp-folder.ts';

export interface TestBrowser extends AsyncDisposable {
  open(look?: TabLook): Promise<BrowserTab>;
}

export interface TabLook {
  readonly colorScheme?: 'light' | 'dark';
  readonly width?: number;
  readonly height?: number;
}

export interface BrowserTab {
  readonly page: Page;
  /** The address of every request, documents included. */
  readonly requests: readonly string[];
  /** The messages of the console: failed scripts, and what a policy blocked. */
  readonly complaints: readonly string[];
  /** Saves a screenshot in the folder that PLUGBOARD_PICTURES names, if it is set. */
  draw(name: string): Promise<void>;
}

/** Rejects with `browser-not-installed`, which says how to get one. */
export async function startBrowser(): Promise<TestBrowser> {
  const executablePath = installedChromium();
  if (executablePath === undefined) throw notInstalled();
  // Most tests need no browser, and this takes a while to load.
  const { chromium } = await import('playwright-core');
  const home = await tempFolder();
  const browser = await chromium.launch({
    executablePath,
    args: [...ONLY_THIS_MACHINE, `--disable-features=${OFF.join(',')}`],
    timeout: TIMEOUT_MS,
    // Its files outside the profile go there, too.
    env: { ...process.env, HOME: home.path, XDG_CONFIG_HOME: home.path },
  });
  return {
    open: (look = {}) => openTab(browser, look),
    async [Symbol.asyncDispose]() {
      await browser.close();
      await home[Symbol.asyncDispose]();
    },
  };
}

/** Less than the time limit of a test, so that the failure names what was awaited. */
const TIMEOUT_MS = 100_000;

/** No host name resolves, so nothing that the browser does by itself leaves the machine. */
const ONLY_THIS_MACHINE = [
  '--no-proxy-server',
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
];

/** Of lists of features, the last one counts: what Playwright switches off is off here, too. */
const OFF = [
  // Two further pages for every tab, which took longer than the page under test.
  ...['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup'],
  ...['AvoidUnnecessaryBeforeUnloadCheckSync', 'DestroyProfileOnBrowserClose', 'HttpsUpgrades'],
  ...['LensOverlay', 'MediaRouter', 'PaintHolding', 'ThirdPartyStoragePartitioning', 'Translate'],
  ...['OptimizationHints', 'NetworkTimeServiceQuerying', 'AimEnabled'],
];

async function openTab(browser: Browser, look: TabLook): Promise<BrowserTab> {
  const { colorScheme = 'light', width = 800, height = 600 } = look;
  const context = await browser.newContext({ colorScheme, viewport: { width, height } });
  const page = await context.newPage();
  page.setDefaultTimeout(TIMEOUT_MS);
  const requests: string[] = [];
  const complaints: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  const { PLUGBOARD_PICTURES: folder } = process.env;
  const draw = async (name: string): Promise<void> => {
    if (folder !== undefined) await page.screenshot({ path: join(folder, `${name}.png`) });
  };
  return { page, requests, complaints, draw };
}

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];
const ON_MACOS = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

const HOW_TO_GET_ONE =
  'there is no Chromium on this machine\nfix: apt-get install chromium\n' +
  'or name one that is elsewhere: PLUGBOARD_CHROMIUM=/path/to/chromium';

/** How to install a browser, if there is none. Throws if `CI` is set, since no tests are skipped there. */
export function missingBrowser(): string | undefined {
  if (installedChromium() !== undefined) return undefined;
  if (process.env['CI'] === undefined) return HOW_TO_GET_ONE;
  throw notInstalled();
}

function notInstalled(): CodedError {
  return new CodedError('browser-not-installed', HOW_TO_GET_ONE, { data: { names: NAMES } });
}

function installedChromium(): string | undefined {
  const { PATH = '', PLUGBOARD_CHROMIUM } = process.env;
  const onPath = PATH.split(delimiter).flatMap((folder) => NAMES.map((name) => join(folder, name)));
  const given = PLUGBOARD_CHROMIUM === undefined ? [] : [PLUGBOARD_CHROMIUM];
  return [...given, ...onPath, ...ON_MACOS].find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    // Missing or not executable: try the next one.
    return false;
  }
}
