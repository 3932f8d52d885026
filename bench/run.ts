// `npm run bench -- start|call|chat|catalog|results|connect|config|scan|chunking|embedding|text-search|search|index`: runs one benchmark and prints what it found. Progress goes to stderr,
// so that stdout holds the tables, or with --json one JSON document, and nothing else.

import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { benchmarkChat, CHAT_PARTS } from './chat.ts';
import { benchmarkConfig, CONFIG_PARTS } from './config.ts';
import { benchmarkConnect, CONNECT_PARTS, LINUX_PARTS } from './connect.ts';
import { hasMiss, type Report } from './measure/report.ts';
import { toText } from './measure/print.ts';
import { nodeUnderTest } from './node-under-test.ts';
import { installPeers, mcporters } from './peers.ts';
import { versionIn } from './places.ts';
import type { ScanFiles } from './scan.ts';
import type { SearchChoice } from './search.ts';

const USAGE = `usage: npm run bench -- <start|call|chat|catalog|results|connect|config|scan|chunking|embedding|text-search|search|index> [options]

  start            how long the command takes to start
  call             how long a tool call takes, from the command line and in the library
  chat             what a person at the terminal waits for
  catalog          what ten thousand tools cost
  results          how much memory large results take
  connect          many servers at once; slow, broken, stubborn and killed ones
  config           much configuration, and configuration that changes
  scan             what the scanner finds in definitions that are labelled, and in real ones
  embedding        the embedded model beside the bare runtime, on the same tokens
  chunking         how fast files are cut along their syntax
  text-search      how fast text is found in a large tree, with and without an index
  search           how good the answers to questions about code are
  index            how fast a tree is indexed and searched, and what the index takes

  --only <part>    of call: command or library; of chat: ${CHAT_PARTS.join(', ')};
                   of connect: ${CONNECT_PARTS.join(', ')};
                   of config: ${CONFIG_PARTS.join(', ')}
  --repeats <n>    rounds to measure; each contender has one turn in each
  --seed <n>       of connect: what the random points in time follow from; of search: the bootstrap
  --poisoned <file>, --real <file>
                   of scan: the definitions to look through
  --repos <folder> of chunking and index: where the files are; of search: one folder for each set
  --sets <file>    of search: questions and the files that answer them; may be repeated
  --model <on|off>, --ablation
                   of search: with the embedded model or words alone; each part left out
  --save <file>, --against <file>
                   of search: keep this run; hold it against one that was kept
  --tree <folder>, --pattern <text>
                   of text-search: where to look, and for what; a tree is made unless told
  --json           print one JSON document
  --strict         exit with 1 when a target is missed`;

const PARTS = {
  start: [],
  call: ['command', 'library'],
  chat: CHAT_PARTS,
  catalog: [],
  results: [],
  connect: CONNECT_PARTS,
  config: CONFIG_PARTS,
  scan: [],
  embedding: [],
  chunking: [],
  'text-search': [],
  search: [],
  index: [],
} as const satisfies Readonly<Record<string, readonly string[]>>;

type Benchmark = keyof typeof PARTS;

interface Choice {
  readonly benchmark: Benchmark;
  /** The parts to run: all of the benchmark's unless told. */
  readonly parts: readonly string[];
  readonly repeats: number | undefined;
  readonly seed: number;
  readonly files: ScanFiles;
  readonly repos: string | undefined;
  readonly tree: string | undefined;
  readonly pattern: string | undefined;
  readonly search: Omit<SearchChoice, 'repos' | 'seed'>;
  readonly format: 'text' | 'json';
  readonly onMiss: 'report' | 'fail';
}

const RUNS: Readonly<Record<Benchmark, (choice: Choice) => Promise<Report>>> = {
  start: runStart,
  call: runCall,
  chat: runChat,
  catalog: runCatalog,
  results: runResults,
  connect: runConnect,
  config: runConfig,
  scan: runScan,
  embedding: runEmbedding,
  chunking: runChunking,
  'text-search': runTextSearch,
  search: runSearch,
  index: runIndex,
};

