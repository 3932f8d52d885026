// `search_by_embedding`: chunks of code that match a question, best first, each with as much of its text as fits into the
// answer.

import { toolFailure } from '@plugboard/base';
import { z } from 'zod';
import type {
  CodebaseParts,
  IndexState,
  RankedAnswer,
  RankedHit,
} from '../parts/codebase-parts.ts';
import { numberedLines } from './numbered-lines.ts';
import { isAt, placeAsQuestion } from './like-place.ts';
import { reportIndexing, withHeartbeat } from './progress.ts';
import { defineTool, GLOBS, inputOf, LANGUAGES } from './tool.ts';
import { shownPath } from './shown-path.ts';

const MOST_RESULTS = 100;
/** The most characters of code in one answer. */
const TEXT_BUDGET = 32_000;
const MOST_PER_CHUNK = 4096;
const MOST_NAMED = 10;
const DOUBT =
  'Nothing in this code is much like the question. The nearest, which may have nothing to do with it:';

const COMPARING =
  'Changes since this index was last used are still being looked for, and files that changed are not in this answer. ' +
  'Ask again later, or with wait_seconds.';

interface ShownHit extends RankedHit {
  readonly text: string | undefined;
  readonly isCut: boolean;
}

export const searchByEmbedding = defineTool({
  name: 'search_by_embedding',
  title: 'Search code by meaning',
  description:
    'Finds functions, classes and sections by what they do. Ask in plain words ("where are retries delayed") or ' +
    'name a symbol. Best first, with path, symbol and code; lines are numbered. With like in place of query it finds code ' +
    'like that at a place: {"like": "src/retry.ts:12"}.',
  input: inputOf({
    query: z.string().trim().min(1).max(4096).optional(),
    like: z.string().max(4096).optional().describe('A path and a line, "src/retry.ts:12"'),
    max_results: z.int().min(1).default(10).describe('100 at most'),
    globs: z.array(z.string()).max(100).optional().describe(GLOBS),
    languages: z.array(z.string()).max(50).optional().describe(LANGUAGES),
    wait_seconds: z
      .number()
      .min(0)
      .max(60)
      .optional()
      .describe(
        'How long to wait while the index is first built; else it answers from what is read',
      ),
  }),
  async run({ query, like, max_results, wait_seconds, ...choice }, call) {
    const { parts, signal } = call;
    const { index, root } = parts;
    const there = await root.resolve('.');
    if (!there.ok) return toolFailure(there.error.message);
    const state = await index.state();
    if ((query === undefined) === (like === undefined)) {
      return toolFailure('give either query or like: {"query": "where are retries delayed"}');
    }
    const place = like === undefined ? undefined : await placeAsQuestion(like, parts, signal);
    if (place?.ok === false) return toolFailure(place.error);
    const most = Math.min(max_results, MOST_RESULTS);
    const request = {
      ...choice,
      // The place itself is one of the results.
      maxResults: most + (place === undefined ? 0 : 1),
      waitMs: wait_seconds === undefined ? undefined : wait_seconds * 1000,
    };
    const question = place?.value.question ?? query ?? '';
    const message = state.kind === 'indexing' ? 'indexing' : 'searching';
    using _ = reportIndexing(call);
    const found = await withHeartbeat(index.search(question, request, signal), message, call);
    const others = found.hits.filter((hit) => place === undefined || !isAt(place.value, hit));
    const answer = { ...found, hits: others.slice(0, most) };
    const shown = await withTexts(answer.hits, parts, signal);
    const after = await index.state();
    return {
      kind: 'done',
      text: hitsText(shown, answer, after),
      data: hitsData(shown, answer, after),
    };
  },
});

async function withTexts(
  hits: readonly RankedHit[],
  { root }: CodebaseParts,
  signal: AbortSignal,
): Promise<readonly ShownHit[]> {
  const shown: ShownHit[] = [];
  let room = TEXT_BUDGET;
  for (const hit of hits) {
    const maxBytes = Math.min(room, MOST_PER_CHUNK);
    if (maxBytes <= 0) {
      shown.push({ ...hit, text: undefined, isCut: true });
      continue;
    }
    const { startLine, endLine } = hit;
    const read = await root.read(hit.path, { startLine, endLine, maxBytes }, signal);
    // The file is gone; the index will drop it too.
    if (!read.ok) continue;
    const text = read.value.text.slice(0, maxBytes);
    const isCut = text.length < read.value.text.length || read.value.endLine < endLine;
    room -= text.length;
    shown.push({ ...hit, text, isCut });
  }
  return shown;
}

function hitsData(shown: readonly ShownHit[], answer: RankedAnswer, { note, unread }: IndexState) {
  return {
    results: shown.map(({ path, startLine, endLine, kind, symbol, ...hit }) => ({
      path,
      start_line: startLine,
      end_line: endLine,
      kind,
      ...(symbol === undefined ? {} : { symbol }),
      ...(hit.name === undefined ? {} : { name: hit.name }),
      ...(hit.similarity === undefined ? {} : { similarity: hit.similarity }),
      score: hit.score,
      ...(hit.text === undefined ? {} : { text: hit.text }),
      ...(hit.isCut ? { is_cut: true } : {}),
    })),
    mode: answer.mode,
    confidence: answer.confidence,
    read_share: answer.readShare,
    semantic_coverage: answer.semanticCoverage,
    ...(answer.isComparing ? { is_comparing: true } : {}),
    ...(unread.length === 0 ? {} : { unread: unread.slice(0, MOST_NAMED) }),
    ...(note === undefined ? {} : { note }),
  };
}

function hitsText(shown: readonly ShownHit[], answer: RankedAnswer, state: IndexState): string {
  const notes = notesOn(answer, state);
  if (shown.length === 0) return ['Nothing found.', ...notes].join('\n');
  const doubt = answer.confidence === 'low' ? [DOUBT] : [];
  return [...doubt, ...shown.map(hitText), ...notes].join('\n\n');
}

function notesOn(
  { readShare, isComparing, semanticCoverage, mode }: RankedAnswer,
  { kind, unread, note }: IndexState,
): readonly string[] {
  return [
    ...(readShare < 1
      ? [
          `Only ${percent(readShare)} of the files were read so far, and the others are not in this answer. ` +
            'Ask again later, or with wait_seconds.',
        ]
      : []),
    ...(isComparing ? [COMPARING] : []),
    ...(readShare === 1 && kind === 'indexing' && mode === 'hybrid' && semanticCoverage < 1
      ? [`${percent(semanticCoverage)} is known by meaning so far, and everything by its words.`]
      : []),
    ...(unread.length === 0
      ? []
      : [
          `${unread.length} files could not be read: ${unread.slice(0, MOST_NAMED).map(shownPath).join(', ')}`,
        ]),
    ...(note === undefined ? [] : [`Note: ${note}`]),
  ];
}

function percent(share: number): string {
  return `${Math.floor(share * 100)} %`;
}

function hitText({
  path,
  startLine,
  endLine,
  kind,
  symbol,
  name,
  similarity,
  text,
  isCut,
}: ShownHit): string {
  const others = name === undefined ? '' : `, with ${name}`;
  const what = `${[kind, symbol].filter((word) => word !== undefined).join(' ')}${others}`;
  const near = similarity === undefined ? '' : `, similarity ${similarity.toFixed(3)}`;
  const head = `${shownPath(path)}:${startLine}-${endLine} (${what}${near})`;
  const code = text === undefined ? [] : [numberedLines(text, startLine)];
  return [head, ...code, ...(isCut ? ['[cut]'] : [])].join('\n');
}
