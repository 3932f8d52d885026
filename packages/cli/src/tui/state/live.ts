// The live items at the end of the conversation, and how they are finished: in order, and once each.

import type { CallView } from '../view/call-view.ts';
import { splitStable } from '../view/markdown-blocks.ts';
import { type Content, isSettled, type Item } from './item.ts';
import type { Screen } from './screen.ts';

export function withItems(screen: Screen, ...contents: readonly Content[]): Screen {
  const items = contents.map((content, index) => ({ ...content, id: screen.nextId + index }));
  return settle({
    ...screen,
    live: [...screen.live, ...items],
    nextId: screen.nextId + items.length,
  });
}

/**
 * Appends a piece to the current text. Notices since its beginning, such as a failed server, stay below it: in the middle
 * they would split a sentence or a table.
 */
export function withTextPiece(screen: Screen, kind: 'text' | 'reasoning', piece: string): Screen {
  const at = screen.live.findLastIndex((item) => item.kind !== 'notice');
  const last = screen.live[at];
  if (last?.kind === kind && last.isOpen) {
    const longer = { ...last, text: last.text + piece };
    return finishBlocks({ ...screen, live: screen.live.with(at, longer) });
  }
  if (piece === '') return screen;
  return finishBlocks(withItems(withTextsClosed(screen), { kind, text: piece, isOpen: true }));
}

/** Finishes complete blocks of a text early, so that little has to be redrawn. */
function finishBlocks(screen: Screen): Screen {
  const [only, ...below] = screen.live;
  if (only?.kind !== 'text' || below.some(({ kind }) => kind !== 'notice')) return screen;
  const { stable, rest: open } = splitStable(only.text);
  if (stable.trim() === '') return screen;
  const done: Item = { ...only, text: stable.trimEnd(), isOpen: false };
  // Ids grow from top to bottom, so what stays below gets new ones, too.
  const rest = [{ ...only, text: open }, ...below].map((item, index) => ({
    ...item,
    id: screen.nextId + index,
  }));
  return settle({ ...screen, live: [done, ...rest], nextId: screen.nextId + rest.length });
}

export function withTextsClosed(screen: Screen): Screen {
  const live = screen.live.map((item) =>
    (item.kind === 'text' || item.kind === 'reasoning') && item.isOpen
      ? { ...item, isOpen: false }
      : item,
  );
  return settle({ ...screen, live });
}

export function withCallChanged(
  screen: Screen,
  id: string,
  change: (call: CallView) => CallView,
): Screen {
  const live = screen.live.map((item) =>
    item.kind === 'call' && item.call.id === id ? { ...item, call: change(item.call) } : item,
  );
  return settle({ ...screen, live });
}

/** Closes the texts and calls that the turn left unfinished. */
export function withTurnAbandoned(screen: Screen): Screen {
  const live = withTextsClosed(screen).live.map((item) =>
    item.kind === 'call' && !isSettled(item)
      ? { ...item, call: { ...item.call, state: 'cancelled' as const } }
      : item,
  );
  return settle({ ...withTextsClosed(screen), live });
}

function settle(screen: Screen): Screen {
  const open = screen.live.findIndex((item) => !isSettled(item));
  const count = open === -1 ? screen.live.length : open;
  if (count === 0) return screen;
  return {
    ...screen,
    finished: [...screen.finished, ...screen.live.slice(0, count)],
    live: screen.live.slice(count),
  };
}
