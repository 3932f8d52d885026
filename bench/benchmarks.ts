// The list of benchmarks: subject, parts, the packages whose versions are reported, and how to run each. Heavy modules
// are loaded only by the benchmark that needs them.

import { benchmarkChat, CHAT_PARTS } from './chat.ts';
import { benchmarkConfig, CONFIG_PARTS } from './config.ts';
import { benchmarkConnect, CONNECT_PARTS, LINUX_PARTS } from './connect.ts';
import { benchmarkGateway, GATEWAY_PARTS } from './gateway.ts';
import type { Report, Section } from './measure/report.ts';
import { installPeers, mcporters } from './peers.ts';
import { versionIn } from './places.ts';
import type { ScanFiles } from './scan.ts';
import type { SearchChoice } from './search.ts';
import type { ToolSets } from './tools.ts';

/** The options of the command line. */
export interface Choice {
  /** The parts to run: all by default. */
  readonly parts: readonly string[];
  readonly repeats: number | undefined;
  readonly seed: number;
  readonly files: ScanFiles;
  readonly repos: string | undefined;
  readonly tree: string | undefined;
  readonly pattern: string | undefined;
  readonly search: Omit<SearchChoice, 'repos' | 'seed'>;
  readonly tools: ToolSets;
}

export interface Measurement {
  readonly sections: readonly Section[];
  /** What could not be measured on this machine, and why. */
  readonly skipped?: Report['skipped'];
  /** Versions of the compared packages. */
  readonly versions?: Report['versions'];
}

export interface Benchmark {
  readonly about: string;
  readonly parts: readonly string[];
  /** The folder of the measured package. */
  readonly measures: 'cli' | 'host' | 'gateway' | 'console' | 'code-mode' | 'codebase';
  readonly run: (choice: Choice) => Promise<Measurement>;
}

export const BENCHMARKS: Readonly<Record<string, Benchmark>> = {
  start: {
    about: 'how long the command takes to start',
    parts: [],
    measures: 'cli',
    run: async ({ repeats }) => ({
      sections: await (await import('./start.ts')).benchmarkStart(repeats),
    }),
  },
  call: {
    about: 'how long a tool call takes, from the command line and in the library',
    parts: ['command', 'shared', 'library'],
    measures: 'cli',
    run: runCall,
  },
  chat: {
    about: 'what a person at the terminal waits for',
    parts: CHAT_PARTS,
    measures: 'cli',
    run: async ({ parts, repeats }) => ({ sections: await benchmarkChat(parts, repeats) }),
  },
  catalog: {
    about: 'what ten thousand tools cost',
    parts: [],
    measures: 'host',
    run: async ({ repeats }) => ({
      sections: await (await import('./catalog.ts')).benchmarkCatalog(repeats),
    }),
  },
  results: {
    about: 'how much memory large results take',
    parts: [],
    measures: 'host',
    run: async ({ repeats }) => ({
      sections: await (await import('./large-results.ts')).benchmarkResults(repeats),
    }),
  },
  connect: {
    about: 'many servers at once; slow, broken, stubborn and killed ones',
    parts: CONNECT_PARTS,
    measures: 'cli',
    run: runConnect,
  },
  gateway: {
    about: 'calls through the gateway, beside others that do the same',
    parts: GATEWAY_PARTS,
    measures: 'gateway',
    run: runGateway,
  },
  console: {
    about: 'the first view of the console, and 100,000 messages in it, in a browser',
    parts: [],
    measures: 'console',
    run: async ({ repeats }) => (await import('./console.ts')).benchmarkConsole(repeats),
  },
  config: {
    about: 'much configuration, and configuration that changes',
    parts: CONFIG_PARTS,
    measures: 'cli',
    run: async ({ parts, repeats }) => ({
      sections: await benchmarkConfig(
        CONFIG_PARTS.filter((part) => parts.includes(part)),
        repeats,
      ),
    }),
  },
  scan: {
    about: 'what the scanner finds in definitions that are labelled, and in real ones',
    parts: [],
    measures: 'host',
    run: async ({ files, repeats }) =>
      files.poisoned === undefined && files.real === undefined
        ? missing('--poisoned or --real, the data is no part of this')
        : { sections: (await import('./scan.ts')).benchmarkScan(files, repeats) },
  },
  tools: {
    about: 'how well and how fast tools are found by what is to be done, beside plain BM25',
    parts: [],
    measures: 'host',
    run: async ({ tools, repeats }) =>
      tools.sets.length === 0
        ? missing('--sets, the data is no part of this')
        : { sections: await (await import('./tools.ts')).benchmarkTools(tools, repeats) },
  },
  tasks: {
    about: 'what thirty tasks cost with all tools sent, by a search, and by scripts',
    parts: [],
    measures: 'host',
    run: async ({ tools }) => ({
      sections: await (await import('./tasks.ts')).benchmarkTasks(tools.distractors),
    }),
  },
  code: {
    about: 'how fast scripts of a model start and call, and what memory attacks get',
    parts: [],
    measures: 'code-mode',
    run: async ({ repeats }) => ({
      sections: await (await import('./code.ts')).benchmarkCode(repeats),
    }),
  },
  chunking: {
    about: 'how fast files are cut along their syntax',
    parts: [],
    measures: 'codebase',
    run: async ({ repos, repeats }) =>
      repos === undefined
        ? missing('--repos, the files are no part of this')
        : { sections: await (await import('./chunking.ts')).benchmarkChunking(repos, repeats) },
  },
  'text-search': {
    about: 'how fast text is found in a large tree, with and without an index',
    parts: [],
    measures: 'codebase',
    run: async ({ tree, pattern, repeats }) => {
      const { benchmarkTextSearch } = await import('./codebase-text.ts');
      return { sections: await benchmarkTextSearch({ tree, pattern, repeats }) };
    },
  },
  search: {
    about: 'how good the answers to questions about code are',
    parts: [],
    measures: 'codebase',
    run: async ({ search, repos, seed }) => {
      const { benchmarkSearch } = await import('./search.ts');
      return { sections: await benchmarkSearch({ ...search, repos, seed }) };
    },
  },
  symbols: {
    about: 'how many references of a symbol are right, beside language servers',
    parts: [],
    measures: 'codebase',
    run: async ({ repos, seed }) => {
      if (repos === undefined) return missing('--repos, a folder of repositories');
      installPeers();
      const { benchmarkSymbols } = await import('./symbols.ts');
      return {
        sections: await benchmarkSymbols(repos, seed),
        versions: {
          pyright: versionIn('node_modules/pyright'),
          typescript: versionIn('node_modules/typescript-with-language-service'),
        },
      };
    },
  },
  index: {
    about: 'how fast a tree is indexed and searched, and what the index takes',
    parts: [],
    measures: 'codebase',
    run: async ({ repos, repeats }) => ({
      sections: await (await import('./codebase-index.ts')).benchmarkIndex(repos, repeats),
    }),
  },
};

