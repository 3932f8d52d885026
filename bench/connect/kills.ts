// Kills servers during calls: every call must end in time with the right answer or a clear failure, and the next call
// must work.

import { SideProcess } from '../measure/side-process.ts';
import { figure, noneOf, type Section } from '../measure/report.ts';
import { sandbox } from '../measure/sandbox.ts';
import type { KillPlan, Tally } from './killed-servers.ts';

const HOSTS = 50;
/** A host stops restarting a server that crashes five times in a minute. */
const KILLS_PER_HOST = 4;
const DEADLINE_MS = 10_000;

export async function benchmarkKills(seed: number): Promise<readonly Section[]> {
  using box = sandbox({});
  await using side = await SideProcess.start<KillPlan, Tally>('connect/killed-servers.ts', {
    env: box.env,
  });
  const kills = HOSTS * KILLS_PER_HOST;
  console.error(`bench: killing servers ${kills} times ...`);
  const tally = await side.ask({
    seed,
    hosts: HOSTS,
    killsPerHost: KILLS_PER_HOST,
    deadlineMs: DEADLINE_MS,
  });
  const { answered, failed, unclear, nextFailed } = tally;
  return [
    {
      kind: 'figures',
      title: `kills: servers killed during calls (seed ${seed})`,
      rows: [
        figure({
          name: 'kills with calls in flight',
          value: tally.kills,
          unit: '',
          target: { kind: 'at-least', value: kills },
          note: `${tally.killsAtStart} of them while the server was starting`,
        }),
        noneOf(
          'calls with neither the right answer nor a clear failure',
          unclear.length,
          [`${answered} answered, ${failed} failed clearly`, ...summary(unclear)].join('; '),
        ),
        figure({
          name: 'longest call',
          value: tally.longestMs,
          unit: 'ms',
          target: { kind: 'at-most', value: DEADLINE_MS },
          note: `${tally.longestFailureMs.toFixed(0)} ms from a kill to the last failure`,
        }),
        noneOf('next calls that did not work', nextFailed.length, summary(nextFailed).join('; ')),
        noneOf('processes left', tally.left),
      ],
    },
  ];
}

/** Each distinct text with its count. */
function summary(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)].map(
    (text) => `${texts.filter((other) => other === text).length} x ${text}`,
  );
}