const choice = readChoice();
if (choice === undefined) {
  console.error(USAGE);
  process.exitCode = 1;
} else {
  const report = await RUNS[choice.benchmark](choice);
  console.log(choice.format === 'json' ? JSON.stringify(report, null, 2) : toText(report));
  if (choice.onMiss === 'fail' && hasMiss(report)) process.exitCode = 1;
}

function readChoice(): Choice | undefined {
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
      ablation: { type: 'boolean', default: false },
      save: { type: 'string' },
      against: { type: 'string' },
      json: { type: 'boolean', default: false },
      strict: { type: 'boolean', default: false },
    },
  });
  const [benchmark] = positionals;
  const { only } = values;
  const repeats = values.repeats === undefined ? undefined : Number(values.repeats);
  const seed = Number(values.seed);
  if (positionals.length !== 1 || !isBenchmark(benchmark)) return undefined;
  const parts: readonly string[] = PARTS[benchmark];
  if (only !== undefined && !parts.includes(only)) return undefined;
  if (repeats !== undefined && !(Number.isInteger(repeats) && repeats > 0)) return undefined;
  if (!Number.isInteger(seed)) return undefined;
  const { sets, model, save, against } = values;
  if (model !== 'on' && model !== 'off') return undefined;
  return {
    benchmark,
    parts: only === undefined ? parts : [only],
    repeats,
    seed,
    files: { poisoned: values.poisoned, real: values.real },
    repos: values.repos,
    tree: values.tree,
    pattern: values.pattern,
    search: { sets, model, parts: values.ablation ? 'ablation' : 'whole', save, against },
    format: values.json ? 'json' : 'text',
    onMiss: values.strict ? 'fail' : 'report',
  };
}

function isBenchmark(name: string | undefined): name is Benchmark {
  return name !== undefined && Object.hasOwn(PARTS, name);
}

async function runStart({ repeats }: Choice): Promise<Report> {
  const { benchmarkStart } = await import('./start.ts');
  return {
    benchmark: 'start',
    machine: machine(),
    versions: { plugboard: versionIn('../packages/cli') },
    sections: await benchmarkStart(repeats),
    skipped: [],
  };
}

async function runCatalog({ repeats }: Choice): Promise<Report> {
  const { benchmarkCatalog } = await import('./catalog.ts');
  return {
    benchmark: 'catalog',
    machine: machine(),
    versions: { plugboard: versionIn('../packages/host') },
    sections: await benchmarkCatalog(repeats),
    skipped: [],
  };
}

async function runResults({ repeats }: Choice): Promise<Report> {
  const { benchmarkResults } = await import('./large-results.ts');
  return {
    benchmark: 'results',
    machine: machine(),
    versions: { plugboard: versionIn('../packages/host') },
    sections: await benchmarkResults(repeats),
    skipped: [],
  };
}

async function runCall({ parts, repeats }: Choice): Promise<Report> {
  installPeers();
  const { benchmarkCallCommand } = await import('./call-command.ts');
  const { benchmarkCallLibrary } = await import('./call-library.ts');
  const command = parts.includes('command') ? await benchmarkCallCommand(repeats) : [];
  const library = parts.includes('library') ? await benchmarkCallLibrary(repeats) : [];
  const isShort = parts.includes('command') && mcporters().length < 2;
  return {
    benchmark: 'call',
    machine: machine(),
    versions: {
      plugboard: versionIn('../packages/cli'),
      '@modelcontextprotocol/client': versionIn('node_modules/@modelcontextprotocol/client'),
      '@modelcontextprotocol/server': versionIn('node_modules/@modelcontextprotocol/server'),
      mcporter: mcporters()
        .map(({ version, nodeVersion }) => `${version} (Node ${nodeVersion})`)
        .join(' and '),
    },
    sections: [...command, ...library],
    skipped: isShort ? ['the newest mcporter: it wants Node 24, and there is none here'] : [],
  };
}

