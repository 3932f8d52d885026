// How long it takes to resolve a configuration of eight files, and how that grows with the number of
// servers in them.

import { SideProcess } from '../measure/side-process.ts';
import { compare, figure, type Figure, type Section } from '../measure/report.ts';
import { runRounds } from '../measure/rounds.ts';
import { sandbox } from '../measure/sandbox.ts';
import { spreadOf } from '../measure/statistics.ts';
import { type ManyServers, writeManyServers } from './many-servers.ts';
import type { ResolveTask } from './resolving.ts';

const DEFAULT_ROUNDS = 30;
const WARM_UPS = 3;
const FRESH_PROCESSES = 20;
const FEW = 1000;
const MANY = 10_000;
/** Of the servers that came with the project. */
const APPROVED = 200;
const MAX_MS = 100;
const MAX_GROWTH = 12;

export async function benchmarkResolve(repeats: number | undefined): Promise<readonly Section[]> {
  const rounds = repeats ?? DEFAULT_ROUNDS;
  // Each number of servers has its own home, which holds two of the files.
  using fewBox = sandbox({});
  using manyBox = sandbox({});
  const few = writeManyServers(fewBox.folder, FEW);
  const many = writeManyServers(manyBox.folder, MANY);
  await using fewSide = await startSide(fewBox.env);
  await using manySide = await startSide(manyBox.env);
  console.error(`bench: approving ${APPROVED} of ${FEW} and of ${MANY} servers ...`);
  await fewSide.ask({ kind: 'approve', configured: known(few), count: APPROVED });
  await manySide.ask({ kind: 'approve', configured: known(many), count: APPROVED });
  console.error(`bench: resolving ${FEW} and ${MANY} servers ${rounds} times ...`);
  const firsts: number[] = [];
  for (let process = 0; process < FRESH_PROCESSES; process += 1) {
    await using fresh = await startSide(fewBox.env);
    firsts.push(await fresh.ask(load(few)));
  }
  const contenders = [
    { name: `${MANY} servers`, turn: () => manySide.ask(load(many)) },
    { name: `${FEW} servers`, turn: () => fewSide.ask(load(few)) },
    { name: 'JSON.parse', turn: () => fewSide.ask({ kind: 'parse', texts: few.texts }) },
  ];
  await runRounds(contenders, WARM_UPS);
  const samples = await runRounds(contenders, rounds);
  const subject = `${FEW} servers`;
  return [
    {
      kind: 'figures',
      title: `resolve: ${FEW} servers in 8 files`,
      rows: [
        quickest('in a process that did it before', samples.get(subject)!),
        quickest('in a new process', firsts),
      ],
    },
    {
      kind: 'comparison',
      title: 'resolve: growth, and the same texts only parsed',
      unit: 'ms',
      rounds,
      rows: [
        compare(samples, {
          subject: `${MANY} servers`,
          baseline: subject,
          target: { kind: 'at-most', value: MAX_GROWTH },
        }),
        compare(samples, { subject, baseline: 'JSON.parse', target: { kind: 'none' } }),
      ],
    },
  ];
}

/** The target is absolute, and other load can only add time. */
function quickest(name: string, times: readonly number[]): Figure {
  return figure({
    name,
    value: Math.min(...times),
    unit: 'ms',
    target: { kind: 'at-most', value: MAX_MS },
    note: `median ${spreadOf(times).median.toFixed(0)} ms of ${times.length}`,
  });
}

function startSide(env: NodeJS.ProcessEnv): Promise<SideProcess<ResolveTask, number>> {
  return SideProcess.start<ResolveTask, number>('config/resolving.ts', { env });
}

function load(servers: ManyServers): ResolveTask {
  return { kind: 'load', configured: known(servers), approved: APPROVED };
}

/** Without the texts, which would only cost time between the processes. */
function known({ texts: _, ...configured }: ManyServers): Omit<ManyServers, 'texts'> {
  return configured;
}
