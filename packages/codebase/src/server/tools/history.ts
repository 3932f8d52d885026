// `history`: queries git for commits that touched a place, who last changed lines, and commits by message or by text.

import { err, ok, type Result, toolFailure } from '@plugboard/base';
import { z } from 'zod';
import { type BlamedLine, blameOf, type Commit, commitsOf } from '../../history/index.ts';
import type { HistoryPlace } from '../parts/codebase-parts.ts';
import { maxTokens, TextBudget } from './budget.ts';
import { defineTool, inputOf } from './tool.ts';
import { withheldWords } from './withheld.ts';

const SHORT_ID = 10;
const MOST_BLAMED = 500;

export const history = defineTool({
  name: 'history',
  title: 'History of code',
  description:
    'Asks git: which commits touched a file, a folder or lines; with blame, who last changed each line; with message or ' +
    'text, commits whose message has it, or that added or removed it. ' +
    'Example: {"path": "src/retry.ts", "start_line": 10, "end_line": 30}. Newest first.',
  input: inputOf({
    path: z.string().default('.').describe('A file or a folder; "." is everything'),
    start_line: z.int().min(1).optional().describe('Of a file'),
    end_line: z.int().min(1).optional(),
    blame: z
      .boolean()
      .default(false)
      .describe('Who last changed each line; lines of the last commit'),
    message: z.string().min(1).max(400).optional().describe('Text in the message, in any case'),
    text: z.string().min(1).max(400).optional().describe('Text that was added or removed'),
    max_results: z.int().min(1).max(500).default(20),
    max_tokens: maxTokens(3000),
  }),
  async run(input, { parts, signal }) {
    const normal = parts.root.normal(input.path === '' ? '.' : input.path);
    if (!normal.ok) return toolFailure(normal.error.message);
    const path = normal.value;
    const withheld = path === '' ? undefined : await withheldWords(path, parts);
    if (withheld !== undefined) return toolFailure(withheld);
    const stat = await parts.root.stat(path === '' ? '.' : path);
    // A removed file has a history as well.
    const kind = stat.ok ? stat.value.kind : 'file';
    const budget = new TextBudget(input.max_tokens);
    const start = input.start_line ?? 1;
    const end = input.end_line ?? (input.blame ? start + MOST_BLAMED - 1 : start);
    if (end < start) return toolFailure(`end_line (${end}) comes before start_line (${start})`);
    const hasLines = input.start_line !== undefined || input.end_line !== undefined;
    if ((hasLines || input.blame) && kind === 'folder') {
      return toolFailure('lines and blame are of a file: pass path, such as "src/retry.ts"');
    }
    if (input.blame) {
      const lines = { start, end: Math.min(end, start + MOST_BLAMED - 1) };
      const [place] = parts.histories(path);
      if (place === undefined) return toolFailure(NO_ROOT);
      const blamed = await blameOf(place.git, { path: place.path, lines }, signal);
      if (!blamed.ok) return toolFailure(blamed.error);
      return blameAnswer(path, blamed.value, budget);
    }
    const { message, text, max_results } = input;
    const lines = hasLines ? { start, end } : undefined;
    const query = { kind, lines, message, text, limit: max_results };
    const gone = new Set((await parts.missing()).map(({ name }) => name));
    const places = parts.histories(path).filter(({ name }) => !gone.has(name));
    const found = await commitsAt(places, query, signal);
    if (!found.ok) return toolFailure(found.error);
    const { commits, isComplete, without } = found.value;
    const shown = commits.filter((commit) => budget.take(commitText(commit)));
    const notes = [
      ...(shown.length < commits.length ? ['More do not fit; ask with a larger max_tokens.'] : []),
      ...(isComplete ? [] : ['Not all commits were looked at in the time there was; name a path.']),
      ...without,
    ];
    return {
      kind: 'done',
      text: [...(shown.length === 0 ? ['No such commits.'] : shown.map(commitText)), ...notes].join(
        '\n',
      ),
      data: { path: path === '' ? '.' : path, commits: shown, is_complete: isComplete },
    };
  },
});

const NO_ROOT = 'there is no such root';

interface FoundCommit extends Commit {
  /** The name of the root, if the query is about several. */
  readonly root?: string;
}

interface FoundCommits {
  readonly commits: readonly FoundCommit[];
  readonly isComplete: boolean;
  /** Sentences on roots that have no history. */
  readonly without: readonly string[];
}

/** The newest commits of all places; fails only if no place has a history. */
async function commitsAt(
  places: readonly HistoryPlace[],
  query: Omit<Parameters<typeof commitsOf>[1], 'path'>,
  signal: AbortSignal,
): Promise<Result<FoundCommits, string>> {
  const commits: FoundCommit[] = [];
  const without: { readonly name: string; readonly reason: string }[] = [];
  let isComplete = true;
  for (const { name, path, git } of places) {
    const found = await commitsOf(git, { ...query, path }, signal);
    if (!found.ok) {
      without.push({ name, reason: found.error });
      continue;
    }
    const root = places.length === 1 ? {} : { root: name };
    commits.push(...found.value.commits.map((one) => ({ ...one, ...root })));
    isComplete &&= found.value.isComplete;
  }
  if (without.length === places.length) return err(without[0]?.reason ?? NO_ROOT);
  const isOne = places.length === 1;
  return ok({
    commits: isOne ? commits : commits.toSorted(byTime).slice(0, query.limit),
    isComplete,
    without: without.map(({ name, reason }) => `${name}: ${reason}`),
  });
}

function byTime(a: Commit, b: Commit): number {
  return Date.parse(b.date) - Date.parse(a.date);
}

function commitText({ id, date, author, subject, root }: FoundCommit): string {
  const where = root === undefined ? '' : `${root} `;
  return `${where}${id.slice(0, SHORT_ID)} ${date.slice(0, 10)} ${author}: ${subject}`;
}

function blameAnswer(path: string, lines: readonly BlamedLine[], budget: TextBudget) {
  const shown: { text: string; one: BlamedLine }[] = [];
  for (const one of lines) {
    const { commit, line, text: code } = one;
    const isSame = shown.at(-1)?.one.commit.id === commit.id;
    const text = `${line}| ${code}${isSame ? '' : `  <- ${commitText(commit)}`}`;
    if (!budget.take(text)) break;
    shown.push({ text, one });
  }
  const rest = lines.length - shown.length;
  const more = rest > 0 ? [`${rest} more lines do not fit; ask with start_line.`] : [];
  return {
    kind: 'done' as const,
    text: [...shown.map(({ text }) => text), ...more].join('\n'),
    data: {
      path,
      lines: shown.map(({ one: { line, commit, text } }) => ({
        line,
        commit: { ...commit },
        text,
      })),
    },
  };
}
