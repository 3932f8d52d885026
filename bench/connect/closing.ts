// The time to close a host with 30 local servers, and the processes that remain: once with 10 servers that ignore
// signals and have processes of their own, once with none.

import { SideProcess } from '../measure/side-process.ts';
import { figure, noneOf, type Section } from '../measure/report.ts';
import { runRounds } from '../measure/rounds.ts';
import { sandbox } from '../measure/sandbox.ts';
import { spreadOf } from '../measure/statistics.ts';
import type { CloseReport, Servers } from './closing-host.ts';

const DEFAULT_ROUNDS = 10;
const SERVERS = 30;
const STUBBORN = 10;
const MAX_MS = 800;

export async function benchmarkClosing(repeats: number | undefined): Promise<readonly Section[]> {
  const rounds = repeats ?? DEFAULT_ROUNDS;
  using box = sandbox({});
  await using host = await SideProcess.start<Servers, CloseReport>('connect/closing-host.ts', {
    env: box.env,
  });
  const left: string[] = [];
  let started = 0;
  const close = async (stubborn: number): Promise<number> => {
    const closed = await host.ask({ servers: SERVERS, stubborn });
    left.push(...closed.left);
    started += closed.started;
    return closed.ms;
  };
  const deaf = `${STUBBORN} deaf to signals`;
  const polite = 'all well-behaved';
  console.error(`bench: closing hosts with ${SERVERS} local servers ${2 * rounds} times ...`);
  const samples = await runRounds(
    [
      { name: deaf, turn: () => close(STUBBORN) },
      { name: polite, turn: () => close(0) },
    ],
    rounds,
  );
  const row = (name: string) => ({
    name: `${name}, median`,
    value: spreadOf(samples.get(name)!).median,
    unit: 'ms',
    note: `longest ${Math.max(...samples.get(name)!).toFixed(0)} ms`,
  });
  return [
    {
      kind: 'figures',
      title: `close: a host with ${SERVERS} local servers (${rounds} rounds)`,
      rows: [
        figure({ ...row(deaf), target: { kind: 'at-most', value: MAX_MS } }),
        figure({ ...row(polite), target: { kind: 'none' } }),
        noneOf('processes left', left.length, [`of ${started}`, ...left].join('; ')),
      ],
    },
  ];
}
