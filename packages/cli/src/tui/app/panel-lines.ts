// The panel that is open, as lines: the servers, or the keys.

import { cutTo } from '../../print/width.ts';
import type { Screen } from '../state/index.ts';
import { mcpPanelLines } from '../view/mcp-panel-lines.ts';
import { toAnsi } from '../view/spans.ts';
import type { Theme } from '../view/theme.ts';

const HELP = [
  'Enter          send',
  'Shift-Enter    a new line (also Alt-Enter, Ctrl-J, or \\ at the end)',
  'Esc            stop what runs',
  'Ctrl-C         empty the prompt; twice: quit',
  'Ctrl-O         fold and unfold calls and thoughts',
  'Ctrl-R         search what was sent before',
  '/              commands and prompts',
  '@              files and resources',
  '',
  'Esc closes this',
];

/** `rows` is how many there are for it, with the empty one below. */
export function panelLines(
  { panel, servers, asked, columns }: Screen,
  { rows, theme }: { readonly rows: number; readonly theme: Theme },
): readonly string[] {
  if (panel === undefined || asked.length > 0) return [];
  if (panel.kind === 'help') {
    return [...HELP.slice(0, Math.max(1, rows - 1)).map((line) => cutTo(line, columns)), ''];
  }
  const { selected, notice } = panel;
  const width = Math.max(1, columns - 1);
  const lines = mcpPanelLines(servers, { selected, notice, rows: rows - 1 }, { width, theme });
  return [...lines.map((line) => toAnsi(line, theme)), ''];
}
