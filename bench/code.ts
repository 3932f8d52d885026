// The cost of a script: its start, the overhead of a call over its callback, and the memory that each attack gets
// before it is ended.

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { DEFAULT_LIMITS, Sandbox, type ScriptOptions } from '@plugboard/code-mode';
import { figure, type Figure, type Section } from './measure/report.ts';
import { spreadOf } from './measure/statistics.ts';
import { inBench } from './places.ts';

const DEFAULT_ROUNDS = 20;
const CALLS = 5000;
const CALL_ROUNDS = 10;
const MOST_START_MS = 15;
const MOST_CALL_MICROSECONDS = 60;
const MOST_GROWTH_MB = 64;
const MEGABYTE = 1024 * 1024;
/** Time for the spare thread to get ready, which it has while a model writes. */
const THREAD_READY_MS = 500;
const SAMPLE_MS = 5;

const ATTACKS: Readonly<Record<string, string>> = {
  'an endless loop': 'for (;;) {}',
  'a bomb of strings':
    'const all = []; for (let at = 0; ; at += 1) all.push("x".repeat(9999) + at);',
  'a bomb of objects': 'const all = []; for (;;) all.push({ a: {} });',
  'a bomb of typed arrays': 'const all = []; for (;;) all.push(new Uint8Array(100_000));',
  'an array that is sorted, which takes copies':
    'const all = Array.from({ length: 1e6 }, (_, at) => at % 7); for (;;) all.sort();',
  'deep recursion': 'const f = (n) => f(n + 1) + 1; f(0);',
  'a catastrophic regular expression': '/^(a+)+$/.test("a".repeat(40) + "b");',
  '10,000 calls at once':
    'await Promise.all(Array.from({ length: 10_000 }, () => tools.a.echo({ text: "x".repeat(9999) })));',
  'a promise that never settles': 'await new Promise(() => {});',
  'a flood of the log': 'for (;;) console.log("x".repeat(9999));',
};

const TYPED = `interface Note { readonly id: number; title?: string }
const notes: readonly Note[] = [{ id: 1, title: 'a' }, { id: 2 }];
const titles = new Map<number, string>();
for (const { id, title } of notes as Note[]) titles.set(id, title!);
return [...titles.values()].filter((title): title is string => title !== undefined);`;

const options: ScriptOptions = {
  tools: [{ path: ['a', 'echo'], name: 'echo' }],
  call: async ({ arguments: given }) => ({ ok: true, value: given }),
};

export async function benchmarkCode(rounds = DEFAULT_ROUNDS): Promise<readonly Section[]> {
  return [
    {
      kind: 'figures',
      title: `code: start of a script, ${rounds} rounds`,
      rows: await starts(rounds),
    },
    {
      kind: 'figures',
      title: `code: ${CALLS} calls from inside, one after another`,
      rows: await calls(),
    },
    { kind: 'figures', title: 'code: memory of the process while attacked', rows: await attacks() },
  ];
}

async function starts(rounds: number): Promise<readonly Figure[]> {
  const first = await timeOf(async () => {
    await using sandbox = new Sandbox();
    await sandbox.run('return 1', options);
  });
  await using sandbox = new Sandbox();
  const warm = (code: string): Promise<readonly number[]> =>
    inTurn(rounds, async () => {
      await sandbox.warm();
      await wait(THREAD_READY_MS);
      return timeOf(() => sandbox.run(code, options));
    });
  return [
    spread('JavaScript, thread waiting', await warm('return 1'), MOST_START_MS),
    spread('TypeScript, thread waiting', await warm(TYPED), MOST_START_MS),
    figure({
      name: 'the first, with its thread',
      value: first,
      unit: 'ms',
      target: { kind: 'none' },
    }),
  ];
}

function spread(name: string, took: readonly number[], most: number): Figure {
  const note = `quickest; median ${spreadOf(took).median.toFixed(1)}`;
  const target = { kind: 'at-most', value: most } as const;
  return figure({ name, value: Math.min(...took), unit: 'ms', target, note });
}

async function calls(): Promise<readonly Figure[]> {
  const program = [inBench('code/calls.mjs'), String(CALLS), String(CALL_ROUNDS)];
  const { stdout } = await promisify(execFile)(process.execPath, program);
  const { wall, processor } = JSON.parse(stdout) as { wall: number; processor: number };
  const note = `in the quickest of ${CALL_ROUNDS} rounds`;
  return [
    figure({
      name: 'time for a call',
      value: wall,
      unit: 'µs',
      target: { kind: 'at-most', value: MOST_CALL_MICROSECONDS },
      note,
    }),
    figure({
      name: 'processor time for a call, of all threads',
      value: processor,
      unit: 'µs',
      target: { kind: 'none' },
      note,
    }),
  ];
}

async function attacks(): Promise<readonly Figure[]> {
  const rows: Figure[] = [];
  for (const [name, code] of Object.entries(ATTACKS)) {
    await using sandbox = new Sandbox({ limits: { runMs: 2000 } });
    await sandbox.run('return 1', options);
    const before = process.memoryUsage.rss();
    let peak = before;
    const timer = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage.rss());
    }, SAMPLE_MS);
    const outcome = await sandbox.run(code, options);
    clearInterval(timer);
    rows.push(
      figure({
        name,
        value: (peak - before) / MEGABYTE,
        unit: 'MB',
        target: { kind: 'at-most', value: MOST_GROWTH_MB },
        note: outcome.kind === 'limit' ? `ended at its limit: ${outcome.limit}` : outcome.kind,
      }),
    );
  }
  const limit = DEFAULT_LIMITS.memoryBytes / MEGABYTE;
  return [
    ...rows,
    figure({ name: 'a script may take', value: limit, unit: 'MB', target: { kind: 'none' } }),
  ];
}

async function inTurn<T>(rounds: number, work: () => Promise<T>): Promise<readonly T[]> {
  const made: T[] = [];
  for (let round = 0; round < rounds; round += 1) made.push(await work());
  return made;
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
