// Calls of an echo tool through the gateway to a stdio server, compared with other gateways, the SDK's server over
// HTTP, a minimal relay, and bare `node:http`.

import { SideProcess } from '../measure/side-process.ts';
import {
  compare,
  type Comparison,
  type ComparisonSection,
  figure,
  type Section,
  type TableSection,
} from '../measure/report.ts';
import { runRounds, type Samples } from '../measure/rounds.ts';
import { sandbox } from '../measure/sandbox.ts';
import { spreadOf } from '../measure/statistics.ts';
import { type ProgramName, RunningProgram } from './contenders.ts';
import type { Load, LoadFigures } from './load.ts';
import type { Era, Target } from './mcp-posts.ts';

const DEFAULT_ROUNDS = 20;
const CALLS: Readonly<Record<number, number>> = { 1: 200, 16: 800 };
/** The engine compiles the code of a gateway only after many calls. */
const WARM_UP_CALLS = 5000;
const MOST_ADDED_US = 150;
/** The gateway's endpoint of the one server, like the other gateways. */
const SUBJECT = 'gateway';
/** The gateway's endpoint of all servers, which looks up names. */
const AT_ALL = 'gateway at /mcp';

const WANTED: Readonly<Partial<Record<ProgramName, number>>> = {
  'mcp-proxy': 5,
  supergateway: 5,
  'SDK server': 1,
  'bare relay': 0.7,
  'node:http': 0.4,
};

type LoadProcess = SideProcess<Load, LoadFigures>;

interface Contender {
  readonly name: string;
  readonly program: RunningProgram;
  readonly target: Target;
}

/** Of each contender, in the order of the rounds. */
interface Measured {
  readonly perSecond: Samples;
  readonly p50: Samples;
  readonly p99: Samples;
  readonly processor: Samples;
}

export async function benchmarkCalls(repeats: number | undefined): Promise<readonly Section[]> {
  using box = sandbox({});
  await using programs = new AsyncDisposables<RunningProgram>();
  for (const name of ['gateway', ...Object.keys(WANTED)] as const) {
    programs.all.push(await RunningProgram.start(name as ProgramName, box.env));
  }
  await using load = await SideProcess.start<Load, LoadFigures>('gateway/load.ts');
  const sections: Section[] = [];
  for (const era of ['legacy', 'modern'] as const) {
    const contenders = contendersFor(era, programs.all);
    await warmUp(load, contenders);
    for (const connections of [1, 16]) {
      console.error(`bench: ${era} era, ${connections} connections ...`);
      const measured = await measure(load, contenders, {
        connections,
        rounds: repeats ?? DEFAULT_ROUNDS,
      });
      sections.push(...sectionsOf(measured, contenders, { era, connections }));
    }
  }
  const [first] = programs.all;
  sections.push(await addedTime(load, first!.target('legacy', '/mcp/echo'), repeats));
  return sections;
}

class AsyncDisposables<T extends AsyncDisposable> implements AsyncDisposable {
  readonly all: T[] = [];

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.all.map((each) => each[Symbol.asyncDispose]()));
  }
}

function contendersFor(era: Era, programs: readonly RunningProgram[]): readonly Contender[] {
  return programs.flatMap((program): readonly Contender[] => {
    const { name } = program;
    // This gateway starts a process for each modern request.
    if (name === 'supergateway' && era === 'modern') return [];
    if (name !== 'gateway') return [{ name, program, target: program.target(era) }];
    return [
      { name: SUBJECT, program, target: program.target(era, '/mcp/echo') },
      { name: AT_ALL, program, target: program.target(era, '/mcp', 'echo__echo') },
    ];
  });
}

async function warmUp(load: LoadProcess, contenders: readonly Contender[]): Promise<void> {
  for (const { target } of contenders) {
    await load.ask({ target, calls: WARM_UP_CALLS, connections: 16 });
  }
}

