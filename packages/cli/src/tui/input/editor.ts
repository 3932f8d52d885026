// A multi-line text with a cursor, and the edits of it. A pure state machine, without history and completion.

import {
  after,
  before,
  type Chip,
  endOfLine,
  offsetAt,
  cursorPlace,
  wrapRows,
  startOfLine,
  wordAfter,
  wordBefore,
} from './text-units.ts';

export interface Editor {
  readonly text: string;
  /** Always between two characters or labels. */
  readonly cursor: number;
  readonly chips: readonly Chip[];
  /** The text that was cut last. */
  readonly cut: string;
  readonly undo: readonly Snapshot[];
  /** The kind of the last edit: consecutive ones are undone, or pasted, as one. */
  readonly last: 'insert' | 'delete' | 'cut' | 'other';
  /** The column that up and down try to keep. */
  readonly column?: number;
}

interface Snapshot {
  readonly text: string;
  readonly cursor: number;
}

export type Edit =
  | { readonly kind: 'insert'; readonly text: string }
  | { readonly kind: 'paste'; readonly text: string }
  | { readonly kind: 'replace'; readonly start: number; readonly text: string }
  | { readonly kind: 'set'; readonly text: string }
  | { readonly kind: 'range'; readonly from: number; readonly to: number; readonly text: string }
  | { readonly kind: 'move'; readonly to: number }
  /** Inserts a label that is deleted as one, for something that the caller keeps. */
  | { readonly kind: 'label'; readonly text: string }
  | { readonly kind: PlainEdit };

export type PlainEdit =
  | 'backspace'
  | 'delete'
  | 'left'
  | 'right'
  | 'word-left'
  | 'word-right'
  | 'line-start'
  | 'line-end'
  | 'cut-to-end'
  | 'cut-to-start'
  | 'cut-word'
  | 'cut-word-after'
  | 'yank'
  | 'undo';

export const EMPTY: Editor = { text: '', cursor: 0, chips: [], cut: '', undo: [], last: 'other' };

const DEEPEST_UNDO = 200;
const FOLD_LINES = 8;
const FOLD_CHARACTERS = 800;

export function editorWith(text: string): Editor {
  return { ...EMPTY, text, cursor: text.length };
}

export function edit(editor: Editor, change: Edit): Editor {
  switch (change.kind) {
    case 'insert':
      return insert(editor, printable(change.text), 'insert');
    case 'paste':
      return paste(editor, printable(change.text));
    case 'replace':
      return splice(editor, { from: change.start, to: editor.cursor, text: change.text });
    case 'set':
      return splice(editor, { from: 0, to: editor.text.length, text: printable(change.text) });
    case 'range':
      return replaceRange(editor, change);
    case 'move':
      return moveCursor(editor, outsideChips(editor, change.to));
    case 'label':
      return insertLabel(editor, change.text);
    case 'undo':
      return undo(editor);
    case 'yank':
      return insert(editor, editor.cut, 'other');
    case 'backspace':
    case 'delete':
      return remove(editor, change.kind);
    case 'cut-to-end':
    case 'cut-to-start':
    case 'cut-word':
    case 'cut-word-after':
      return cut(editor, change.kind);
    default:
      return moveCursor(editor, motionTarget(editor, change.kind));
  }
}

/** `undefined` if there is no row above or below. */
export function moveRow(
  editor: Editor,
  direction: 'up' | 'down',
  columns: number,
): Editor | undefined {
  const rows = wrapRows(editor.text, columns);
  const place = cursorPlace(editor.text, rows, editor.cursor);
  const row = rows[place.row + (direction === 'up' ? -1 : 1)];
  if (row === undefined) return undefined;
  const column = editor.column ?? place.column;
  const cursor = outsideChips(editor, offsetAt(editor.text, row, column));
  return { ...moveCursor(editor, cursor), column };
}

/** The whole text, with pasted text in place of its labels. */
export function expandChips({ text, chips }: Pick<Editor, 'text' | 'chips'>): string {
  return chips.reduce((sum, chip) => sum.replace(chip.label, () => chip.text), text);
}

/** Drops control characters except tab and newline: the terminal would act on them when they are drawn. */
function printable(text: string): string {
  return text
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/gu, '');
}

function insert(editor: Editor, text: string, kind: Editor['last']): Editor {
  if (text === '') return editor;
  return { ...splice(editor, { from: editor.cursor, to: editor.cursor, text }, kind), last: kind };
}

