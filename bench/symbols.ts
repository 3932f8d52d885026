// The quality of `find_symbol` compared with a language server, for names of one symbol: how many of its references the
// language server confirms (precision), and how many of the language server's it lists (recall); and the time of a
// query.

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
// Imports internals, to measure a part of the server.
import { chunkText } from '../packages/codebase/dist/chunk/chunk-text.js';
import { languageOf } from '../packages/codebase/dist/chunk/languages/language-of.js';
import { Parsers } from '../packages/codebase/dist/chunk/parsers.js';
import { loadSqlite } from '../packages/codebase/dist/platform/index.js';
import {
  type FoundSymbol,
  packSymbols,
  parseNamePath,
  type SymbolIndex,
  SymbolStore,
} from '../packages/codebase/dist/symbols/index.js';
import { traitsOf } from '../packages/codebase/dist/words/index.js';
import { figure, type Section } from './measure/report.ts';
import { seededRandom } from './measure/seeded-random.ts';
import { spreadOf } from './measure/statistics.ts';
import {
  type Asked,
  type LanguageServer,
  type Pyright,
  pyrightServer,
  type SourceText,
  typescriptServer,
} from './symbols/language-servers.ts';

const SCRIPTS: ReadonlySet<string> = new Set(['typescript', 'tsx', 'javascript']);
const SKIPPED = new Set(['.git', 'node_modules', 'dist']);
const MOST_BYTES = 1_000_000;
const SAMPLE = 120;
const LEAST_PRECISION = 0.9;
const MOST_MS = 100;
const PER_STORE = 192;

interface Score {
  readonly name: string;
  readonly language: string;
  readonly symbols: number;
  readonly precision: number;
  readonly recall: number;
  /** Lines that the language server cannot resolve. */
  readonly undecided: number;
  readonly milliseconds: readonly number[];
}

export async function benchmarkSymbols(repos: string, seed: number): Promise<readonly Section[]> {
  const scores: Score[] = [];
  for (const name of readdirSync(repos).toSorted()) {
    const folder = join(repos, name);
    if (!statSync(folder).isDirectory()) continue;
    scores.push(await scoreOf(name, folder, seed));
  }
  const times = spreadOf(scores.flatMap(({ milliseconds }) => milliseconds));
  return [
    {
      kind: 'table',
      title: 'symbols: references of unambiguous names, beside a language server',
      headings: ['repository', 'server', 'names', 'precision', 'recall', 'undecided lines'],
      rows: scores.map((one) => [
        one.name,
        one.language === 'python' ? 'pyright' : 'TypeScript',
        one.symbols,
        one.precision.toFixed(3),
        one.recall.toFixed(3),
        one.undecided,
      ]),
    },
    {
      kind: 'figures',
      title: 'symbols: targets',
      rows: [
        ...scores.map(({ name, precision }) =>
          figure({
            name: `precision in ${name}`,
            value: precision,
            unit: '',
            target: { kind: 'at-least', value: LEAST_PRECISION },
          }),
        ),
        figure({
          name: 'a symbol and its references',
          value: times.median,
          unit: 'ms',
          target: { kind: 'at-most', value: MOST_MS },
        }),
      ],
    },
  ];
}

async function scoreOf(name: string, folder: string, seed: number): Promise<Score> {
  const files = [...sourceTexts(folder, folder)];
  const python = files.filter(({ path }) => languageOf(path) === 'python');
  const scripts = files.filter(({ path }) => SCRIPTS.has(languageOf(path) ?? ''));
  const isPython = python.length > scripts.length;
  const own = isPython ? python : scripts;
  using store = await indexed(own);
  const index = store.index;
  if (index === undefined) throw new Error('there is no index of symbols');
  const symbols = sampleOf(unambiguous(index, own), seed);
  if (!isPython) {
    return await compared({ name, own, index, symbols }, typescriptServer(folder, own));
  }
  await using server: Pyright = await pyrightServer(folder, own);
  return await compared({ name, own, index, symbols }, server);
}

interface Compared {
  readonly name: string;
  readonly own: readonly SourceText[];
  readonly index: SymbolIndex;
  readonly symbols: readonly FoundSymbol[];
}

