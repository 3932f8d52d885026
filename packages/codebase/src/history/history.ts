// Queries git about a place under the root: the commits that touched it, who last changed each line, and commits by their
// message or by a text that they added or removed.

import { err, ok, type Result } from '@plugboard/base';
import { type Git, type GitOutput, NO_COMMITS } from './git.ts';

export interface Commit {
  readonly id: string;
  readonly author: string;
  readonly date: string;
  readonly subject: string;
}

export interface CommitsFound {
  readonly commits: readonly Commit[];
  readonly isComplete: boolean;
}

export interface LineRange {
  readonly start: number;
  readonly end: number;
}

export interface CommitQuery {
  /** Empty for the root. */
  readonly path: string;
  readonly kind: 'file' | 'folder';
  readonly lines?: LineRange | undefined;
  /** Text in the commit message. */
  readonly message?: string | undefined;
  /** Text that the commit added or removed. */
  readonly text?: string | undefined;
  readonly limit: number;
}

export interface BlamedLine {
  readonly line: number;
  readonly commit: Commit;
  readonly text: string;
}

const FORMAT = '--format=%x00%H%x1f%an%x1f%aI%x1f%s';
const PLAIN = ['--no-ext-diff', '--no-textconv', '--ignore-submodules=all'];
const NOT_COMMITTED = /^0+$/;

export async function commitsOf(
  git: Pick<Git, 'run'>,
  query: CommitQuery,
  signal: AbortSignal,
): Promise<Result<CommitsFound, string>> {
  const { path, kind, lines, message, text, limit } = query;
  const args = [
    'log',
    ...[`--max-count=${limit}`, FORMAT, '--no-patch', '--no-show-signature', '--encoding=UTF-8'],
    ...PLAIN,
    ...(message === undefined ? [] : ['-i', '--fixed-strings', `--grep=${message}`]),
    ...(text === undefined ? [] : [`-S${text}`]),
  ];
  const place =
    lines !== undefined && text === undefined
      ? [`-L${lines.start},${lines.end}:${path}`]
      : [
          ...(kind === 'file' && text === undefined ? ['--follow'] : []),
          ...['--', path === '' ? '.' : path],
        ];
  const found = await git.run([...args, ...place], signal);
  if (!found.ok) return found.error === NO_COMMITS ? ok({ commits: [], isComplete: true }) : found;
  return ok({ commits: commitsIn(found.value), isComplete: found.value.isComplete });
}

/** The lines of the last commit: later changes have no author yet. */
export async function blameOf(
  git: Pick<Git, 'run'>,
  { path, lines }: { readonly path: string; readonly lines: LineRange },
  signal: AbortSignal,
): Promise<Result<readonly BlamedLine[], string>> {
  const range = `-L${lines.start},${lines.end}`;
  // A revision, not the working tree: git would start the repository's filters to read the working tree.
  const args = ['blame', '--line-porcelain', '--no-textconv', range, 'HEAD', '--', path];
  const found = await git.run(args, signal);
  if (!found.ok) return found;
  const blamed = blamedLines(found.value.text);
  return blamed.length === 0 ? err('no such lines in the last commit') : ok(blamed);
}

function commitsIn({ text, isComplete }: GitOutput): readonly Commit[] {
  const parts = text.split('\0').slice(1);
  // The last one may be incomplete.
  const whole = isComplete ? parts : parts.slice(0, -1);
  return whole.map((part) => {
    const [id = '', author = '', date = '', subject = ''] = (part.split('\n')[0] ?? '').split(
      '\x1f',
    );
    return { id, author, date, subject };
  });
}

function blamedLines(text: string): readonly BlamedLine[] {
  const blamed: BlamedLine[] = [];
  let id = '';
  let line = 0;
  const facts = new Map<string, string>();
  for (const row of text.split('\n')) {
    const head = /^([0-9a-f]{40,64}) \d+ (\d+)/.exec(row);
    if (head !== null) [, id = ''] = head;
    if (head !== null) line = Number(head[2]);
    else if (row.startsWith('\t')) {
      blamed.push({
        line,
        commit: {
          id: NOT_COMMITTED.test(id) ? '' : id,
          author: facts.get('author') ?? '',
          date: dateOf(Number(facts.get('author-time'))),
          subject: facts.get('summary') ?? '',
        },
        text: row.slice(1),
      });
    } else {
      const space = row.indexOf(' ');
      if (space > 0) facts.set(row.slice(0, space), row.slice(space + 1));
    }
  }
  return blamed;
}

/** Empty if the date is impossible: a commit may claim any number. */
function dateOf(seconds: number): string {
  const date = new Date(seconds * 1000);
  return Number.isNaN(date.getTime()) ? '' : date.toISOString();
}
