// Measures the console in a headless Chromium: the first view, panning a timeline of 100,000 messages, and the memory
// of the page. It uses the built gateway and page, on loopback.

import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { createGateway, type Gateway } from '@plugboard/gateway';
import {
  type BrowserTab,
  missingBrowser,
  startBrowser,
  type TestBrowser,
} from '@plugboard/testkit';
import { recordCalls } from '../packages/console/test/traffic/recorded-traffic.ts';
import type { Measurement } from './benchmarks.ts';
import { figure, type Figure } from './measure/report.ts';
import { spreadOf } from './measure/statistics.ts';
import { inBench } from './places.ts';

const DEFAULT_ROUNDS = 7;
const CALLS = 25_000;
const MESSAGES = '100,000';
const PANNED_MS = 4000;
const LOOK = { width: 1280, height: 800 };

export async function benchmarkConsole(repeats = DEFAULT_ROUNDS): Promise<Measurement> {
  const missing = missingBrowser();
  if (missing !== undefined) return { sections: [], skipped: [`everything: ${missing}`] };
  await using gateway = await createGateway({ host: { files: 'none' } });
  const page = inBench('../packages/console/bundle');
  const { console: shown } = await gateway.listen({ console: { page } });
  if (shown === undefined) throw new Error('there is no console');
  await using browser = await startBrowser();
  const opened = { browser, launch: () => shown.launch() };
  const first = await firstView(opened, repeats);
  const many = await timeline(gateway, opened);
  return {
    sections: [
      { kind: 'figures', title: 'console: the first view', rows: first },
      { kind: 'figures', title: `console: ${MESSAGES} recorded messages`, rows: many },
    ],
  };
}

interface Opened {
  readonly browser: TestBrowser;
  readonly launch: () => string;
}

/** Records in the page when the content appears. */
const NOTE_FIRST_VIEW = `
  new MutationObserver((_, observer) => {
    if (document.querySelector('.split-list') === null) return;
    observer.disconnect();
    requestAnimationFrame(() => { globalThis.firstViewAt = performance.now(); });
  }).observe(document, { childList: true, subtree: true });
`;

/** Measured in the frame after the one that records it. */
const READ_FIRST_VIEW = `new Promise((resolve) => {
  const next = () =>
    globalThis.firstViewAt === undefined ? requestAnimationFrame(next) : resolve(globalThis.firstViewAt);
  next();
})`;

/** From opening the address to servers on the screen, with an empty cache. */
async function firstView(opened: Opened, rounds: number): Promise<readonly Figure[]> {
  const bytes = await loadedFor(opened);
  const took: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    console.error(`bench: the first view of the console (${round + 1} of ${rounds}) ...`);
    const { page } = await opened.browser.open(LOOK);
    await page.addInitScript(NOTE_FIRST_VIEW);
    await page.goto(opened.launch());
    await page.locator('.split-list').waitFor();
    took.push(Number(await page.evaluate(READ_FIRST_VIEW)));
    await page.context().close();
  }
  return [
    figure({
      name: 'from the address to servers on the screen',
      value: spreadOf(took).median,
      unit: 'ms',
      target: { kind: 'at-most', value: 300 },
      note: `of ${rounds}, with an empty cache; the fastest ${Math.min(...took).toFixed(0)} ms`,
    }),
    figure({
      name: 'loaded for it, compressed',
      value: bytes / 1000,
      unit: 'kB',
      target: { kind: 'at-most', value: 150 },
    }),
  ];
}

/** In a separate round, since reading the loaded resources takes time. */
async function loadedFor({ browser, launch }: Opened): Promise<number> {
  const { page } = await browser.open(LOOK);
  const bodies: Promise<Buffer>[] = [];
  page.on('response', (response) => {
    const isFile = response.request().method() === 'GET' && !response.url().includes('/api/');
    if (isFile) bodies.push(response.body());
  });
  await page.goto(launch());
  await page.locator('.split-list').waitFor();
  const loaded = await Promise.all(bodies);
  await page.context().close();
  return loaded.reduce((sum, body) => sum + gzipSync(body).length, 0);
}

