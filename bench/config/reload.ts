// How soon an edit to a file counts, and how often many edits in a row make the configuration be
// loaded.

import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { figure, type Section } from '../measure/report.ts';
import { configFile, sandbox } from '../measure/sandbox.ts';
import { spreadOf } from '../measure/statistics.ts';
import { type Reloader, startReloader } from './reloader.ts';

const DEFAULT_ROUNDS = 20;
const BURST = 50;
const BURSTS = 5;
const MAX_MS = 1000;
const MAX_RELOADS = 2;
/** Nothing of one edit is left by then. */
const SETTLED_MS = 1000;

export async function benchmarkReload(repeats: number | undefined): Promise<readonly Section[]> {
  const rounds = repeats ?? DEFAULT_ROUNDS;
  using box = sandbox({});
  using reloader = await startReloader(box.folder, join(box.folder, 'home'));
  console.error(`bench: editing a file ${rounds} times, then ${BURSTS} times ${BURST} edits ...`);
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    times.push(await timeEdit(reloader, box.folder, `edit-${round}`));
  }
  const counts: number[] = [];
  for (let round = 0; round < BURSTS; round += 1) {
    counts.push(await countBurst(reloader, box.folder, `burst-${round}`));
  }
  const { median } = spreadOf(times);
  return [
    {
      kind: 'figures',
      title: 'reload: files that change',
      rows: [
        figure({
          name: 'until an edit counts, at the longest',
          value: Math.max(...times),
          unit: 'ms',
          target: { kind: 'at-most', value: MAX_MS },
          note: `median ${median.toFixed(0)} ms of ${rounds} edits`,
        }),
        figure({
          name: `reloads for ${BURST} edits in a row, at the most`,
          value: Math.max(...counts),
          unit: '',
          target: { kind: 'at-most', value: MAX_RELOADS },
          note: `${BURSTS} bursts: ${counts.join(', ')}`,
        }),
      ],
    },
  ];
}

/** Milliseconds from the edit until it counts. */
async function timeEdit(reloader: Reloader, folder: string, command: string): Promise<number> {
  await sleep(SETTLED_MS);
  const applied = reloader.applied(command);
  await edit(folder, command);
  const startedAt = performance.now();
  await applied;
  return performance.now() - startedAt;
}

async function countBurst(reloader: Reloader, folder: string, name: string): Promise<number> {
  await sleep(SETTLED_MS);
  const before = reloader.reloads;
  const applied = reloader.applied(`${name}-${BURST}`);
  for (let index = 1; index <= BURST; index += 1) await edit(folder, `${name}-${index}`);
  await applied;
  await sleep(SETTLED_MS);
  return reloader.reloads - before;
}

/** As programs that write settings do it: the new text takes the old one's place. */
async function edit(folder: string, command: string): Promise<void> {
  const draft = join(folder, '.draft');
  await writeFile(draft, JSON.stringify({ mcpServers: { probe: { command } } }));
  await rename(draft, configFile(folder));
}
