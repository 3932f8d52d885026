// `search_by_embedding`: chunks of code that fit a question, best first, each with as much of its text as the budget
// of an answer allows.

import { type Progress, toolFailure } from '@plugboard/base';
import { z } from 'zod';
import type { CodebaseParts, RankedAnswer, RankedHit } from '../parts/codebase-parts.ts';
import { withHeartbeat } from './progress.ts';
import { defineTool, inputOf } from './tool.ts';

const MOST_RESULTS = 100;
/** Characters of code in one answer. */
const TEXT_BUDGET = 32_000;
const MOST_PER_CHUNK = 4096;

interface ShownHit extends RankedHit {
  readonly text: string | undefined;
  readonly isCut: boolean;
}

export const searchByEmbedding = defineTool({
  name: 'search_by_embedding',
  title: 'Search code by meaning',
  description:
    'Finds functions, classes and sections by what they do. Ask in plain words ("where are retries delayed") or ' +
    'name a symbol. Best first, with path, lines, symbol and code.',
  input: inputOf({
    query: z.string().trim().min(1).max(4096),
    max_results: z.int().min(1).default(10).describe('100 at most'),
    globs: z.array(z.string()).max(100).optional().describe('Only in these files'),
    languages: z.array(z.string()).max(50).optional(),
  }),
  async run({ query, max_results, globs, languages }, { parts, signal, progress }) {
    const { search, index } = parts;
    const state = await index.state();
    if (search === undefined) {
      const reason = state.note ?? 'there is no index';
      return toolFailure(`search_by_embedding cannot answer: ${reason}. Use search_code instead.`);
    }
    const options = { maxResults: Math.min(max_results, MOST_RESULTS), globs, languages };
    using _ = tellOfIndex(parts, progress);
    const answer = await withHeartbeat(search.search(query, options, signal), {
      progress,
      clock: parts.clock,
      signal,
      message: state.kind === 'indexing' ? 'indexing' : 'searching',
    });
    const shown = await withTexts(answer.hits, parts, signal);
    return {
      kind: 'done',
      text: hitsText(shown, answer, state.note),
      data: hitsData(shown, answer, state.note),
    };
  },
});

function tellOfIndex({ index }: CodebaseParts, progress: Progress): Disposable {
  return index.onProgress(({ phase, done, total }) =>
    progress.tell({ done, total, message: `${phase}: ${done} of ${total}` }),
  );
}

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
    // Gone since it was indexed: the index hears of that too, and the next answer is without it.
    if (!read.ok) continue;
    const text = read.value.text.slice(0, maxBytes);
    const isCut = text.length < read.value.text.length || read.value.endLine < endLine;
    room -= text.length;
    shown.push({ ...hit, text, isCut });
  }
  return shown;
}

function hitsData(shown: readonly ShownHit[], answer: RankedAnswer, note: string | undefined) {
  return {
    results: shown.map(({ path, startLine, endLine, kind, symbol, ...hit }) => ({
      path,
      start_line: startLine,
      end_line: endLine,
      kind,
      ...(symbol === undefined ? {} : { symbol }),
      ...(hit.similarity === undefined ? {} : { similarity: hit.similarity }),
      score: hit.score,
      ...(hit.text === undefined ? {} : { text: hit.text }),
      ...(hit.isCut ? { is_cut: true } : {}),
    })),
    mode: answer.mode,
    semantic_coverage: answer.semanticCoverage,
    ...(note === undefined ? {} : { note }),
  };
}

function hitsText(
  shown: readonly ShownHit[],
  { semanticCoverage }: RankedAnswer,
  note: string | undefined,
): string {
  const notes = [
    ...(semanticCoverage < 1
      ? [`The index is still filling: ${Math.floor(semanticCoverage * 100)} % is known by meaning.`]
      : []),
    ...(note === undefined ? [] : [`Note: ${note}`]),
  ];
  if (shown.length === 0) return ['Nothing found.', ...notes].join('\n');
  return [...shown.map(hitText), ...notes].join('\n\n');
}

function hitText({
  path,
  startLine,
  endLine,
  kind,
  symbol,
  similarity,
  text,
  isCut,
}: ShownHit): string {
  const what = [kind, symbol].filter((word) => word !== undefined).join(' ');
  const near = similarity === undefined ? '' : `, similarity ${similarity.toFixed(3)}`;
  const head = `${path}:${startLine}-${endLine} (${what}${near})`;
  return [head, ...(text === undefined ? [] : [text]), ...(isCut ? ['[cut]'] : [])].join('\n');
}
