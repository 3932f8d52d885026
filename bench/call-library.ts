// Tool calls through an open connection: the host with all of its steps, against the SDK's own client
// the AI SDK's, and a bare JSON-RPC loop, one call after another and 32 at a time.

import type { Route } from './library/caller.ts';
import { WorkerProcess } from './library/worker-process.ts';
import type { Block, CallerName } from './library/worker.ts';
import { busyNeighbours } from './measure/busy-neighbours.ts';
import { compare, type Row, type Section, type Target } from './measure/report.ts';
import { runRounds, type Samples } from './measure/rounds.ts';

const DEFAULT_ROUNDS = 60;
const WARM_UP_CALLS = 6000;
/** The host also spends time on rules, checks, pins and fitting. */
const MOST_TO_SDK = 1.1;
/** With six processes of another session, waiting for a processor dominates. */
const NEIGHBOURS = 6;
const MOST_TO_SDK_WHEN_BUSY = 1;

interface Setting {
  readonly route: Route;
  readonly title: string;
  readonly callers: readonly CallerName[];
  readonly hasTarget: boolean;
  /** The target for the time of a call, relative to the SDK; `MOST_TO_SDK` by default. */
  readonly mostToSdk?: number;
  /** The target for the throughput with many calls in flight, relative to the SDK; `1 / MOST_TO_SDK` by default. */
  readonly leastToSdk?: number;
}

const SETTINGS: readonly Setting[] = [
  {
    route: 'fast',
    title: 'stdio, hand-written server',
    callers: ['plugboard', 'sdk', 'ai-sdk', 'bare'],
    hasTarget: true,
    mostToSdk: 0.7,
    leastToSdk: 2,
  },
  {
    route: 'sdk',
    title: 'stdio, SDK server',
    callers: ['plugboard', 'sdk', 'ai-sdk', 'bare'],
    hasTarget: true,
  },
  {
    route: 'sdk-modern',
    title: 'stdio, SDK server, revision 2026-07-28',
    callers: ['plugboard', 'sdk'],
    hasTarget: true,
  },
  {
    route: 'in-process',
    title: 'in-process, SDK server',
    callers: ['plugboard', 'sdk'],
    hasTarget: false,
  },
];

const NAMES: Readonly<Record<CallerName, string>> = {
  plugboard: 'host.call',
  sdk: 'SDK callTool',
  'ai-sdk': 'AI SDK execute',
  bare: 'bare JSON-RPC',
};

export async function benchmarkCallLibrary(
  repeats: number | undefined,
): Promise<readonly Section[]> {
  const sections: Section[] = [];
  for (const setting of SETTINGS) {
    sections.push(...(await measure(setting, repeats ?? DEFAULT_ROUNDS)));
  }
  sections.push(await besideOthers(repeats ?? DEFAULT_ROUNDS));
  return sections;
}

async function besideOthers(rounds: number): Promise<Section> {
  const setting: Setting = {
    route: 'fast',
    title: `stdio, hand-written server, ${NEIGHBOURS} busy processes of another session beside it`,
    callers: ['plugboard', 'sdk', 'bare'],
    hasTarget: true,
  };
  console.error(`bench: ${setting.title} ...`);
  const workers = await Promise.all(
    setting.callers.map((caller) => WorkerProcess.start(caller, setting.route)),
  );
  try {
    using _ = busyNeighbours(NEIGHBOURS);
    return await oneByOne(setting, workers, { rounds, mostToSdk: MOST_TO_SDK_WHEN_BUSY });
  } finally {
    await Promise.all(workers.map((worker) => worker[Symbol.asyncDispose]()));
  }
}

async function measure(setting: Setting, rounds: number): Promise<readonly Section[]> {
  console.error(`bench: ${setting.title} ...`);
  const workers = await Promise.all(
    setting.callers.map((caller) => WorkerProcess.start(caller, setting.route)),
  );
  try {
    return [
      await oneByOne(setting, workers, { rounds, mostToSdk: setting.mostToSdk ?? MOST_TO_SDK }),
      await manyAtOnce(setting, workers, rounds),
    ];
  } finally {
    await Promise.all(workers.map((worker) => worker[Symbol.asyncDispose]()));
  }
}

async function oneByOne(
  setting: Setting,
  workers: readonly WorkerProcess[],
  { rounds, mostToSdk }: { readonly rounds: number; readonly mostToSdk: number },
): Promise<Section> {
  const block = { calls: 200, inFlight: 1 };
  const samples = await sample(workers, block, {
    rounds,
    toUnit: (ms) => (ms * 1000) / block.calls,
  });
  const rows = rowsOf(setting, samples, {
    sdk: { kind: 'at-most', value: mostToSdk },
    'ai-sdk': { kind: 'at-most', value: 1 },
  });
  return {
    kind: 'comparison',
    title: `${setting.title}, one call after another`,
    unit: 'µs/call',
    rounds,
    rows,
  };
}

async function manyAtOnce(
  setting: Setting,
  workers: readonly WorkerProcess[],
  rounds: number,
): Promise<Section> {
  const block = { calls: 1600, inFlight: 32 };
  const samples = await sample(workers, block, {
    rounds,
    toUnit: (ms) => block.calls / (ms / 1000),
  });
  const rows = rowsOf(setting, samples, {
    sdk: { kind: 'at-least', value: setting.leastToSdk ?? 1 / MOST_TO_SDK },
    'ai-sdk': { kind: 'at-least', value: 1 },
  });
  return {
    kind: 'comparison',
    title: `${setting.title}, 32 calls in flight`,
    unit: 'calls/s',
    rounds,
    rows,
  };
}

async function sample(
  workers: readonly WorkerProcess[],
  block: Block,
  { rounds, toUnit }: { readonly rounds: number; readonly toUnit: (ms: number) => number },
): Promise<Samples> {
  for (const worker of workers) {
    await worker.run({ ...block, calls: WARM_UP_CALLS });
  }
  const contenders = workers.map((worker) => ({
    name: NAMES[worker.caller],
    turn: async () => toUnit(await worker.run(block)),
  }));
  return runRounds(contenders, rounds);
}

function rowsOf(
  { callers, hasTarget }: Setting,
  samples: Samples,
  targets: Partial<Record<CallerName, Target>>,
): readonly Row[] {
  const none: Target = { kind: 'none' };
  return callers
    .filter((caller) => caller !== 'plugboard')
    .map((caller) =>
      compare(samples, {
        subject: NAMES.plugboard,
        baseline: NAMES[caller],
        target: (hasTarget ? targets[caller] : undefined) ?? none,
      }),
    );
}
