// Measures how fast one thread cuts files into chunks along their syntax, compared with parsing alone. The benchmark of
// the index shows what a pool of processes adds. The user names the files.

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join, relative } from 'node:path';
// Imports internals, to measure one thread without the pool.
import { chunkText } from '../packages/codebase/dist/chunk/chunk-text.js';
import { hasGrammar } from '../packages/codebase/dist/chunk/languages/grammars.js';
import { languageOf } from '../packages/codebase/dist/chunk/languages/language-of.js';
import { Parsers } from '../packages/codebase/dist/chunk/parsers.js';
import { compare, figure, type Section } from './measure/report.ts';
import { runRounds } from './measure/rounds.ts';

interface SourceFile {
  readonly path: string;
  readonly text: string;
}

const DEFAULT_ROUNDS = 5;
const LEAST_FILES_PER_SECOND = 600;
const MOST_TIMES_THE_PARSE = 1.6;
const MOST_BYTES = 1_000_000;
const SKIPPED = new Set(['.git', 'node_modules']);

export async function benchmarkChunking(
  folder: string,
  repeats: number | undefined,
): Promise<readonly Section[]> {
  const files = [...sourceFiles(folder, folder)];
  const parsers = new Parsers({ mostMs: 10_000 });
  const rounds = repeats ?? DEFAULT_ROUNDS;
  const turns = {
    parse: () => parseAll(files, parsers),
    chunk: async () => {
      for (const file of files) await chunkText(file, parsers, 'syntax');
    },
  };
  // Loads and compiles the grammars before the measurement.
  for (const turn of Object.values(turns)) await turn();
  const samples = await runRounds(
    Object.entries(turns).map(([name, turn]) => ({ name, turn: () => timed(turn) })),
    rounds,
  );
  const least = Math.min(...samples.get('chunk')!);
  const characters = files.reduce((sum, { text }) => sum + text.length, 0);
  const note = `${files.length} files, ${(characters / 1e6).toFixed(1)} MB; of the processor, in the quickest of ${rounds} rounds`;
  const target = { kind: 'at-most', value: MOST_TIMES_THE_PARSE } as const;
  return [
    {
      kind: 'comparison',
      title: 'chunking: all files, beside the bare parse',
      unit: 'ms',
      rounds,
      rows: [compare(samples, { subject: 'chunk', baseline: 'parse', target })],
    },
    {
      kind: 'figures',
      title: 'chunking: how fast',
      rows: [
        figure({
          name: 'files',
          value: (files.length * 1000) / least,
          unit: '/s',
          target: { kind: 'at-least', value: LEAST_FILES_PER_SECOND },
          note,
        }),
        figure({
          name: 'text',
          value: characters / 1000 / least,
          unit: 'MB/s',
          target: { kind: 'none' },
        }),
      ],
    },
  ];
}

async function parseAll(files: readonly SourceFile[], parsers: Parsers): Promise<void> {
  for (const { path, text } of files) {
    const language = languageOf(path) ?? 'text';
    if (!hasGrammar(language)) continue;
    const loaded = await parsers.load(language);
    loaded.parse(text, () => false)?.delete();
  }
}

/** Processor time of all threads in milliseconds, which other load does not increase. */
async function timed(turn: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  await turn();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

function* sourceFiles(root: string, folder: string): Generator<SourceFile> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && !SKIPPED.has(entry.name)) yield* sourceFiles(root, path);
    if (!entry.isFile() || extname(path) === '' || statSync(path).size > MOST_BYTES) continue;
    if (!hasGrammar(languageOf(path) ?? 'text')) continue;
    yield { path: relative(root, path), text: readFileSync(path, 'utf8') };
  }
}
