// A long session in a real git repository, on a real terminal with a scripted model: planning, edits, tests that fail and then
// pass, a delegated review, going back, resizing, notes, a fork, an export and a resume. Whenever the chat is idle, the screen is
// compared cell by cell with a fresh drawing.

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import {
  isLong,
  type ModelTurn,
  startScriptedModel,
  type TerminalScreen,
  times,
  verifies,
} from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { type Sandbox, sandbox } from '../sandbox.ts';
import {
  answersIn,
  calling,
  chatProcessOn,
  choose,
  decide,
  leave,
  PROMPT,
  say,
  toldIn,
  USER_SETTINGS,
} from './chat-on-terminal.ts';

const READ = 'mcp__codebase__read_file';
const WRITE = 'mcp__workspace__write_file';
const EDIT = 'mcp__workspace__edit_file';
const RUN = 'mcp__workspace__run_command';
const SHIFT_TAB = '\u001B[Z';
const CLEAR_ALL = '\u001B[2J\u001B[3J\u001B[H';

const SUM = `export function sum(numbers) {
  return numbers.reduce((total, number) => total + number);
}
`;
const CHECK = `import assert from 'node:assert';
import { sum } from './sum.mjs';
assert.equal(sum([1, 2]), 3);
assert.equal(sum([]), 0);
console.log('2 checks passed');
`;

/** How often the middle of the session is repeated. */
const ROUNDS = times(1, 60);

async function git(box: Sandbox, ...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('git', args, { cwd: box.project, env: box.env });
  return stdout;
}

async function repository(): Promise<Sandbox> {
  const box = await sandbox();
  await box.write('sum.mjs', SUM);
  await box.write('check.mjs', CHECK);
  await git(box, 'init', '-q', '.');
  await git(box, 'config', 'user.email', 'ada@example.com');
  await git(box, 'config', 'user.name', 'Ada');
  await git(box, 'add', '-A');
  await git(box, 'commit', '-qm', 'Begin');
  await box.write(
    '../home/.config/plugboard/agents/reviewer.md',
    '---\ndescription: Reviews a change\ntools: Read\n---\nLook for errors.\n',
  );
  // A small context window, so that the conversation has to be summarized.
  const chat = { providers: { anthropic: { contextTokens: 20_000 } } };
  await box.write(USER_SETTINGS, JSON.stringify({ chat }));
  return box;
}

/** An empty prompt, and a status line that begins with the mode and not with an activity. */
function isAtRest(text: string): boolean {
  return text.includes(PROMPT) && /\n(?:ask|accept edits|plan) · [^\n]*$/u.test(text);
}

/**
 * Waits until the lines of calls have the full width again. A line that the terminal wraps at its new edge fills the last column,
 * which the chat leaves empty.
 */
async function resize(screen: TerminalScreen, columns: number, rows: number): Promise<void> {
  screen.resize(columns, rows);
  const isWhole = (line: string): boolean =>
    line.length === columns - 1 && /^✓ .* lines?$/u.test(line);
  const isDrawn = (lines: readonly string[]): boolean =>
    lines.some(isWhole) && lines.every(({ length }) => length < columns);
  await screen.until((text) => isAtRest(text) && isDrawn(text.split('\n')), {
    within: 'everything',
    wish: `all is drawn in ${columns} columns`,
  });
}

/** Compares the screen with what Ctrl-L draws, to find leftovers and missing text. */
async function isClean(screen: TerminalScreen): Promise<void> {
  await screen.until(isAtRest);
  const before = { all: screen.everything(), cells: screen.cells() };
  const from = screen.written.length;
  screen.press('ctrl+l');
  await screen.writes(CLEAR_ALL, { from });
  await screen
    .until(() => screen.everything() === before.all, { timeoutMs: 20_000 })
    // A comparison describes the difference better than a timeout.
    .catch(() => {});
  expect(before.all).toBe(screen.everything());
  const [was, is] = [written(before.cells), written(screen.cells())];
  const common = Math.min(was.length, is.length);
  expect(was.slice(-common)).toEqual(is.slice(-common));
}

