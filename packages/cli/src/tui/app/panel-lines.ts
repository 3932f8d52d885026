// The open panel as lines: the servers, the help, or a picker.

import { grid } from '../../print/table.ts';
import { contentWidth, foundRows, type Screen } from '../state/index.ts';
import { mcpPanelLines } from '../view/mcp-panel-lines.ts';
import { pickerLines } from '../view/picker-lines.ts';
import { toAnsi } from '../view/spans.ts';
import type { Theme } from '../view/theme.ts';

const HELP = [
  ['Enter', 'send'],
  ['Shift-Enter', 'a new line (also Alt-Enter, Ctrl-J, or \\ at the end)'],
  ['Esc', 'stop what runs'],
  ['Ctrl-C', 'empty the prompt; twice: quit'],
  ['Ctrl-O', 'fold and unfold calls and thoughts; Alt-O: one of them'],
  ['Ctrl-R', 'search what was sent before'],
  ['Esc Esc', 'go back to an earlier message'],
  ['Shift-Tab', 'the mode: ask, accept edits, plan'],
  ['Ctrl-V', 'the picture in the clipboard'],
  ['/', 'commands and prompts'],
  ['@', 'files and resources'],
];

/** `rows` is the room for the panel, including the empty line below it. */
export function panelLines(
  screen: Screen,
  { rows, theme }: { readonly rows: number; readonly theme: Theme },
): readonly string[] {
  const { panel, servers, questions, columns, opening } = screen;
  if (panel === undefined || questions.length > 0) return [];
  if (panel.kind === 'help') {
    const help = grid(HELP, columns, 'wrap').split('\n').slice(0, -1);
    return [...help.slice(0, Math.max(1, rows - 3)), '', 'Esc closes this', ''];
  }
  const width = contentWidth(screen);
  if (panel.kind === 'picker') {
    const { picker, query, selected } = panel;
    const found = foundRows(panel);
    const look = { ...picker, all: picker.rows.length, found, query, selected, rows: rows - 1 };
    return [...pickerLines(look, { width, theme }).map((line) => toAnsi(line, theme)), ''];
  }
  const { selected, notice } = panel;
  const { problems } = opening;
  const state = { selected, notice, problems, rows: rows - 1 };
  const lines = mcpPanelLines(servers, state, { width, theme });
  return [...lines.map((line) => toAnsi(line, theme)), ''];
}