async function timeline(gateway: Gateway, { browser, launch }: Opened): Promise<readonly Figure[]> {
  console.error(`bench: a timeline of ${MESSAGES} messages ...`);
  recordCalls(gateway, CALLS);
  const tab = await browser.open(LOOK);
  await tab.page.goto(launch());
  await tab.page.evaluate("location.hash = '#/traffic'");
  const started = performance.now();
  await tab.page.getByRole('heading', { name: '25,000 calls' }).waitFor();
  const loadedMs = performance.now() - started;
  const panned = await pan(tab);
  const memory = await memoryOf(tab);
  return [
    figure({
      name: 'panning all of it',
      value: panned.framesPerSecond,
      unit: 'frames/s',
      target: { kind: 'at-least', value: 50 },
      note: `${panned.drawMs.toFixed(1)} ms of script for a frame; ${panned.longTasks} tasks longer than 50 ms in ${PANNED_MS / 1000} s`,
    }),
    figure({
      name: 'memory of the page',
      value: memory.privateMb,
      unit: 'MB',
      target: { kind: 'at-most', value: 200 },
      note: `private to its process; ${memory.heapMb.toFixed(0)} MB of it are the heap of scripts`,
    }),
    figure({
      name: 'until all of it is loaded',
      value: loadedMs,
      unit: 'ms',
      target: { kind: 'none' },
    }),
  ];
}

interface Panned {
  readonly framesPerSecond: number;
  readonly drawMs: number;
  readonly longTasks: number;
}

/** Pans by one key press per frame, like a held key, with all calls in view. */
const PAN = `(async (lasts) => {
  const canvas = document.querySelector('canvas');
  canvas.focus();
  let longTasks = 0;
  const observer = new PerformanceObserver((list) => { longTasks += list.getEntries().length; });
  observer.observe({ entryTypes: ['longtask'] });
  const started = performance.now();
  let frames = 0;
  await new Promise((resolve) => {
    const step = () => {
      const now = performance.now();
      if (now - started >= lasts) return resolve();
      frames += 1;
      const key = Math.floor(frames / 4) % 2 === 0 ? 'ArrowRight' : 'ArrowLeft';
      canvas.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
      requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  });
  const seconds = (performance.now() - started) / 1000;
  observer.disconnect();
  return { framesPerSecond: frames / seconds, longTasks, frames };
})(${PANNED_MS})`;

async function pan({ page }: BrowserTab): Promise<Panned> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  const scriptTime = async (): Promise<number> => {
    const { metrics } = await session.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'ScriptDuration')?.value ?? 0;
  };
  const before = await scriptTime();
  const counted = (await page.evaluate(PAN)) as Panned & { readonly frames: number };
  const drawMs = ((await scriptTime()) - before) * 1000;
  return { ...counted, drawMs: drawMs / counted.frames };
}

interface PageMemory {
  readonly privateMb: number;
  readonly heapMb: number;
}

/** Unshared memory of the page's process after garbage collection. */
async function memoryOf({ page }: BrowserTab): Promise<PageMemory> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  await session.send('Performance.enable');
  const { metrics } = await session.send('Performance.getMetrics');
  const heap = metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? 0;
  const browser = await page.context().browser()?.newBrowserCDPSession();
  const { processInfo = [] } = (await browser?.send('SystemInfo.getProcessInfo')) ?? {};
  const sizes = processInfo
    .filter(({ type }) => type === 'renderer')
    .map(({ id }) => privateOf(id));
  return { privateMb: Math.max(0, ...sizes) / 1000, heapMb: heap / 1e6 };
}

/** In kilobytes. */
function privateOf(pid: number): number {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  const parts = text.matchAll(/^Private_\w+:\s+(?<size>\d+) kB$/gm);
  return [...parts].reduce((sum, { groups }) => sum + Number(groups?.['size']), 0);
}