/** Drops the empty rows at the bottom: a panel that was taller leaves some, unlike a fresh drawing. */
function written(cells: ReturnType<TerminalScreen['cells']>): typeof cells {
  const isEmpty = (row: (typeof cells)[number]): boolean =>
    row.every(({ text }) => text.trim() === '');
  const last = cells.findLastIndex((row) => !isEmpty(row));
  return cells.slice(0, last + 1);
}

const todos = (...states: readonly string[]): readonly [string, Record<string, unknown>] => [
  'update_todos',
  {
    items: ['repair the sum', 'run the checks'].map((text, at) => ({ text, state: states[at] })),
  },
];

/** Plans, repairs, and delegates a review. */
const FIRST: readonly ModelTurn[] = [
  calling([READ, { path: 'sum.mjs' }], [WRITE, { path: 'sum.mjs', content: '' }]),
  calling(['present_plan', { plan: '1. Give `reduce` a first value\n2. Run the checks' }]),
  calling(todos('doing', 'open'), [RUN, { command: 'node check.mjs' }]),
  calling([EDIT, { path: 'sum.mjs', old_text: '+ number)', new_text: '+ number, 0)' }]),
  calling(todos('done', 'doing'), [RUN, { command: 'node check.mjs' }]),
  calling(todos('done', 'done')),
  'The sum of nothing is `0` now, and **both checks pass**.',
  calling(['delegate', { agent: 'reviewer', task: 'Review sum.mjs' }]),
  calling([READ, { path: 'sum.mjs' }]),
  'No errors found.',
  'The reviewer found no errors.',
];

/** Writes something that is undone later. */
const round = (number: number): readonly ModelTurn[] => [
  calling([WRITE, { path: `mean-${number}.mjs`, content: 'export const mean = 1;\n' }]),
  `Written in round ${number}.\n\n${'A line of an answer that is long enough to wrap. '.repeat(6)}\n\n| a | b |\n|---|---|\n| ${number} | 2 |`,
  calling([RUN, { command: `seq 1 ${number + 30}` }]),
  `Counted in round ${number}.`,
];

const LAST: readonly ModelTurn[] = [
  `${'All of it in so many words. '.repeat(900)}\n\nThat was all of it.`,
  'Notes: the sum is repaired.',
  'In the copy.',
  'Fresh.',
  'I remember the copy.',
  calling([RUN, { command: 'git commit -qam "Repair the sum of nothing"' }]),
  'Committed.',
  'Welcome back.',
];

async function planAndRepair(screen: TerminalScreen): Promise<void> {
  screen.type(SHIFT_TAB);
  await screen.shows(/^accept edits · /mu);
  screen.type(SHIFT_TAB);
  await screen.shows(/^plan · /mu);
  await isClean(screen);
  await say(screen, 'sum([]) throws: repair it');
  await screen.shows('2. Run the checks');
  await choose(screen, 'y');
  await decide(screen, { about: 'workspace · run_command' });
  await decide(screen, { about: 'workspace · edit_file' });
  await decide(screen, { about: 'workspace · run_command', key: 's' });
  await screen.shows('both checks pass');
  await isClean(screen);
  await say(screen, '!git diff --stat');
  await screen.shows('1 file changed');
  await isClean(screen);
  await say(screen, 'have it reviewed');
  await screen.shows('The reviewer found no errors.');
  await isClean(screen);
}