async function runChat({ parts, repeats }: Choice): Promise<Report> {
  return {
    benchmark: 'chat',
    machine: machine(),
    versions: { plugboard: versionIn('../packages/cli') },
    sections: await benchmarkChat(parts, repeats),
    skipped: [],
  };
}

async function runConnect({ parts, repeats, seed }: Choice): Promise<Report> {
  const isLinux = process.platform === 'linux';
  const wanted = CONNECT_PARTS.filter((part) => parts.includes(part));
  const possible = wanted.filter((part) => isLinux || !LINUX_PARTS.includes(part));
  return {
    benchmark: 'connect',
    machine: machine(),
    versions: { plugboard: versionIn('../packages/cli') },
    sections: await benchmarkConnect(possible, { repeats, seed }),
    skipped: wanted
      .filter((part) => !possible.includes(part))
      .map((part) => `${part}: it looks for processes in /proc, and there is none here`),
  };
}

async function runConfig({ parts, repeats }: Choice): Promise<Report> {
  const wanted = CONFIG_PARTS.filter((part) => parts.includes(part));
  return {
    benchmark: 'config',
    machine: machine(),
    versions: { plugboard: versionIn('../packages/cli') },
    sections: await benchmarkConfig(wanted, repeats),
    skipped: [],
  };
}

async function runScan({ files, repeats }: Choice): Promise<Report> {
  const { benchmarkScan } = await import('./scan.ts');
  const isGiven = files.poisoned !== undefined || files.real !== undefined;
  return {
    benchmark: 'scan',
    machine: machine(),
    versions: { plugboard: versionIn('../packages/cli') },
    sections: isGiven ? benchmarkScan(files, repeats) : [],
    skipped: isGiven ? [] : ['everything: give --poisoned or --real, the data is no part of this'],
  };
}

async function runEmbedding({ repeats }: Choice): Promise<Report> {
  const { benchmarkEmbedding } = await import('./embedding.ts');
  return {
    benchmark: 'embedding',
    machine: machine(),
    versions: { codebase: versionIn('../packages/codebase') },
    sections: await benchmarkEmbedding(repeats),
    skipped: [],
  };
}

async function runTextSearch({ tree, pattern, repeats }: Choice): Promise<Report> {
  const { benchmarkTextSearch } = await import('./codebase-text.ts');
  return {
    benchmark: 'text-search',
    machine: machine(),
    versions: { '@plugboard/codebase': versionIn('../packages/codebase') },
    sections: await benchmarkTextSearch({ tree, pattern, repeats }),
    skipped: [],
  };
}

async function runSearch({ search, repos, seed }: Choice): Promise<Report> {
  const { benchmarkSearch } = await import('./search.ts');
  const isGiven = search.sets.length > 0;
  return {
    benchmark: 'search',
    machine: machine(),
    versions: { '@plugboard/codebase': versionIn('../packages/codebase') },
    sections: isGiven ? await benchmarkSearch({ ...search, repos, seed }) : [],
    skipped: isGiven ? [] : ['everything: give --sets, for example bench/sets/plugboard.json'],
  };
}

async function runIndex({ repos, repeats }: Choice): Promise<Report> {
  const { benchmarkIndex } = await import('./codebase-index.ts');
  return {
    benchmark: 'index',
    machine: machine(),
    versions: { '@plugboard/codebase': versionIn('../packages/codebase') },
    sections: await benchmarkIndex(repos, repeats),
    skipped: [],
  };
}

async function runChunking({ repos, repeats }: Choice): Promise<Report> {
  const { benchmarkChunking } = await import('./chunking.ts');
  return {
    benchmark: 'chunking',
    machine: machine(),
    versions: { '@plugboard/codebase': versionIn('../packages/codebase') },
    sections: repos === undefined ? [] : await benchmarkChunking(repos, repeats),
    skipped: repos === undefined ? ['everything: give --repos, the files are no part of this'] : [],
  };
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