function paste(editor: Editor, text: string): Editor {
  const lines = text.trimEnd().split('\n').length;
  if (lines < FOLD_LINES && text.length < FOLD_CHARACTERS) return insert(editor, text, 'other');
  const number = editor.chips.length + 1;
  const size = lines > 1 ? `${lines} lines` : `${text.length} characters`;
  const label = `[pasted ${size} #${number}]`;
  const inserted = insert(editor, label, 'other');
  return { ...inserted, chips: [...editor.chips, { label, text }] };
}

function insertLabel(editor: Editor, label: string): Editor {
  const inserted = insert(editor, label, 'other');
  return { ...inserted, chips: [...editor.chips, { label, text: label }] };
}

interface Splice {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

function splice(
  editor: Editor,
  { from, to, text }: Splice,
  kind: Editor['last'] = 'other',
): Editor {
  const { column: _, ...kept } = editor;
  const isRun = kind !== 'other' && kind === editor.last;
  const undoable = isRun
    ? editor.undo
    : [...editor.undo.slice(1 - DEEPEST_UNDO), { text: editor.text, cursor: editor.cursor }];
  return {
    ...kept,
    text: editor.text.slice(0, from) + text + editor.text.slice(to),
    cursor: from + text.length,
    undo: undoable,
    last: kind,
  };
}

/** Replaces a label as a whole if the range touches it. */
function replaceRange(editor: Editor, { from, to, text }: Splice): Editor {
  if (from === to && text === '') return editor;
  const [start, end] = [outsideChips(editor, from), outsideChips(editor, to, 'end')];
  return splice(editor, { from: start, to: end, text: printable(text) });
}

function undo(editor: Editor): Editor {
  const snapshot = editor.undo.at(-1);
  if (snapshot === undefined) return editor;
  const { column: _, ...kept } = editor;
  return { ...kept, ...snapshot, undo: editor.undo.slice(0, -1), last: 'other' };
}

function remove(editor: Editor, kind: 'backspace' | 'delete'): Editor {
  const { text, cursor, chips } = editor;
  const from = kind === 'backspace' ? before(text, cursor, chips) : cursor;
  const to = kind === 'backspace' ? cursor : after(text, cursor, chips);
  return from === to ? editor : splice(editor, { from, to, text: '' }, 'delete');
}

type CutKind = 'cut-to-end' | 'cut-to-start' | 'cut-word' | 'cut-word-after';

function cut(editor: Editor, kind: CutKind): Editor {
  const { cursor } = editor;
  const target = motionTarget(editor, kind);
  const from = Math.min(cursor, target);
  const to = Math.max(cursor, target);
  if (from === to) return editor;
  const taken = editor.text.slice(from, to);
  const whole = target < cursor ? taken + editor.cut : editor.cut + taken;
  return {
    ...splice(editor, { from, to, text: '' }, 'cut'),
    cut: editor.last === 'cut' ? whole : taken,
  };
}

type Motion = Exclude<PlainEdit, 'backspace' | 'delete' | 'yank' | 'undo'>;

function motionTarget(editor: Editor, motion: Motion): number {
  const { text, cursor, chips } = editor;
  switch (motion) {
    case 'left':
      return before(text, cursor, chips);
    case 'right':
      return after(text, cursor, chips);
    case 'word-left':
    case 'cut-word':
      return outsideChips(editor, wordBefore(text, cursor));
    case 'word-right':
    case 'cut-word-after':
      return outsideChips(editor, wordAfter(text, cursor), 'end');
    case 'line-start':
      return startOfLine(text, cursor);
    case 'line-end':
      return endOfLine(text, cursor);
    case 'cut-to-start': {
      const start = startOfLine(text, cursor);
      // At the start of a line, joins it with the line before.
      return start === cursor ? Math.max(0, cursor - 1) : start;
    }
    case 'cut-to-end': {
      const end = endOfLine(text, cursor);
      return end === cursor ? Math.min(text.length, cursor + 1) : end;
    }
    default:
      return motion satisfies never;
  }
}

function moveCursor(editor: Editor, cursor: number): Editor {
  const { column: _, ...kept } = editor;
  return { ...kept, cursor, last: 'other' };
}

function outsideChips(
  { text, chips }: Editor,
  cursor: number,
  side: 'start' | 'end' = 'start',
): number {
  for (const { label } of chips) {
    const start = text.indexOf(label);
    const end = start + label.length;
    if (start !== -1 && start < cursor && cursor < end) return side === 'start' ? start : end;
  }
  return cursor;
}