async function measure(
  load: LoadProcess,
  contenders: readonly Contender[],
  { connections, rounds }: { readonly connections: number; readonly rounds: number },
): Promise<Measured> {
  const calls = CALLS[connections]!;
  const p50 = emptySamples(contenders);
  const p99 = emptySamples(contenders);
  const processor = emptySamples(contenders);
  const turns = contenders.map(({ name, program, target }) => ({
    name,
    turn: async () => {
      const before = program.processorTime;
      const took = await load.ask({ target, calls, connections });
      processor.get(name)!.push((program.processorTime - before) / calls);
      p50.get(name)!.push(took.p50);
      p99.get(name)!.push(took.p99);
      return took.perSecond;
    },
  }));
  return { perSecond: await runRounds(turns, rounds), p50, p99, processor };
}

function emptySamples(contenders: readonly Contender[]): Map<string, number[]> {
  return new Map(contenders.map(({ name }) => [name, []]));
}

function sectionsOf(
  measured: Measured,
  contenders: readonly Contender[],
  { era, connections }: { readonly era: Era; readonly connections: number },
): readonly Section[] {
  const about = `${era} era, ${connections} ${connections === 1 ? 'connection' : 'connections'}`;
  const rounds = measured.perSecond.get(SUBJECT)!.length;
  const others = contenders.map(({ name }) => name).filter((name) => name !== SUBJECT);
  const against = (samples: Samples, baseline: string, target: Comparison['target']) =>
    compare(samples, { subject: SUBJECT, baseline, target });
  const rates: ComparisonSection = {
    kind: 'comparison',
    title: `tools/call through the gateway, ${about}`,
    unit: 'calls/s',
    rounds,
    rows: others.map((name) => {
      const wanted = WANTED[name as ProgramName];
      return against(
        measured.perSecond,
        name,
        wanted === undefined ? { kind: 'none' } : { kind: 'at-least', value: wanted },
      );
    }),
  };
  const slowest: ComparisonSection = {
    kind: 'comparison',
    title: `the slowest in a hundred, ${about}`,
    unit: 'µs/call',
    rounds,
    rows: [
      against(
        measured.p99,
        'mcp-proxy',
        connections === 16 ? { kind: 'at-most', value: 0.5 } : { kind: 'none' },
      ),
    ],
  };
  return [rates, slowest, timesOf(measured, [SUBJECT, ...others], about)];
}

function timesOf(measured: Measured, names: readonly string[], about: string): TableSection {
  const median = (samples: Samples, name: string): number =>
    Math.round(spreadOf(samples.get(name)!).median);
  return {
    kind: 'table',
    title: `times of one call in µs, ${about}`,
    headings: ['', 'p50', 'p99', 'processor, without the server'],
    rows: names.map((name) => [
      name,
      median(measured.p50, name),
      median(measured.p99, name),
      median(measured.processor, name),
    ]),
  };
}

/** The overhead of a call over a direct one, by the median of each round. */
async function addedTime(
  load: LoadProcess,
  target: Target,
  repeats = DEFAULT_ROUNDS,
): Promise<Section> {
  const ask = async (to: Load['target']): Promise<number> =>
    (await load.ask({ target: to, calls: CALLS[1]!, connections: 1 })).p50;
  await load.ask({ target: 'stdio', calls: WARM_UP_CALLS, connections: 1 });
  const samples = await runRounds(
    [
      { name: 'through', turn: () => ask(target) },
      { name: 'direct', turn: () => ask('stdio') },
    ],
    repeats,
  );
  const direct = samples.get('direct')!;
  const through = samples.get('through')!;
  const added = spreadOf(through.map((each, round) => each - direct[round]!));
  return {
    kind: 'figures',
    title: 'added to a call that is written to the stdio server itself',
    rows: [
      figure({
        name: 'p50',
        value: added.median,
        unit: 'µs',
        target: { kind: 'at-most', value: MOST_ADDED_US },
        note: `${Math.round(spreadOf(direct).median)} µs direct, ${Math.round(spreadOf(through).median)} µs through the gateway`,
      }),
    ],
  };
}
