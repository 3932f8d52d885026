// Everything below the finished items, as lines from top to bottom: changing items, the question, the panel, the prompt and
// the status line. Less tall than the screen: taller output cannot be overwritten without clearing the whole terminal.

import { oneLine } from '../../print/sanitise.ts';
import { mostTextRows, promptLines } from '../prompt/index.ts';
import { contentWidth, type Screen, STATUS_ROWS } from '../state/index.ts';
import { completionLines } from '../view/completion-lines.ts';
import { toAnsi } from '../view/spans.ts';
import { statusWords } from '../view/status-words.ts';
import type { Theme } from '../view/theme.ts';
import { todoLines } from '../view/todo-lines.ts';
import { liveLines } from './live-lines.ts';
import { openQuestionLines } from './open-question-lines.ts';
import { panelLines } from './panel-lines.ts';

export interface LowerLook {
  readonly now: number;
  readonly theme: Theme;
}

export function lowerLines(screen: Screen, { now, theme }: LowerLook): readonly string[] {
  const prompt = promptArea(screen, theme);
  const rows = screen.rows - 1 - STATUS_ROWS - prompt.length;
  const question = openQuestionLines(screen, theme);
  const todos = todoArea(screen, theme);
  return [
    ...liveLines(screen, { room: rows - question.length - todos.length, now, theme }),
    ...todos,
    ...question,
    ...panelLines(screen, { rows, theme }),
    ...prompt,
    statusLine(screen, { now, theme }),
  ];
}

/** Hidden while a question needs the room. */
function todoArea(screen: Screen, theme: Theme): readonly string[] {
  const { todos, questions, panel, rows } = screen;
  if (questions.length > 0 || panel !== undefined || rows < LEAST_ROWS_FOR_TODOS) return [];
  const lines = todoLines(todos, { width: contentWidth(screen), theme });
  return lines.map((line) => toAnsi(line, theme));
}

const LEAST_ROWS_FOR_TODOS = 16;

function promptArea(screen: Screen, theme: Theme): readonly string[] {
  const { composer, columns, rows, model } = screen;
  const isAsked = screen.questions.length > 0 || screen.panel !== undefined;
  if (isAsked && composer.editor.text === '') return [];
  // A question needs the room more than the draft in the prompt.
  const mostRows = isAsked ? 1 : mostTextRows(rows);
  const lines = promptLines(composer, { columns, theme, mostRows, model });
  const { menu } = composer;
  if (menu === undefined || isAsked) return lines;
  const width = contentWidth(screen);
  const choices = completionLines(menu.choices, menu.selected, { width, theme });
  return [...lines, ...choices.map((line) => toAnsi(line, theme))];
}

function statusLine(screen: Screen, { now, theme }: LowerLook): string {
  const { mode, jobs, model, tokens, cost, servers } = screen;
  const { vim } = screen.composer;
  const status = {
    keys: vim && (vim.mode === 'insert' ? 'INSERT' : `NORMAL ${vim.pending}`.trim()),
    mode,
    jobs,
    model,
    tokens,
    cost,
    servers,
    busy: busyWords(screen, now),
    hint: screen.hint ?? stopHint(screen),
  };
  return toAnsi(statusWords(status, { width: contentWidth(screen), theme }), theme);
}

/** Shown without a time while the user is asked: a screen reader would start the question again each second. */
const WAITING = 'waits for you';

function busyWords({ turn, commands, questions }: Screen, now: number): string | undefined {
  const command = commands.at(-1);
  const isBusy = turn === undefined ? command !== undefined : !turn.isCancelled;
  if (isBusy && questions.length > 0) return WAITING;
  if (turn === undefined && command !== undefined) {
    const seconds = Math.max(0, Math.floor((now - command.startedAt) / 1000));
    const doing = command.progress === undefined ? '' : ` ${oneLine(command.progress, 40)}`;
    return `${oneLine(command.text, 24)}${doing} ${seconds} s`;
  }
  if (turn === undefined) return undefined;
  const { startedAt, doing, isCancelled, retryAt } = turn;
  if (doing === 'retrying' && retryAt !== undefined && !isCancelled) {
    return `trying again in ${Math.max(0, Math.ceil((retryAt - now) / 1000))} s`;
  }
  const seconds = Math.max(0, Math.floor((now - startedAt) / 1000));
  return `${isCancelled ? 'stopping' : doing} ${seconds} s`;
}

/** The key that stops the turn or command, if there is room. */
function stopHint({ turn, commands, questions, panel, columns }: Screen): string | undefined {
  const isRunning = turn === undefined ? commands.length > 0 : !turn.isCancelled;
  const isStoppable = isRunning && questions.length === 0;
  return isStoppable && panel === undefined && columns >= 70 ? 'Esc stops' : undefined;
}
