// Keys while the panel of servers, or that of help, is open.

import { type Key, wordOf } from '../keys/index.ts';
import type { ServerAction } from '../../chat/index.ts';
import type { Panel, Screen } from '../state/index.ts';
import { acted, type KeyResult } from './effect.ts';

const ACTIONS: Readonly<Record<string, ServerAction>> = {
  r: 'reconnect',
  l: 'login',
  o: 'logout',
  e: 'enable',
  d: 'disable',
};

export function onPanelKey(screen: Screen, panel: Panel, key: Key): KeyResult {
  const word = wordOf(key);
  if (word === 'escape' || word === 'q' || word === 'ctrl-c') return acted(withoutPanel(screen));
  if (panel.kind === 'help') return acted(word === 'enter' ? withoutPanel(screen) : screen);
  const size = screen.servers.length;
  const selected = Math.min(panel.selected, Math.max(0, size - 1));
  const server = screen.servers[selected];
  const to = (index: number): KeyResult =>
    acted({ ...screen, panel: { ...panel, selected: size === 0 ? 0 : (index + size) % size } });
  switch (word) {
    case 'up':
    case 'k':
      return to(selected - 1);
    case 'down':
    case 'j':
      return to(selected + 1);
    default: {
      // Enter does what is nearest: sign in where that is what is missing, else connect anew.
      const first = server?.actions.find(
        (one) => one === 'login' || one === 'reconnect' || one === 'enable',
      );
      const action = word === 'enter' ? first : ACTIONS[word];
      if (server === undefined || action === undefined || !server.actions.includes(action)) {
        return acted(screen);
      }
      return acted(screen, { kind: 'server', server: server.name, action });
    }
  }
}

function withoutPanel({ panel: _, ...screen }: Screen): Screen {
  return screen;
}