function missing(what: string): Measurement {
  return { sections: [], skipped: [`everything: give ${what}`] };
}

async function runCall({ parts, repeats }: Choice): Promise<Measurement> {
  const { benchmarkCallShared } = await import('./call-shared.ts');
  const shared = parts.includes('shared') ? await benchmarkCallShared(repeats) : [];
  if (parts.every((part) => part === 'shared')) return { sections: shared };
  installPeers();
  const { benchmarkCallCommand } = await import('./call-command.ts');
  const { benchmarkCallLibrary } = await import('./call-library.ts');
  const command = parts.includes('command') ? await benchmarkCallCommand(repeats) : [];
  const library = parts.includes('library') ? await benchmarkCallLibrary(repeats) : [];
  const isShort = parts.includes('command') && mcporters().length < 2;
  return {
    versions: {
      '@modelcontextprotocol/client': versionIn('node_modules/@modelcontextprotocol/client'),
      '@modelcontextprotocol/server': versionIn('node_modules/@modelcontextprotocol/server'),
      '@ai-sdk/mcp': versionIn('node_modules/@ai-sdk/mcp'),
      mcporter: mcporters()
        .map(({ version, nodeVersion }) => `${version} (Node ${nodeVersion})`)
        .join(' and '),
    },
    sections: [...command, ...shared, ...library],
    skipped: isShort ? ['the newest mcporter: it wants Node 24, and there is none here'] : [],
  };
}

async function runGateway({ parts, repeats }: Choice): Promise<Measurement> {
  installPeers();
  const versionOf = (name: string): [string, string] => [name, versionIn(`node_modules/${name}`)];
  return {
    ...(await benchmarkGateway(
      GATEWAY_PARTS.filter((part) => parts.includes(part)),
      repeats,
    )),
    versions: Object.fromEntries(
      ['mcp-proxy', 'supergateway', '@modelcontextprotocol/server'].map(versionOf),
    ),
  };
}

async function runConnect({ parts, repeats, seed }: Choice): Promise<Measurement> {
  const isLinux = process.platform === 'linux';
  const wanted = CONNECT_PARTS.filter((part) => parts.includes(part));
  const possible = wanted.filter((part) => isLinux || !LINUX_PARTS.includes(part));
  return {
    sections: await benchmarkConnect(possible, { repeats, seed }),
    skipped: wanted
      .filter((part) => !possible.includes(part))
      .map((part) => `${part}: it looks for processes in /proc, and there is none here`),
  };
}
