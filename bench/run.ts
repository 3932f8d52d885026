// `npm run bench -- NAME|all`: runs one benchmark or all of them, and prints the results. Progress goes to stderr, so
// that stdout has only the tables, or one JSON document with --json.

import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { runAll } from './all.ts';
import { type Benchmark, BENCHMARKS, type Choice } from './benchmarks.ts';
import { hasMiss, type Report } from './measure/report.ts';
import { toText } from './measure/print.ts';
import { nodeUnderTest } from './node-under-test.ts';
import { inBench, versionIn } from './places.ts';

const NAMES = Object.keys(BENCHMARKS);

const PARTS = NAMES.map((name) => ({ name, parts: BENCHMARKS[name]!.parts }))
  .filter(({ parts }) => parts.length > 0)
  .map(({ name, parts }) => `of ${name}: ${parts.join(', ')}`);

const USAGE = `usage: npm run bench -- <name|all> [options]

${NAMES.map((name) => `  ${name.padEnd(16)} ${BENCHMARKS[name]!.about}`).join('\n')}
  all              one after another, each in a process of its own

  --only <part>    ${PARTS.join(';\n                   ')}
  --repeats <n>    rounds to measure; each contender has one turn in each
  --seed <n>       of connect: what the random points in time follow from; of search: the bootstrap
  --poisoned <file>, --real <file>
                   of scan: the definitions to look through
  --repos <folder> of chunking and index: where the files are; of search: one folder for each set
  --sets <file>    of search: questions and the files that answer them; of tools: tools and requests;
                   may be repeated
  --distractors <file>
                   of tools: tools to add to each set that are never the right ones; of tasks: the 500 further
                   tools of the set-up "many", made ones unless told
  --model <on|off>, --ablation
                   of search: with the embedded model or words alone; each part left out
  --save <file>, --against <file>
                   of search: keep this run; hold it against one that was kept
  --tree <folder>, --pattern <text>
                   of text-search: where to look, and for what; a tree is made unless told
  --json           print one JSON document
  --strict         exit with 1 when a target is missed`;

interface Wish {
  readonly names: readonly string[];
  readonly choice: Omit<Choice, 'parts'>;
  readonly only: string | undefined;
  readonly format: 'text' | 'json';
  readonly onMiss: 'report' | 'fail';
}

const wish = readWish();
if (wish === undefined) {
  console.error(USAGE);
  process.exitCode = 1;
} else {
  const reports = await reportsFor(wish);
  const [first] = reports;
  // The document is one report, or the list of all.
  const document = wish.names.length === 1 ? first : reports;
  console.log(
    wish.format === 'json' ? JSON.stringify(document, null, 2) : reports.map(toText).join('\n'),
  );
  if (wish.onMiss === 'fail' && reports.some(hasMiss)) process.exitCode = 1;
}

async function reportsFor({ names, choice, only }: Wish): Promise<readonly Report[]> {
  const [name = ''] = names;
  if (names.length > 1) return runAll(names, process.argv.slice(2).filter(isForEach));
  const benchmark = BENCHMARKS[name]!;
  const parts = only === undefined ? benchmark.parts : [only];
  return [await report(name, benchmark, { ...choice, parts })];
}

/** Whether an argument given for all benchmarks is passed to each; output and judgement are handled here. */
function isForEach(argument: string): boolean {
  return !['all', '--json', '--strict'].includes(argument);
}

async function report(name: string, benchmark: Benchmark, choice: Choice): Promise<Report> {
  const { sections, skipped = [], versions = {} } = await benchmark.run(choice);
  const { measures } = benchmark;
  return {
    benchmark: name,
    machine: machine(),
    versions: {
      [measures === 'cli' ? 'plugboard' : `@plugboard/${measures}`]: versionIn(
        `../packages/${measures}`,
      ),
      ...versions,
    },
    sections,
    skipped,
  };
}

function readWish(): Wish | undefined {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      only: { type: 'string' },
      repeats: { type: 'string' },
      seed: { type: 'string', default: '1' },
      poisoned: { type: 'string' },
      real: { type: 'string' },
      repos: { type: 'string' },
      tree: { type: 'string' },
      pattern: { type: 'string' },
      sets: { type: 'string', multiple: true, default: [] },
      model: { type: 'string', default: 'on' },
      distractors: { type: 'string' },
      ablation: { type: 'boolean', default: false },
      save: { type: 'string' },
      against: { type: 'string' },
      json: { type: 'boolean', default: false },
      strict: { type: 'boolean', default: false },
    },
  });
  const names = positionals[0] === 'all' ? NAMES : positionals;
  const { only, model, save, against } = values;
  const repeats = values.repeats === undefined ? undefined : Number(values.repeats);
  const seed = Number(values.seed);
  if (positionals.length !== 1 || !names.every((name) => Object.hasOwn(BENCHMARKS, name))) {
    return undefined;
  }
  if (only !== undefined && !isPartOf(names, only)) return undefined;
  if (repeats !== undefined && !(Number.isInteger(repeats) && repeats > 0)) return undefined;
  if (!Number.isInteger(seed)) return undefined;
  if (model !== 'on' && model !== 'off') return undefined;
  return {
    names,
    only,
    choice: {
      repeats,
      seed,
      files: { poisoned: values.poisoned, real: values.real },
      repos: values.repos,
      tree: values.tree,
      pattern: values.pattern,
      tools: { sets: values.sets, distractors: values.distractors },
      search: {
        // Questions about this project need no other repository.
        sets: values.sets.length === 0 ? [inBench('sets/plugboard.json')] : values.sets,
        model,
        parts: values.ablation ? 'ablation' : 'whole',
        save,
        against,
      },
    },
    format: values.json ? 'json' : 'text',
    onMiss: values.strict ? 'fail' : 'report',
  };
}

/** Parts belong to one benchmark, so they cannot be chosen for all. */
function isPartOf(names: readonly string[], only: string): boolean {
  return names.length === 1 && names.every((name) => BENCHMARKS[name]!.parts.includes(only));
}

function machine(): Report['machine'] {
  const all = cpus();
  return {
    node: nodeUnderTest().version,
    platform: `${process.platform}-${process.arch}`,
    cores: all.length,
    cpu: all[0]?.model ?? 'unknown',
  };
}
