// Modal editing of the prompt, as in vi: a pure function from a text with its mode, and a key, to the next text and mode. The
// state holds the keys of an incomplete command. Sending, history and menus are up to the prompt.

import { edit, type Editor } from './editor.ts';
import { after, before, endOfLine, startOfLine } from './text-units.ts';
import { firstNonBlank, lastOfLine, type MotionTarget, MOTIONS } from './vim-motions.ts';

export interface Vim {
  readonly mode: 'insert' | 'normal';
  /** The keys of an incomplete command. */
  readonly pending: string;
  readonly register: Register;
  /** The last search on a line, for `;` and `,`. */
  readonly search?: Search;
}

interface Register {
  readonly text: string;
  readonly isLines: boolean;
}

interface Search {
  readonly key: string;
  readonly character: string;
}

export interface VimText {
  readonly editor: Editor;
  readonly vim: Vim;
}

export const NEW_VIM: Vim = { mode: 'insert', pending: '', register: { text: '', isLines: false } };

/** `row`: the prompt moves the cursor by a screen row, or goes through the history. */
export type VimStep = VimText | { readonly row: 'up' | 'down'; readonly vim: Vim };

/** Handles one typed character. */
export function typeInVim({ editor, vim }: VimText, character: string): VimStep {
  if (vim.mode === 'insert') {
    return { editor: edit(editor, { kind: 'insert', text: character }), vim };
  }
  const command = readCommand(vim.pending + character);
  if (command === 'incomplete')
    return { editor, vim: { ...vim, pending: vim.pending + character } };
  const idle = { ...vim, pending: '' };
  if (command === undefined) return { editor, vim: idle };
  const isRow = command.operator === undefined && (command.key === 'j' || command.key === 'k');
  if (isRow) return { row: command.key === 'j' ? 'down' : 'up', vim: idle };
  return withCursorOnCharacter(runCommand({ editor, vim: idle }, command));
}

/** Escape: back to normal mode, or drops an incomplete command. `undefined` if vi does not use the key. */
export function escapeVim({ editor, vim }: VimText): VimText | undefined {
  if (vim.mode === 'normal') {
    return vim.pending === '' ? undefined : { editor, vim: { ...vim, pending: '' } };
  }
  const { text, cursor, chips } = editor;
  const to = cursor === startOfLine(text, cursor) ? cursor : before(text, cursor, chips);
  return withCursorOnCharacter({ editor: moveCursor(editor, to), vim: { ...vim, mode: 'normal' } });
}

interface Command {
  readonly count: number | undefined;
  readonly operator: string | undefined;
  /** The motion or the command; the operator again for whole lines. */
  readonly key: string;
  readonly character: string;
}

const MOST_TIMES = 999;
const WITH_CHARACTER = /^[fFtTr]$/u;

/** `undefined` for keys that are no command. */
function readCommand(keys: string): Command | 'incomplete' | undefined {
  const [, first, operator, second, rest = ''] =
    /^([1-9]\d*)?(?:([dcy])([1-9]\d*)?)?([\s\S]*)$/u.exec(keys) ?? [];
  if (rest === '' || rest === 'g') return 'incomplete';
  const key = rest.startsWith('g') ? rest : rest.slice(0, 1);
  const character = rest.slice(key.length);
  if (WITH_CHARACTER.test(key) && character === '') return 'incomplete';
  const times = Math.min(MOST_TIMES, Number(first ?? 1) * Number(second ?? 1));
  const count = first === undefined && second === undefined ? undefined : times;
  const isKnown =
    operator === undefined
      ? Object.hasOwn(COMMANDS, key) || isMotion(key)
      : key === operator || isMotion(key);
  return isKnown ? { count, operator, key, character } : undefined;
}

function isMotion(key: string): boolean {
  return Object.hasOwn(MOTIONS, key) || key === ';' || key === ',';
}