/** The text of a round is undone; its count, in a window of another size, stays. */
async function goBack(screen: TerminalScreen, number: number): Promise<void> {
  await say(screen, `write the mean ${number}`);
  await decide(screen, { about: 'workspace · write_file' });
  await screen.shows(`Written in round ${number}.`, { within: 'everything' });
  await isClean(screen);
  await say(screen, '/rewind');
  await screen.shows(new RegExp(`› write the mean ${number}`, 'u'));
  screen.press('enter');
  await screen.shows('the conversation and the files');
  screen.press('enter');
  await screen.shows(`Restored mean-${number}.mjs.`);
  await screen.shows(`❯ write the mean ${number}`);
  screen.press('ctrl+c');
  await isClean(screen);
  const columns = 60 + ((number * 17) % 50);
  await resize(screen, columns, 24);
  await isClean(screen);
  await say(screen, `count ${number}`);
  await decide(screen, { about: 'workspace · run_command' });
  await screen.shows(`Counted in round ${number}.`);
  await isClean(screen);
  await resize(screen, 100, 40);
  await isClean(screen);
}

async function takeElsewhere(screen: TerminalScreen): Promise<void> {
  await say(screen, 'explain all of it');
  await screen.shows('That was all of it.');
  await isClean(screen);
  await say(screen, '/compact');
  await screen.shows('the conversation was shortened');
  await isClean(screen);
  await say(screen, '/fork');
  await screen.shows('This is a copy now.');
  await say(screen, 'where are we');
  await screen.shows('In the copy.');
  await isClean(screen);
  await say(screen, '/export talk.md');
  await screen.shows('The conversation is in talk.md.');
  await say(screen, '/clear');
  await screen.hides('In the copy.');
  await isClean(screen);
  await say(screen, 'something else');
  await screen.shows('Fresh.');
  await say(screen, '/resume');
  await screen.shows('Conversations in this folder');
  screen.press('down');
  await screen.shows(/^› (?!something else)/mu);
  screen.press('enter');
  await screen.shows(/resumed[\s\S]*In the copy\./u, { within: 'everything' });
  await isClean(screen);
  await say(screen, 'what do you remember');
  await screen.shows('I remember the copy.');
  await say(screen, 'commit it');
  await decide(screen, { about: 'workspace · run_command' });
  await screen.shows('Committed.');
  await isClean(screen);
}

describe('an hour of work in a repository', () => {
  it(
    'leaves no glitch: the screen always equals a fresh drawing',
    { timeout: isLong ? 3_600_000 : 300_000 },
    async () => {
      verifies('AGT-24');
      await using box = await repository();
      const rounds = Array.from({ length: ROUNDS }, (_, at) => at + 1);
      await using model = await startScriptedModel({
        turns: [...FIRST, ...rounds.flatMap(round), ...LAST],
      });
      const env = { PLUGBOARD_CODEBASE: 'on' };
      {
        await using screen = await chatProcessOn(box, model, { env });
        await screen.shows(/● 2\/2/u);
        await isClean(screen);
        await planAndRepair(screen);
        for (const number of rounds) await goBack(screen, number);
        await takeElsewhere(screen);
        expect(await leave(screen)).toBe(0);
      }
      await using again = await chatProcessOn(box, model, { env, args: ['--continue'] });
      await again.shows('Committed.');
      await say(again, 'hello again');
      await again.shows('Welcome back.');
      await isClean(again);
      expect(await leave(again)).toBe(0);
      const answers = model.requests.map((request) => answersIn(request));
      expect(answers[1]?.[1]?.text).toContain('plan mode is on');
      expect(answers[3]?.at(-1)?.text).toContain('exit code 1');
      expect(answers[5]?.at(-1)?.text).toContain('2 checks passed');
      expect(toldIn(model.requests.at(-1))).toContain('Notes: the sum is repaired.');
      expect(await git(box, 'log', '--format=%s')).toBe('Repair the sum of nothing\nBegin\n');
      expect(await git(box, 'status', '--short')).toBe('?? talk.md\n');
      expect(await box.read('talk.md')).toContain('In the copy.');
      expect(await box.read('sum.mjs')).toContain('+ number, 0)');
      const { stdout } = await box.run(['sessions', '--json']);
      const { sessions } = JSON.parse(stdout) as { readonly sessions: readonly unknown[] };
      expect(sessions).toHaveLength(3);
    },
  );
});
