// The prompt: an editor with a history, a search through it, and a menu of completions. Pure. The caller sends the text and
// finds the completions.

import type { Choice, Completions, PromptKeys } from '../../chat/index.ts';
import { chordOf, type Key, type Press } from '../keys/index.ts';
import { droppedImage } from './dropped-image.ts';
import {
  edit,
  type Editor,
  editorWith,
  EMPTY,
  expandChips,
  moveRow,
  type PlainEdit,
} from './editor.ts';
import { graphemes } from './text-units.ts';
import { escapeVim, NEW_VIM, typeInVim, type Vim } from './vim.ts';

export interface Composer {
  readonly editor: Editor;
  /** Oldest first. */
  readonly history: readonly string[];
  /** The position in the history, and the draft from before. */
  readonly recalled?: { readonly index: number; readonly draft: Editor };
  readonly search?: HistorySearch;
  readonly menu?: Menu;
  /** Present if the prompt has the keys of vi. */
  readonly vim?: Vim;
}

export interface HistorySearch {
  readonly query: string;
  /** The index of the entry that is shown; `undefined` if none contains the query. */
  readonly index?: number;
  readonly draft: Editor;
}

export interface Menu {
  readonly start: number;
  readonly choices: readonly Choice[];
  readonly selected: number;
}

/** The effect of a key. */
export type ComposeResult =
  | { readonly kind: 'changed'; readonly composer: Composer }
  | { readonly kind: 'submit'; readonly composer: Composer; readonly text: string }
  /** Not a key of the prompt. */
  | { readonly kind: 'unused' };

export function newComposer(history: readonly string[], keys?: PromptKeys): Composer {
  return { editor: EMPTY, history, ...(keys === 'vim' ? { vim: NEW_VIM } : {}) };
}

/** Switches between plain and vi keys. */
export function withOtherKeys(composer: Composer): Composer {
  const { vim, ...kept } = composer;
  return vim === undefined ? { ...kept, vim: NEW_VIM } : kept;
}

/** How many columns the prompt has for its text on a screen of so many columns. */
export function textColumns(columns: number): number {
  return Math.max(4, columns - 4);
}

/** Whether the prompt itself handles Escape now, instead of stopping the turn or going back. */
export function takesEscape({ vim, editor }: Composer): boolean {
  return vim !== undefined && escapeVim({ editor, vim }) !== undefined;
}

export function compose(composer: Composer, key: Key, columns: number): ComposeResult {
  if (composer.search !== undefined) return onSearchKey(composer, composer.search, key);
  const { vim } = composer;
  if (vim?.mode === 'normal' && key.kind === 'text') {
    return typeInNormalMode(composer, key.text, columns);
  }
  if (key.kind !== 'press') return withEditor(composer, edit(composer.editor, insertion(key)));
  const chord = chordOf(key);
  const inMenu =
    composer.menu === undefined ? undefined : onMenuKey(composer, composer.menu, chord);
  if (inMenu !== undefined) return inMenu;
  const escaped =
    chord === 'escape' && vim !== undefined
      ? escapeVim({ editor: composer.editor, vim })
      : undefined;
  if (escaped !== undefined) return changed({ ...withoutMenu(composer), ...escaped });
  const change = EDITS[chord];
  if (change !== undefined) return withEditor(composer, edit(composer.editor, { kind: change }));
  if (NEWLINES.has(chord)) {
    return withEditor(composer, edit(composer.editor, { kind: 'insert', text: '\n' }));
  }
  switch (chord) {
    case 'enter':
      return enter(composer);
    case 'up':
    case 'ctrl-p':
      return vertical(composer, 'up', columns);
    case 'down':
    case 'ctrl-n':
      return vertical(composer, 'down', columns);
    case 'ctrl-r':
      return changed({ ...reset(composer), search: { query: '', draft: composer.editor } });
    default:
      return { kind: 'unused' };
  }
}

export function withMenu(composer: Composer, { start, choices }: Completions): Composer {
  const { menu: _, ...kept } = composer;
  return choices.length === 0 ? kept : { ...kept, menu: { start, choices, selected: 0 } };
}

export function withoutMenu(composer: Composer): Composer {
  const { menu: _, ...kept } = composer;
  return kept;
}

export function clear(composer: Composer): Composer {
  return { ...reset(composer), editor: EMPTY };
}

const EDITS: Readonly<Record<string, PlainEdit>> = {
  backspace: 'backspace',
  'shift-backspace': 'backspace',
  delete: 'delete',
  'ctrl-d': 'delete',
  left: 'left',
  'ctrl-b': 'left',
  right: 'right',
  'ctrl-f': 'right',
  'alt-b': 'word-left',
  'alt-left': 'word-left',
  'ctrl-left': 'word-left',
  'alt-f': 'word-right',
  'alt-right': 'word-right',
  'ctrl-right': 'word-right',
  'ctrl-a': 'line-start',
  home: 'line-start',
  'ctrl-e': 'line-end',
  end: 'line-end',
  'ctrl-k': 'cut-to-end',
  'ctrl-u': 'cut-to-start',
  'ctrl-w': 'cut-word',
  'alt-backspace': 'cut-word',
  'ctrl-backspace': 'cut-word',
  'alt-d': 'cut-word-after',
  'ctrl-y': 'yank',
  'ctrl-_': 'undo',
  'ctrl-shift-_': 'undo',
};

const NEWLINES = new Set(['shift-enter', 'alt-enter', 'ctrl-enter', 'ctrl-j', 'alt-shift-enter']);