function runCommand(at: VimText, command: Command): VimText {
  const { operator, key, count } = command;
  if (operator === key) return runOperator(at, operator, linesFrom(at.editor, count ?? 1));
  const run = operator === undefined && Object.hasOwn(COMMANDS, key) ? COMMANDS[key] : undefined;
  if (run !== undefined) return run(at, command);
  const moving = searchOf(at.vim, command);
  const isRepeated = moving.key !== key;
  const { character } = moving;
  const target = MOTIONS[moving.key]?.({ ...at.editor, count, character, isRepeated });
  const vim = WITH_CHARACTER.test(key) ? { ...at.vim, search: moving } : at.vim;
  if (target === undefined) return { ...at, vim };
  if (operator === undefined) return { editor: moveCursor(at.editor, target.to), vim };
  return runOperator({ ...at, vim }, operator, rangeTo(at.editor, target, command));
}

/** `;` repeats the last search, `,` repeats it in the other direction. */
function searchOf({ search }: Vim, { key, character }: Command): Search {
  if (key !== ';' && key !== ',') return { key, character };
  const last = search ?? { key: '', character: '' };
  if (key === ';') return last;
  const isBack = last.key === last.key.toUpperCase();
  return { ...last, key: isBack ? last.key.toLowerCase() : last.key.toUpperCase() };
}

interface Range {
  readonly from: number;
  readonly to: number;
  readonly isLines: boolean;
}

function rangeTo(editor: Editor, { to, takes }: MotionTarget, { operator, key }: Command): Range {
  const { text, cursor, chips } = editor;
  const [low, high] = [Math.min(cursor, to), Math.max(cursor, to)];
  if (takes === 'lines') {
    return { from: startOfLine(text, low), to: endOfLine(text, high), isLines: true };
  }
  const isWord = key === 'w' || key === 'W';
  if (isWord && operator === 'c' && /\S/u.test(text[cursor] ?? '')) {
    // `cw` leaves the blanks after the word, as in vi.
    const place = { ...editor, count: 1, character: '', isRepeated: false };
    const end = MOTIONS[key === 'w' ? 'e' : 'E']?.(place);
    const isOne = text.slice(cursor, high).trimEnd().length <= 1;
    return { from: cursor, to: isOne ? cursor + 1 : (end?.to ?? cursor) + 1, isLines: false };
  }
  // `dw` on the last word of a line stops at the end of the line.
  const [line] = isWord ? text.slice(low, high).split('\n') : [undefined];
  const stop = line === undefined ? high : low + line.length;
  return { from: low, to: takes === 'through' ? after(text, high, chips) : stop, isLines: false };
}

function linesFrom({ text, cursor }: Editor, count: number): Range {
  let to = endOfLine(text, cursor);
  for (let left = count - 1; left > 0 && to < text.length; left -= 1) to = endOfLine(text, to + 1);
  return { from: startOfLine(text, cursor), to, isLines: true };
}

function runOperator({ editor, vim }: VimText, operator: string, range: Range): VimText {
  const { from, to, isLines } = range;
  const { text } = editor;
  const kept = { ...vim, register: { text: text.slice(from, to), isLines } };
  if (operator === 'y') return { editor: moveCursor(editor, from), vim: kept };
  if (operator === 'c') {
    return { editor: replaceRange(editor, range, ''), vim: { ...kept, mode: 'insert' } };
  }
  if (!isLines) return { editor: replaceRange(editor, range, ''), vim: kept };
  // Deletes the line with its newline; the last line with the newline before it.
  const whole = to < text.length ? { from, to: to + 1 } : { from: Math.max(0, from - 1), to };
  const without = replaceRange(editor, whole, '');
  const start = Math.min(from, without.text.length);
  return { editor: moveCursor(without, firstNonBlank(without.text, start)), vim: kept };
}

type Run = (at: VimText, command: Command) => VimText;

