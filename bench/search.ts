// The quality of answers to questions about code: NDCG@10 and top hits, for each set and overall, with or without the
// model, compared with an earlier run, and without each part of the ranking in turn.

import { readFileSync, writeFileSync } from 'node:fs';
import { type Embedder, openEmbedder, RANK_PARTS } from '@plugboard/codebase';
// Imports internals, to time a part of an answer.
import { fuse } from '../packages/codebase/dist/search/fuse.js';
import { rank } from '../packages/codebase/dist/search/rank.js';
import { readQuery } from '../packages/codebase/dist/words/index.js';
import { figure, type Figure, type Section } from './measure/report.ts';
import { spreadOf } from './measure/statistics.ts';
import { type Difference, differenceOf } from './search/paired-bootstrap.ts';
import {
  ask,
  type QuestionScore,
  type AskingOptions,
  type IndexedSet,
  indexSet,
  remembering,
} from './search/run-questions.ts';
import { meanOf } from './search/score.ts';
import { folderOf, readSets } from './search/sets.ts';

export interface SearchChoice {
  readonly sets: readonly string[];
  readonly repos: string | undefined;
  readonly model: 'on' | 'off';
  readonly parts: 'whole' | 'ablation';
  /** The file for this run, and the file of an earlier run to compare with. */
  readonly save: string | undefined;
  readonly against: string | undefined;
  readonly seed: number;
}

const CANDIDATES = 100;
const MOST_MS = 5;

export async function benchmarkSearch(choice: SearchChoice): Promise<readonly Section[]> {
  const embedder = choice.model === 'on' ? await model() : undefined;
  try {
    return await measure(choice, embedder);
  } finally {
    await embedder?.close();
  }
}

async function model(): Promise<Embedder> {
  const opened = await openEmbedder({ kind: 'embedded' });
  if (opened.kind === 'none') throw new Error(opened.reason);
  return opened.embedder;
}

async function measure(
  choice: SearchChoice,
  embedder: Embedder | undefined,
): Promise<readonly Section[]> {
  const sets: IndexedSet[] = [];
  for (const set of readSets(choice.sets)) {
    const folder = folderOf(set, choice.repos);
    if (folder === undefined) throw new Error(`${set.name}: give --repos, it is no part of this`);
    console.error(`indexing ${set.name}`);
    sets.push(await indexSet(set, { folder, embedder }));
  }
  const options = { embedder: embedder && remembering(embedder) };
  const asked = await askAll(sets, options);
  const sections: Section[] = [quality(asked, sets, choice)];
  if (choice.against !== undefined) sections.push(comparison(asked, choice.against, choice.seed));
  if (choice.parts === 'ablation') sections.push(await ablation(sets, { options, asked, choice }));
  sections.push(await cost(sets, options));
  if (choice.save !== undefined) writeFileSync(choice.save, JSON.stringify(asked, null, 1));
  return sections;
}

async function askAll(
  sets: readonly IndexedSet[],
  options: AskingOptions,
): Promise<readonly QuestionScore[]> {
  const asked: QuestionScore[] = [];
  for (const set of sets) asked.push(...(await ask(set, options)));
  return asked;
}

function quality(
  asked: readonly QuestionScore[],
  sets: readonly IndexedSet[],
  { model: choice }: SearchChoice,
): Section {
  const rows = sets.map(({ set, files, chunks }) =>
    row(
      set.name,
      asked.filter((one) => one.set === set.name),
      `${files} files, ${chunks} chunks`,
    ),
  );
  const title = choice === 'on' ? 'words and meaning' : 'words alone';
  return {
    kind: 'figures',
    title: `search, ${title}: NDCG@10`,
    rows: [...rows, row('all', asked, '')],
  };
}

function row(name: string, asked: readonly QuestionScore[], note: string): Figure {
  const hits = (['hit1', 'hit5'] as const).map((at) =>
    meanOf(asked.map((one) => one[at])).toFixed(2),
  );
  const facts = [`hit@1 ${hits[0]}, hit@5 ${hits[1]}`, `${asked.length} questions`, note];
  return figure({
    name,
    value: meanOf(asked.map(({ ndcg }) => ndcg)),
    unit: '',
    target: { kind: 'none' },
    note: facts.filter((fact) => fact !== '').join('; '),
  });
}

function comparison(asked: readonly QuestionScore[], file: string, seed: number): Section {
  const earlier = JSON.parse(readFileSync(file, 'utf8')) as readonly QuestionScore[];
  const before = new Map(earlier.map((one) => [keyOf(one), one.ndcg]));
  const both = asked.filter((one) => before.has(keyOf(one)));
  const names = [...new Set(both.map(({ set }) => set))];
  const difference = (name: string, ones: readonly QuestionScore[]): Figure =>
    differenceRow(
      name,
      differenceOf(
        ones.map(({ ndcg }) => ndcg),
        ones.map((one) => before.get(keyOf(one))!),
        seed,
      ),
    );
  return {
    kind: 'figures',
    title: `against ${file}: difference of NDCG@10, ${both.length} questions in both`,
    rows: [
      ...names.map((name) =>
        difference(
          name,
          both.filter(({ set }) => set === name),
        ),
      ),
      difference('all', both),
    ],
  };
}

function keyOf({ set, query }: QuestionScore): string {
  return `${set} ${query}`;
}

function differenceRow(name: string, { mean, low, high }: Difference): Figure {
  const note = `95% interval ${low.toFixed(3)} to ${high.toFixed(3)}`;
  return figure({ name, value: mean, unit: '', target: { kind: 'none' }, note });
}

async function ablation(
  sets: readonly IndexedSet[],
  whole: {
    readonly options: AskingOptions;
    readonly asked: readonly QuestionScore[];
    readonly choice: SearchChoice;
  },
): Promise<Section> {
  const { options, asked, choice } = whole;
  const without: (readonly [string, AskingOptions])[] = [
    ...RANK_PARTS.map((part) => [part, { ...options, leaveOut: [part] }] as const),
    ['the whole rank stage', { ...options, leaveOut: RANK_PARTS }],
  ];
  if (options.embedder !== undefined) without.push(['the model', { embedder: undefined }]);
  const rows: Figure[] = [];
  for (const [name, left] of without) {
    const rest = await askAll(sets, left);
    const [now, then] = [rest, asked].map((ones) => ones.map(({ ndcg }) => ndcg));
    rows.push(differenceRow(`without ${name}`, differenceOf(now!, then!, choice.seed)));
  }
  return { kind: 'figures', title: 'ablation: difference of NDCG@10 over all sets', rows };
}

/** The time of fusion and ranking, without the store and the model. */
async function cost(sets: readonly IndexedSet[], { embedder }: AskingOptions): Promise<Section> {
  const times: number[] = [];
  for (const { set, store } of sets) {
    for (const { query: text } of set.queries) {
      const query = readQuery(text);
      const lexical = await store.lexical(query.terms, CANDIDATES);
      const vector = await embedder?.embedQuery(text);
      const dense =
        embedder === undefined ? [] : await store.dense(embedder.id, vector!, CANDIDATES);
      const start = performance.now();
      rank(readQuery(text), fuse({ lexical, dense, denseShare: 0.5 }));
      times.push(performance.now() - start);
    }
  }
  return {
    kind: 'figures',
    title: `fusing and ranking, up to ${CANDIDATES * 2} candidates`,
    rows: [
      figure({
        name: 'median of all questions',
        value: spreadOf(times).median,
        unit: 'ms',
        target: { kind: 'at-most', value: MOST_MS },
      }),
    ],
  };
}