function insertion(key: Exclude<Key, Press>): { kind: 'insert' | 'paste'; text: string } {
  if (key.kind === 'text') return { kind: 'insert', text: key.text };
  return { kind: 'paste', text: droppedImage(key.text) ?? key.text };
}

function changed(composer: Composer): ComposeResult {
  return { kind: 'changed', composer };
}

/** Closes the menu, and leaves the history if the text has changed. */
function withEditor(composer: Composer, editor: Editor): ComposeResult {
  const { recalled: _, ...kept } = withoutMenu(composer);
  const isChanged = editor.text !== composer.editor.text;
  return changed({ ...(isChanged ? kept : withoutMenu(composer)), editor });
}

function enter(composer: Composer): ComposeResult {
  const { editor } = composer;
  if (editor.text.slice(0, editor.cursor).endsWith('\\')) {
    const start = editor.cursor - 1;
    return withEditor(composer, edit(editor, { kind: 'replace', start, text: '\n' }));
  }
  const text = expandChips(editor).trim();
  if (text === '') return changed(composer);
  const isRepeated = composer.history.at(-1) === text;
  const history = isRepeated ? composer.history : [...composer.history, text];
  return { kind: 'submit', composer: { ...clear(composer), history }, text };
}

function vertical(composer: Composer, direction: 'up' | 'down', columns: number): ComposeResult {
  const within = moveRow(composer.editor, direction, columns);
  if (within !== undefined) return changed({ ...withoutMenu(composer), editor: within });
  const { history, recalled } = composer;
  const index = (recalled?.index ?? history.length) + (direction === 'up' ? -1 : 1);
  if (index < 0 || index > history.length) return changed(composer);
  const draft = recalled?.draft ?? composer.editor;
  const text = history[index];
  // After the newest entry comes the draft.
  if (text === undefined) return changed({ ...reset(composer), editor: draft });
  return changed({ ...reset(composer), editor: editorWith(text), recalled: { index, draft } });
}

function onMenuKey(composer: Composer, menu: Menu, chord: string): ComposeResult | undefined {
  const size = menu.choices.length;
  const to = (selected: number): ComposeResult =>
    changed({ ...composer, menu: { ...menu, selected: (selected + size) % size } });
  switch (chord) {
    case 'up':
    case 'ctrl-p':
    case 'shift-tab':
      return to(menu.selected - 1);
    case 'down':
    case 'ctrl-n':
      return to(menu.selected + 1);
    case 'escape':
      return changed(withoutMenu(composer));
    case 'tab':
      return changed(withChoice(composer, menu));
    case 'enter': {
      const next = withChoice(composer, menu);
      // Enter sends a word that is already complete.
      return next.editor.text.trimEnd() === composer.editor.text.trimEnd()
        ? enter(withoutMenu(composer))
        : changed(next);
    }
    default:
      return undefined;
  }
}

function withChoice(composer: Composer, menu: Menu): Composer {
  const choice = menu.choices[menu.selected];
  if (choice === undefined) return withoutMenu(composer);
  const change = { kind: 'replace', start: menu.start, text: choice.text } as const;
  return { ...withoutMenu(composer), editor: edit(composer.editor, change) };
}

function onSearchKey(composer: Composer, search: HistorySearch, key: Key): ComposeResult {
  if (key.kind !== 'press') return changed(withSearch(composer, search, search.query + key.text));
  switch (chordOf(key)) {
    case 'backspace':
      return changed(withSearch(composer, search, search.query.slice(0, -1)));
    case 'ctrl-r': {
      const older = find(composer.history, search.query, (search.index ?? 0) - 1);
      return changed(
        older === undefined ? composer : { ...composer, search: { ...search, index: older } },
      );
    }
    case 'escape':
    case 'ctrl-c':
    case 'ctrl-g':
      return changed({ ...reset(composer), editor: search.draft });
    default: {
      const found = search.index === undefined ? undefined : composer.history[search.index];
      const editor = found === undefined ? search.draft : editorWith(found);
      return changed({ ...reset(composer), editor });
    }
  }
}

function withSearch(composer: Composer, search: HistorySearch, query: string): Composer {
  const index = find(composer.history, query, composer.history.length - 1);
  const { draft } = search;
  return { ...composer, search: { query, draft, ...(index === undefined ? {} : { index }) } };
}

/** The newest entry at or before `from` that contains the query. */
function find(history: readonly string[], query: string, from: number): number | undefined {
  if (query === '') return undefined;
  const wanted = query.toLowerCase();
  for (let index = from; index >= 0; index -= 1) {
    if (history[index]?.toLowerCase().includes(wanted) === true) return index;
  }
  return undefined;
}

/** Closes menu, search and history. With vi keys, back to insert mode. */
function reset({ editor, history, vim }: Composer): Composer {
  return {
    editor,
    history,
    ...(vim === undefined ? {} : { vim: { ...vim, mode: 'insert', pending: '' } }),
  };
}

/** Letters that arrive together are separate keys. */
function typeInNormalMode(composer: Composer, text: string, columns: number): ComposeResult {
  let now = composer;
  for (const character of graphemes(text)) {
    const { editor, vim } = now;
    if (vim === undefined) break;
    const step = typeInVim({ editor, vim }, character);
    if ('editor' in step) now = { ...withoutMenu(now), ...step };
    else {
      const row = vertical({ ...now, vim: step.vim }, step.row, columns);
      if (row.kind === 'changed') now = { ...row.composer, vim: step.vim };
    }
  }
  return changed(now);
}