const inserting =
  (place: (editor: Editor) => number): Run =>
  ({ editor, vim }) => ({
    editor: moveCursor(editor, place(editor)),
    vim: { ...vim, mode: 'insert' },
  });

const opening =
  (where: 'above' | 'below'): Run =>
  ({ editor, vim }) => {
    const { text, cursor } = editor;
    const at = where === 'below' ? endOfLine(text, cursor) : startOfLine(text, cursor);
    const opened = replaceRange(editor, { from: at, to: at }, '\n');
    return {
      editor: moveCursor(opened, where === 'below' ? at + 1 : at),
      vim: { ...vim, mode: 'insert' },
    };
  };

/** One key for an operator with a motion. */
const shorthand =
  (operator: string, key: string): Run =>
  (at, command) =>
    runCommand(at, { ...command, operator, key });

const COMMANDS: Readonly<Record<string, Run>> = {
  i: inserting(({ cursor }) => cursor),
  a: inserting(({ text, cursor, chips }) =>
    cursor === endOfLine(text, cursor) ? cursor : after(text, cursor, chips),
  ),
  I: inserting(({ text, cursor }) => firstNonBlank(text, cursor)),
  A: inserting(({ text, cursor }) => endOfLine(text, cursor)),
  o: opening('below'),
  O: opening('above'),
  x: shorthand('d', 'l'),
  X: shorthand('d', 'h'),
  s: shorthand('c', 'l'),
  S: shorthand('c', 'c'),
  D: shorthand('d', '$'),
  C: shorthand('c', '$'),
  Y: shorthand('y', 'y'),
  r: ({ editor, vim }, { character, count = 1 }) => {
    const { text, cursor } = editor;
    const end = cursor + count;
    if (end > endOfLine(text, cursor)) return { editor, vim };
    const changed = replaceRange(editor, { from: cursor, to: end }, character.repeat(count));
    return { editor: moveCursor(changed, end - 1), vim };
  },
  u: ({ editor, vim }, { count = 1 }) => {
    let undone = editor;
    for (let left = count; left > 0; left -= 1) undone = edit(undone, { kind: 'undo' });
    return { editor: undone, vim };
  },
  p: (at, { count }) => put(at, 'after', count),
  P: (at, { count }) => put(at, 'before', count),
};

function put({ editor, vim }: VimText, where: 'after' | 'before', count = 1): VimText {
  const { text, cursor, chips } = editor;
  const { register } = vim;
  if (register.text === '' && !register.isLines) return { editor, vim };
  if (register.isLines) {
    const at = where === 'after' ? endOfLine(text, cursor) : startOfLine(text, cursor);
    const copies = Array.from({ length: count }, () => register.text).join('\n');
    const whole = where === 'after' ? `\n${copies}` : `${copies}\n`;
    const changed = replaceRange(editor, { from: at, to: at }, whole);
    return { editor: moveCursor(changed, where === 'after' ? at + 1 : at), vim };
  }
  const isEnd = cursor === endOfLine(text, cursor);
  const at = where === 'before' || isEnd ? cursor : after(text, cursor, chips);
  const changed = replaceRange(editor, { from: at, to: at }, register.text.repeat(count));
  return { editor: moveCursor(changed, Math.max(at, changed.cursor - 1)), vim };
}

function replaceRange(editor: Editor, range: Omit<Range, 'isLines'>, text: string): Editor {
  return edit(editor, { kind: 'range', from: range.from, to: range.to, text });
}

function moveCursor(editor: Editor, to: number): Editor {
  return edit(editor, { kind: 'move', to });
}

/** In normal mode the cursor is on a character, not after the last one. */
function withCursorOnCharacter(at: VimText): VimText {
  const { editor, vim } = at;
  if (vim.mode === 'insert') return at;
  const last = lastOfLine(editor.text, editor.cursor, editor.chips);
  return editor.cursor <= last ? at : { editor: moveCursor(editor, last), vim };
}
