// Text search over a large tree, against ripgrep alone: without an index, with one, and how soon the first result is
// there. Both print or hand over every match; a search that finds another number of lines ends the benchmark.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@plugboard/base';
import { listFiles, Root, TextSearch, TrigramIndex } from '@plugboard/codebase';
import { makeTree, RARE_NAME } from './codebase-tree.ts';
import { compare, figure, type Section } from './measure/report.ts';
import { type Contender, runRounds } from './measure/rounds.ts';

export interface TextSearchChoice {
  /** A tree of files; one is made where none is given. */
  readonly tree: string | undefined;
  /** What is sought in it; rare, or an index is of no use. */
  readonly pattern: string | undefined;
  readonly repeats: number | undefined;
}

const DEFAULT_ROUNDS = 15;
const COLD_TARGET = 1.2;
const WARM_TARGET = 0.4;
const LARGEST_INDEX = 0.2;

export async function benchmarkTextSearch(choice: TextSearchChoice): Promise<readonly Section[]> {
  const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'plugboard-text-')));
  try {
    const tree = choice.tree ?? join(scratch, 'tree');
    if (choice.tree === undefined) {
      console.error('making a tree of 50,000 files');
      makeTree(tree);
    }
    return await measure(tree, join(scratch, 'index'), choice);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

async function measure(
  tree: string,
  folder: string,
  { pattern = RARE_NAME, repeats = DEFAULT_ROUNDS }: TextSearchChoice,
): Promise<readonly Section[]> {
  const opened = await Root.open(tree);
  if (!opened.ok) throw new Error(opened.error.message);
  const root = opened.value;
  const index = await TrigramIndex.open({
    root,
    folder,
    onFailure: (thrown) => console.error(thrown),
  });
  try {
    const bytes = await textBytes(root);
    console.error('building the index');
    const startedAt = performance.now();
    await index.update(listFiles(root, new AbortController().signal));
    await index.settled();
    const seconds = (performance.now() - startedAt) / 1000;
    const cold = new TextSearch({ root, clock: systemClock });
    const warm = new TextSearch({ root, clock: systemClock, index });
    const regex = `${pattern.slice(0, -3)}[a-z]+`;
    console.error('measuring');
    return [
      await section('a rare name', { root: tree, pattern, regex: false, cold, warm, repeats }),
      await section('a rare regex', {
        root: tree,
        pattern: regex,
        regex: true,
        cold,
        warm,
        repeats,
      }),
      await firstResult(cold, tree),
      {
        kind: 'figures',
        title: 'text-search: the index',
        rows: [
          figure({ name: 'files', value: index.state.files, unit: '', target: { kind: 'none' } }),
          figure({ name: 'time to build', value: seconds, unit: 's', target: { kind: 'none' } }),
          figure({
            name: 'size, of the text',
            value: (index.state.bytes * 100) / bytes,
            unit: '%',
            target: { kind: 'at-most', value: LARGEST_INDEX * 100 },
            note: `${Math.round(index.state.bytes / 1e6)} MB of ${Math.round(bytes / 1e6)} MB`,
          }),
        ],
      },
    ];
  } finally {
    await index[Symbol.asyncDispose]();
  }
}

interface SearchTask {
  readonly root: string;
  readonly pattern: string;
  readonly regex: boolean;
  readonly cold: TextSearch;
  readonly warm: TextSearch;
  readonly repeats: number;
}

async function section(title: string, sought: SearchTask): Promise<Section> {
  const { pattern, regex, cold, warm, repeats } = sought;
  const expected = ripgrep(sought).lines;
  const ours = (name: string, search: TextSearch): Contender => ({
    name,
    turn: async () => {
      const startedAt = performance.now();
      const page = await search.page({ pattern, regex, maxResults: 1000 });
      const took = performance.now() - startedAt;
      const total = page.ok ? page.value.total : -1;
      if (total !== expected) throw new Error(`${name}: ${total} lines instead of ${expected}`);
      return took;
    },
  });
  const contenders = [
    { name: 'ripgrep', turn: () => ripgrep(sought).took },
    ours('search without an index', cold),
    ours('search with the index', warm),
  ];
  for (const { turn } of contenders) await turn();
  const samples = await runRounds(contenders, repeats);
  const row = (subject: string, value: number) =>
    compare(samples, { subject, baseline: 'ripgrep', target: { kind: 'at-most', value } });
  return {
    kind: 'comparison',
    title: `text-search: ${title}, ${expected} lines`,
    unit: 'ms',
    rounds: repeats,
    rows: [row('search without an index', COLD_TARGET), row('search with the index', WARM_TARGET)],
  };
}

/** A frequent pattern: the first file must be there long before everything was looked at. */
async function firstResult(search: TextSearch, tree: string): Promise<Section> {
  const whole = ripgrep({ root: tree, pattern: 'return', regex: false }).took;
  const startedAt = performance.now();
  let first = 0;
  for await (const event of search.search({ pattern: 'return', maxResults: 50 })) {
    if (event.kind === 'file' && first === 0) first = performance.now() - startedAt;
  }
  return {
    kind: 'figures',
    title: 'text-search: the first result',
    rows: [
      figure({
        name: 'of the time that ripgrep takes for all',
        value: (first * 100) / whole,
        unit: '%',
        target: { kind: 'at-most', value: 50 },
        note: `${first.toFixed(0)} ms of ${whole.toFixed(0)} ms`,
      }),
    ],
  };
}

/** The very program that the search uses. */
const { rgPath: program } = createRequire(import.meta.resolve('@plugboard/codebase'))(
  '@vscode/ripgrep',
) as {
  rgPath: string;
};

function ripgrep({ root, pattern, regex }: Pick<SearchTask, 'root' | 'pattern' | 'regex'>): {
  readonly took: number;
  readonly lines: number;
} {
  const args = [
    '--no-config',
    '--no-require-git',
    '--no-ignore-global',
    '--smart-case',
    '--line-number',
  ];
  const startedAt = performance.now();
  const run = spawnSync(program, [...args, ...(regex ? [] : ['-F']), '-e', pattern, '--', './'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return {
    took: performance.now() - startedAt,
    lines: run.stdout.split('\n').length - 1,
  };
}

async function textBytes(root: Root): Promise<number> {
  let bytes = 0;
  for await (const { size } of listFiles(root, new AbortController().signal)) bytes += size;
  return bytes;
}
