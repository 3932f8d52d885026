// Keys while a panel is open: the servers, the help, or a picker.

import { type Key, wordOf } from '../keys/index.ts';
import type { PickerRow } from '../../chat/index.ts';
import { foundRows, type Panel, type PickerPanel, type Screen } from '../state/index.ts';
import { shortArguments } from '../view/argument-lines.ts';
import type { CallView } from '../view/call-view.ts';
import { SERVER_ACTIONS } from '../view/mcp-panel-lines.ts';
import { keyResult, type KeyResult } from './effect.ts';

export function onPanelKey(screen: Screen, panel: Panel, key: Key): KeyResult {
  const word = wordOf(key);
  if (panel.kind === 'picker') return onPickerKey(screen, panel, key);
  if (word === 'escape' || word === 'q' || word === 'ctrl-c')
    return keyResult(withoutPanel(screen));
  if (panel.kind === 'help') return keyResult(word === 'enter' ? withoutPanel(screen) : screen);
  const size = screen.servers.length;
  const selected = Math.min(panel.selected, Math.max(0, size - 1));
  const server = screen.servers[selected];
  const to = (index: number): KeyResult =>
    keyResult({ ...screen, panel: { ...panel, selected: size === 0 ? 0 : (index + size) % size } });
  switch (word) {
    case 'up':
    case 'k':
      return to(selected - 1);
    case 'down':
    case 'j':
      return to(selected + 1);
    case 'enter':
      return server === undefined
        ? keyResult(screen)
        : keyResult(withoutPanel(screen), { kind: 'choose', line: `/mcp ${server.name}` });
    default: {
      const action = server?.actions.find((each) => SERVER_ACTIONS[each].key === word);
      return server === undefined || action === undefined
        ? keyResult(screen)
        : keyResult(screen, { kind: 'server', server: server.name, action });
    }
  }
}

const PAGE = 10;

function onPickerKey(screen: Screen, panel: PickerPanel, key: Key): KeyResult {
  const found = foundRows(panel);
  const last = Math.max(0, found.length - 1);
  const to = (selected: number): KeyResult =>
    keyResult({ ...screen, panel: { ...panel, selected: Math.min(last, Math.max(0, selected)) } });
  const searching = (query: string): KeyResult =>
    keyResult({ ...screen, panel: { ...panel, query, selected: 0 } });
  if (key.kind !== 'press') return searching(panel.query + key.text.replaceAll(/\s+/gu, ' '));
  switch (wordOf(key)) {
    case 'escape':
    case 'ctrl-c':
      return keyResult(withoutPanel(screen));
    case 'up':
    case 'ctrl-p':
      return to(panel.selected === 0 ? last : panel.selected - 1);
    case 'down':
    case 'ctrl-n':
    case 'tab':
      return to(panel.selected === last ? 0 : panel.selected + 1);
    case 'pageup':
      return to(panel.selected - PAGE);
    case 'pagedown':
      return to(panel.selected + PAGE);
    case 'backspace':
      return searching(panel.query.slice(0, -1));
    case 'ctrl-u':
      return searching('');
    case 'enter': {
      const row = found[panel.selected];
      if (row === undefined) return keyResult(screen);
      if (panel.rowsAre === 'items') return toggleItem(withoutPanel(screen), Number(row.line));
      return keyResult(withoutPanel(screen), { kind: 'choose', line: row.line });
    }
    default:
      return keyResult(screen);
  }
}

/** Folds or unfolds one item. */
function toggleItem(screen: Screen, id: number): KeyResult {
  const turnedOver = new Set(screen.turnedOver);
  if (!turnedOver.delete(id)) turnedOver.add(id);
  return keyResult({ ...screen, turnedOver }, { kind: 'redraw' });
}

const MOST_CALLS = 200;

/** A picker of the calls and thoughts of the conversation, to fold or unfold one. */
export function foldingPanel({ finished }: Screen): PickerPanel {
  const rows = finished
    .flatMap((item): readonly PickerRow[] => {
      const line = String(item.id);
      if (item.kind === 'call') return [{ label: callName(item.call), detail: '', line }];
      return item.kind === 'reasoning'
        ? [{ label: `thought: ${item.text.trim().slice(0, 200)}`, detail: '', line }]
        : [];
    })
    .slice(-MOST_CALLS)
    .toReversed();
  const title = 'Unfold or fold one call or thought';
  const picker = { title, rows, empty: 'Nothing was called yet.' };
  return { kind: 'picker', picker, rowsAre: 'items', query: '', selected: 0 };
}

function callName({ tool, server, arguments: given }: CallView): string {
  const own = server === '' ? tool : `${server} · ${tool.slice(tool.lastIndexOf('__') + 2)}`;
  return `${own}  ${shortArguments(given)}`;
}

function withoutPanel({ panel: _, ...screen }: Screen): Screen {
  return screen;
}
