// The time until an edit to a file takes effect, and the number of reloads for many edits in a row.

import { figure, noneOf, type Section } from '../measure/report.ts';
import { sandbox } from '../measure/sandbox.ts';
import { SideProcess } from '../measure/side-process.ts';
import { spreadOf } from '../measure/statistics.ts';
import type { ReloadTask } from './reloading-host.ts';

const DEFAULT_ROUNDS = 20;
const BURST = 50;
const BURSTS = 5;
const MAX_MS = 1000;
const MAX_RELOADS = 2;

export async function benchmarkReload(repeats: number | undefined): Promise<readonly Section[]> {
  const rounds = repeats ?? DEFAULT_ROUNDS;
  using box = sandbox({});
  await using host = await SideProcess.start<ReloadTask, number>('config/reloading-host.ts', {
    env: box.env,
    cwd: box.folder,
  });
  console.error(`bench: editing a file ${rounds} times, then ${BURSTS} times ${BURST} edits ...`);
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    times.push(await host.ask({ kind: 'edit', mark: `edit-${round}` }));
  }
  const counts: number[] = [];
  for (let round = 0; round < BURSTS; round += 1) {
    counts.push(await host.ask({ kind: 'burst', mark: `burst-${round}`, edits: BURST }));
  }
  const starts = await host.ask({ kind: 'starts-of-untouched' });
  const { median } = spreadOf(times);
  return [
    {
      kind: 'figures',
      title: 'reload: a host that follows a file',
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
        noneOf('restarts of the server that was not edited', starts - 1),
      ],
    },
  ];
}
