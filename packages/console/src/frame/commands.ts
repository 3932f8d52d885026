// What the palette offers, and which of it fits what was typed.

import type { ConsoleStore } from '../store/console-store.ts';
import type { IconName } from '../ui/icon.tsx';
import { type Theme, theme } from '../ui/preference.ts';
import { goTo } from '../ui/route.ts';
import { VIEWS } from './views.ts';

export interface Command {
  readonly id: string;
  readonly title: string;
  readonly kind: string;
  readonly icon: IconName;
  readonly run: () => void;
}

const THEMES: readonly (readonly [Theme, IconName])[] = [
  ['light', 'sun'],
  ['dark', 'moon'],
  ['system', 'screen'],
];

export function commandsOf(store: ConsoleStore): readonly Command[] {
  const views = VIEWS.map(({ name, title, icon }): Command => ({
    id: `view ${name}`,
    title,
    kind: 'view',
    icon,
    run: () => goTo(name),
  }));
  const servers = store.servers.value.map(({ name }): Command => ({
    id: `server ${name}`,
    title: name,
    kind: 'server',
    icon: 'servers',
    run: () => goTo('servers', name),
  }));
  const themes = THEMES.map(([value, icon]): Command => ({
    id: `theme ${value}`,
    title: value === 'system' ? 'Colours of the system' : `Use ${value} colours`,
    kind: 'setting',
    icon,
    run: () => {
      theme.value = value;
    },
  }));
  return [...views, ...servers, ...themes];
}

/** The letters of the query in their order; the fewer other letters between and before them, the better. */
export function found<T extends { readonly title: string; readonly kind: string }>(
  commands: readonly T[],
  query: string,
): readonly T[] {
  const letters = query.toLowerCase().replaceAll(/\s+/gu, '');
  if (letters === '') return commands;
  return commands
    .map((command) => ({
      command,
      distance: distanceOf(`${command.title} ${command.kind}`, letters),
    }))
    .filter(({ distance }) => distance !== undefined)
    .toSorted((a, b) => (a.distance ?? 0) - (b.distance ?? 0))
    .map(({ command }) => command);
}

function distanceOf(text: string, letters: string): number | undefined {
  const lower = text.toLowerCase();
  let at = -1;
  let distance = 0;
  for (const letter of letters) {
    const next = lower.indexOf(letter, at + 1);
    if (next < 0) return undefined;
    // The start of a word is as good as the next letter.
    const isStart = next === 0 || /[^a-z0-9]/u.test(lower[next - 1] ?? '');
    distance += next === at + 1 || isStart ? 0 : next - at;
    at = next;
  }
  return distance + lower.length / 1000;
}
