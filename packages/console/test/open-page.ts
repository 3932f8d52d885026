// The page of a real gateway with real servers behind it, in a real browser.

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Scope } from '@plugboard/base';
import { createGateway, type Gateway, type GatewayOptions } from '@plugboard/gateway';
import { hostEnvironment } from '../../host/src/platform/index.ts';
import { type BrowserTab, tempFolder, type TestBrowser } from '@plugboard/testkit';
import { type AxeResults, source as AXE } from 'axe-core';
import { expect } from 'vitest';

const BUNDLE = fileURLToPath(new URL('../bundle', import.meta.url));

export interface ServedPage {
  readonly gateway: Gateway;
  /** Of `/mcp`. */
  readonly url: string;
  /** In which its files are. */
  readonly folder: string;
  /** An address that opens the page once. */
  readonly launch: () => string;
}

/** With a home and a project of its own, below `folder`. */
export async function servePage(scope: Scope, host: GatewayOptions['host']): Promise<ServedPage> {
  const folder = scope.use(await tempFolder()).path;
  const at = (name: string): string => join(folder, name);
  const { paths, ...rest } = hostEnvironment();
  const own = { home: folder, state: at('state'), config: at('config'), cache: at('cache') };
  const environment = { ...rest, home: folder, cwd: at('project'), paths: { ...paths, ...own } };
  await mkdir(environment.cwd);
  const gateway = await createGateway({ host: { files: 'none', environment, ...host } });
  scope.defer(() => gateway.close());
  const listening = await gateway.listen({
    console: { page: BUNDLE, pid: process.pid, checks: join(environment.cwd, 'checks.json') },
  });
  const { console: shown, url } = listening;
  if (shown === undefined) throw new Error('there is no console');
  return { gateway, url, folder, launch: () => shown.launch() };
}

export type Look = Parameters<TestBrowser['open']>[0];

export interface OpenTab extends BrowserTab {
  /** Fails where the page asked another origin for something, or something was logged: a policy that was violated is. */
  readonly expectCalm: () => void;
  /** Fails where axe finds something in what is shown now. */
  readonly expectAccessible: () => Promise<void>;
}

/** `place` is such as `traffic`. */
export async function openPage(
  browser: TestBrowser,
  { launch }: ServedPage,
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
  // Handed over by the debugger, past the policy of the page.
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

/** What a client that can show nothing gets for a call. */
export async function callTool(
  url: string,
  name: string,
  given: Readonly<Record<string, unknown>>,
): Promise<string> {
  const version = '2026-07-28';
  const prefix = 'io.modelcontextprotocol/';
  const _meta = {
    [`${prefix}protocolVersion`]: version,
    [`${prefix}clientCapabilities`]: {},
    [`${prefix}clientInfo`]: { name: 'an agent', version: '1' },
  };
  const params = { name, arguments: given, _meta };
  const answer = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': version,
      'mcp-method': 'tools/call',
      'mcp-name': name,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  });
  return answer.text();
}
