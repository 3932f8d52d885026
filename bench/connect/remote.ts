// The time until many remote servers are ready while three others are broken, compared with the same servers without
// broken ones.

import { SideProcess } from '../measure/side-process.ts';
import { compare, type ComparisonSection, type Section } from '../measure/report.ts';
import { runRounds } from '../measure/rounds.ts';
import { sandbox } from '../measure/sandbox.ts';
import type { Remotes } from './remote-host.ts';
import type { ServersWanted, ServerUrls } from './remote-servers.ts';

const DEFAULT_ROUNDS = 30;
const WARM_UPS = 5;
const WORKING = 47;

export async function benchmarkRemote(repeats: number | undefined): Promise<readonly Section[]> {
  const rounds = repeats ?? DEFAULT_ROUNDS;
  return [await measure(0, rounds), await measure(50, rounds)];
}

async function measure(delayMs: number, rounds: number): Promise<ComparisonSection> {
  using box = sandbox({});
  const { env } = box;
  await using servers = await SideProcess.start<ServersWanted, ServerUrls>(
    'connect/remote-servers.ts',
    { env },
  );
  const urls = await servers.ask({ working: WORKING, delayMs });
  await using host = await SideProcess.start<Remotes, number>('connect/remote-host.ts', { env });
  const alone = { working: urls.working, broken: {} };
  const contenders = [
    { name: `${WORKING} and 3 broken`, turn: () => host.ask({ ...alone, broken: urls.broken }) },
    { name: `${WORKING} alone`, turn: () => host.ask(alone) },
  ];
  const each = delayMs === 0 ? 'answer at once' : `take ${delayMs} ms for each answer`;
  console.error(`bench: connecting to ${WORKING} remote servers that ${each} ...`);
  await runRounds(contenders, WARM_UPS);
  const samples = await runRounds(contenders, rounds);
  const [subject, baseline] = contenders.map(({ name }) => name);
  return {
    kind: 'comparison',
    title: `remote: until ${WORKING} servers that ${each} are ready`,
    unit: 'ms',
    rounds,
    rows: [
      compare(samples, {
        subject: subject!,
        baseline: baseline!,
        target: { kind: 'at-most', value: 1.5 },
      }),
    ],
  };
}