async function compared(
  { name, own, index, symbols }: Compared,
  server: LanguageServer,
): Promise<Score> {
  const texts = new Map(own.map(({ path, text }) => [path, text]));
  let right = 0;
  let listed = 0;
  let known = 0;
  let undecided = 0;
  const milliseconds: number[] = [];
  for (const symbol of symbols) {
    const place = placeOf(symbol, texts.get(symbol.file) ?? '');
    if (place === undefined) continue;
    const declared = `${symbol.file}:${symbol.line}`;
    const theirs = new Set([...(await server.references(place))].filter((one) => one !== declared));
    const start = performance.now();
    const asked = parseNamePath(symbol.path);
    const found = asked === undefined ? [] : index.find(asked).definitions;
    const { uses } = index.uses(found);
    milliseconds.push(performance.now() - start);
    const ours = new Set(uses.map(({ file, line }) => `${file}:${line}`));
    ours.delete(declared);
    const unlike = [...ours].filter((one) => !theirs.has(one));
    const wrong = await knownToServer(unlike, { name: symbol.name, texts, server });
    if (process.env['PLUGBOARD_BENCH_WRONG'] !== undefined && wrong.length > 0) {
      console.error(name, symbol.kind, symbol.path, declared, wrong.slice(0, 5));
    }
    right += ours.size - unlike.length;
    listed += ours.size - unlike.length + wrong.length;
    undecided += unlike.length - wrong.length;
    known += theirs.size;
  }
  const language = languageOf(own[0]?.path ?? '') ?? '';
  return {
    ...{ name, language, symbols: symbols.length, milliseconds, undecided },
    precision: listed === 0 ? 1 : right / listed,
    recall: known === 0 ? 1 : right / known,
  };
}

/** Of the lines that the language server does not list, those that it resolves to another symbol. */
async function knownToServer(
  unlike: readonly string[],
  at: {
    readonly name: string;
    readonly texts: ReadonlyMap<string, string>;
    readonly server: LanguageServer;
  },
): Promise<readonly string[]> {
  const wrong: string[] = [];
  for (const one of unlike) {
    const [, file = '', line = ''] = /^(.*):(\d+)$/.exec(one) ?? [];
    const asked = { file, line: Number(line), name: at.name };
    const place = placeOf(asked, at.texts.get(file) ?? '');
    if (place === undefined || (await at.server.knows(place))) wrong.push(one);
  }
  return wrong;
}

function placeOf(
  { file, line, name }: Pick<FoundSymbol, 'file' | 'line' | 'name'>,
  text: string,
): Asked | undefined {
  const lines = text.split('\n');
  const row = lines[line - 1] ?? '';
  const column = row.search(new RegExp(`(?<![\\w$])${name.replaceAll('$', '\\$')}(?![\\w$])`));
  if (column < 0) return undefined;
  const before = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
  return { path: file, line: line - 1, column, offset: before + column };
}

async function indexed(files: readonly SourceText[]): Promise<SymbolStore> {
  const sqlite = await loadSqlite();
  if (!sqlite.ok) throw new Error(sqlite.error);
  const store = await SymbolStore.open({ folder: undefined, open: sqlite.value });
  const parsers = new Parsers({ mostMs: 20_000 });
  for (let from = 0; from < files.length; from += PER_STORE) {
    const put = [];
    for (const { path, text } of files.slice(from, from + PER_STORE)) {
      const { definitions, uses, language } = await chunkText({ path, text }, parsers, 'syntax');
      const { isTest } = traitsOf({ path, text, language });
      put.push({ path, hash: '', isTest, symbols: packSymbols(definitions, uses) });
    }
    store.apply({ put, remove: [] });
  }
  return store;
}

/** Declared once in all files, and not reported as ambiguous; not in a test. */
function unambiguous(index: SymbolIndex, files: readonly SourceText[]): readonly FoundSymbol[] {
  const all = files.flatMap(({ path }) =>
    (index.definitionsOf(path) ?? []).map((one) => ({ ...one, file: path, isTest: false })),
  );
  const counts = new Map<string, number>();
  for (const { name } of all) counts.set(name, (counts.get(name) ?? 0) + 1);
  return all.filter(
    (one) =>
      counts.get(one.name) === 1 &&
      !/test/i.test(one.file) &&
      one.kind !== 'section' &&
      !index.uses([one]).isOutsideName,
  );
}

function sampleOf(all: readonly FoundSymbol[], seed: number): readonly FoundSymbol[] {
  const random = seededRandom(seed);
  return all
    .map((symbol) => ({ symbol, at: random() }))
    .toSorted((a, b) => a.at - b.at)
    .slice(0, SAMPLE)
    .map(({ symbol }) => symbol);
}

function* sourceTexts(folder: string, root: string): Generator<SourceText, void, undefined> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && !SKIPPED.has(entry.name)) yield* sourceTexts(path, root);
    if (!entry.isFile() || statSync(path).size > MOST_BYTES) continue;
    const language = languageOf(entry.name);
    if (language !== 'python' && !SCRIPTS.has(language ?? '')) continue;
    yield { path: relative(root, path), text: readFileSync(path, 'utf8') };
  }
}
