// Opens the page of a real gateway, with real servers behind it, in a real browser.

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Scope } from '@plugboard/base';
import { createGateway, type Gateway, type GatewayOptions } from '@plugboard/gateway';
import { modernRequest, type RawAnswer, send } from '../../gateway/test/attacks/raw-http.ts';
import { hostEnvironment } from '../../host/src/platform/index.ts';
import {
  type BrowserTab,
  missingBrowser,
  startBrowser,
  tempFolder,
  type TestBrowser,
} from '@plugboard/testkit';
import { type AxeResults, source as AXE } from 'axe-core';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';

const BUNDLE = fileURLToPath(new URL('../bundle', import.meta.url));

export interface ServedPage {
  readonly gateway: Gateway;
  /** The address of `/mcp`. */
  readonly url: string;
  /** The folder with its files. */
  readonly folder: string;
  /** An address that opens the page once. */
  readonly launch: () => string;
}

/** The browser and the gateway that the tests of a file share. Without a browser on this machine, the tests are skipped. */
export interface SharedPage {
  readonly browser: TestBrowser;
  readonly served: ServedPage;
  /** Disposed of after the tests. */
  readonly scope: Scope;
}

/** Sets up the gateway behind the page, possibly with files in the folder. */
type HostOf = (folder: string) => NonNullable<GatewayOptions['host']>;

/** `prepare` runs after the page is available. */
export function sharePage(
  host: HostOf,
  prepare: (served: ServedPage) => Promise<void> = () => Promise.resolve(),
): SharedPage {
  const missing = missingBrowser();
  beforeEach(({ skip }) => skip(missing !== undefined, missing));
  const scope = new Scope();
  let browser: TestBrowser | undefined;
  let served: ServedPage | undefined;
  beforeAll(async () => {
    if (missing !== undefined) return;
    browser = await startBrowser();
    const started = browser;
    scope.defer(async () => started[Symbol.asyncDispose]());
    served = await servePage(scope, host);
    await prepare(served);
  });
  afterAll(() => scope.close());
  return {
    scope,
    get browser() {
      if (browser === undefined) throw new Error('no browser was started');
      return browser;
    },
    get served() {
      if (served === undefined) throw new Error('no page is served');
      return served;
    },
  };
}

/** Has its own home and project below `folder`. */
export async function servePage(scope: Scope, host: HostOf): Promise<ServedPage> {
  const folder = scope.use(await tempFolder()).path;
  const at = (name: string): string => join(folder, name);
  const { paths, ...rest } = hostEnvironment();
  const own = { home: folder, state: at('state'), config: at('config'), cache: at('cache') };
  const environment = { ...rest, home: folder, cwd: at('project'), paths: { ...paths, ...own } };
  await mkdir(environment.cwd);
  const gateway = await createGateway({ host: { files: 'none', environment, ...host(folder) } });
  scope.defer(() => gateway.close());
  const listening = await gateway.listen({
    console: { page: BUNDLE, checks: join(environment.cwd, 'checks.json') },
  });
  const { console: shown, url } = listening;
  if (shown === undefined) throw new Error('there is no console');
  return { gateway, url, folder, launch: () => shown.launch() };
}

export type Look = Parameters<TestBrowser['open']>[0];

export interface OpenTab extends BrowserTab {
  /** Fails if the page made a request to another origin or logged something, such as a violation of its policy. */
  readonly expectCalm: () => void;
  /** Fails if axe finds a violation on the current page. */
  readonly expectAccessible: () => Promise<void>;
}

/** `place` is the name of a view, such as `traffic`. */
export async function openPage(
  { browser, served: { launch } }: Pick<SharedPage, 'browser' | 'served'>,
  { place = '', ...look }: Look & { readonly place?: string } = {},
): Promise<OpenTab> {
  const tab = await browser.open({ width: 1280, height: 800, ...look });
  const address = launch();
  const { origin } = new URL(address);
  await tab.page.goto(address);
  await tab.page.getByText('Live', { exact: true }).waitFor();
  if (place !== '') await goTo(tab, place);
  return {
    ...tab,
    expectCalm() {
      const others = tab.requests.filter((each) => new URL(each).origin !== origin);
      expect({ others, complaints: tab.complaints }).toEqual({ others: [], complaints: [] });
    },
    expectAccessible: () => expectAccessible(tab),
  };
}

async function goTo({ page }: BrowserTab, place: string): Promise<void> {
  await page.evaluate((fragment) => {
    location.hash = fragment;
  }, `#/${place}`);
}

async function expectAccessible({ page }: BrowserTab): Promise<void> {
  // Injected by the debugger, bypassing the policy of the page.
  await page.evaluate(AXE);
  const { violations } = await page.evaluate(() =>
    (globalThis as unknown as { axe: { run(): Promise<AxeResults> } }).axe.run(),
  );
  expect(
    violations.map(({ id, nodes }) => [
      id,
      ...nodes.map(({ html, failureSummary }) => `${html}\n${failureSummary}`),
    ]),
  ).toEqual([]);
}

/** Calls a tool over HTTP, as a modern client without support for questions. */
export function callTool(
  url: string,
  name: string,
  given: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<RawAnswer> {
  return send(url, modernRequest({ params: { name, arguments: given }, headers }));
}
