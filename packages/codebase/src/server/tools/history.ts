// `history`: commits that touched a place, who last changed lines, and commits by message or by text, from git.

import { toolFailure } from '@plugboard/base';
import { z } from 'zod';
import { type BlamedLine, blameOf, type Commit, commitsOf } from '../../history/index.ts';
import { normalPath } from '../../scan/index.ts';
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
    const normal = normalPath(input.path === '' ? '.' : input.path);
    if (!normal.ok) return toolFailure(normal.error.message);
    const path = normal.value;
    const withheld = path === '' ? undefined : await withheldWords(path, parts);
    if (withheld !== undefined) return toolFailure(withheld);
    const stat = await parts.root.stat(path === '' ? '.' : path);
    // A file that is gone has a history as well.
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
      const blamed = await blameOf(parts.git, { path, lines }, signal);
      if (!blamed.ok) return toolFailure(blamed.error);
      return blameAnswer(path, blamed.value, budget);
    }
    const { message, text, max_results } = input;
    const lines = hasLines ? { start, end } : undefined;
    const query = { path, kind, lines, message, text, limit: max_results };
    const found = await commitsOf(parts.git, query, signal);
    if (!found.ok) return toolFailure(found.error);
    const { commits, isComplete } = found.value;
    const shown = commits.filter((commit) => budget.take(commitText(commit)));
    const notes = [
      ...(shown.length < commits.length ? ['More do not fit; ask with a larger max_tokens.'] : []),
      ...(isComplete ? [] : ['Not all commits were looked at in the time there was; name a path.']),
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

function commitText({ id, date, author, subject }: Commit): string {
  return `${id.slice(0, SHORT_ID)} ${date.slice(0, 10)} ${author}: ${subject}`;
}

function blameAnswer(path: string, lines: readonly BlamedLine[], budget: TextBudget) {
  const shown: { text: string; one: BlamedLine }[] = [];
  for (const one of lines) {
    const { commit, line, text: code } = one;
    const same = shown.at(-1)?.one.commit.id === commit.id;
    const text = `${line}| ${code}${same ? '' : `  <- ${commitText(commit)}`}`;
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
