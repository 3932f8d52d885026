// The commands of the palette, and the search for them.

import type { ContextView, ServerView } from '@plugboard/gateway/console-api';
import { reasonOf } from '../feed/request.ts';
import { act, ACTIONS, connectAll } from '../servers/server-actions.tsx';
import type { ConsoleContext } from '../store/context.ts';
import { announce, announceFailure } from '../ui/announce.tsx';
import type { IconName } from '../ui/icon.tsx';
import { theme, THEMES } from '../ui/preference.ts';
import { goTo } from '../ui/route.ts';
import { VIEWS } from './views.ts';

export interface Command {
  readonly id: string;
  readonly title: string;
  readonly kind: string;
  readonly icon: IconName;
  readonly run: () => void;
}

/** What the palette loads from the gateway for its commands. */
export interface PaletteData {
  readonly tools: ContextView['tools'];
  /** The names of saved calls. */
  readonly checks: readonly string[];
}

export function commandsOf(console: ConsoleContext, offered: PaletteData): readonly Command[] {
  const servers = console.store.servers.value;
  return [
    ...VIEWS.map(({ name, title, icon }): Command => ({
      id: `view ${name}`,
      title,
      kind: 'view',
      icon,
      run: () => goTo(name),
    })),
    ...servers.map(({ name }): Command => ({
      id: `server ${name}`,
      title: name,
      kind: 'server',
      icon: 'servers',
      run: () => goTo('servers', name),
    })),
    ...offered.checks.map(savedCommand),
    ...(console.store.isAdministrator ? serverCommands(servers) : []),
    ...settings(console),
    ...offered.tools.map(({ server, tool }): Command => ({
      id: `tool ${server} ${tool}`,
      title: `Run ${tool} of ${server}`,
      kind: 'tool',
      icon: 'tools',
      run: () => goTo('tools', server, 'tool', tool),
    })),
  ];
}

function savedCommand(name: string): Command {
  return {
    id: `check ${name}`,
    title: name,
    kind: 'saved call',
    icon: 'play',
    run: () => goTo('checks', name),
  };
}

function serverCommands(servers: readonly ServerView[]): readonly Command[] {
  const isIdle = servers.some(({ state }) => state === 'idle');
  const all: Command = {
    id: 'connect all',
    title: 'Connect all servers',
    kind: 'action',
    icon: 'plug',
    run: () => void connectAll(servers),
  };
  return [...(isIdle ? [all] : []), ...servers.flatMap(actionsOf)];
}

function actionsOf({ name, state }: ServerView): readonly Command[] {
  const place = (title: string, tab: string, icon: IconName): Command => ({
    id: `${tab} ${name}`,
    title,
    kind: 'server',
    icon,
    run: () => goTo('servers', name, tab),
  });
  return [
    ...ACTIONS[state].map((action): Command => ({
      id: `${action.title} ${name}`,
      title: `${action.title === 'Sign in' ? 'Sign in to' : action.title} ${name}`,
      kind: 'action',
      icon: action.icon,
      run: () => {
        goTo('servers', name);
        void act(name, action).then((answer) => {
          if (answer.kind !== 'ok') announceFailure(`${action.title} ${name}: ${reasonOf(answer)}`);
        });
      },
    })),
    place(`Examine ${name} with the doctor`, 'doctor', 'pulse'),
    place(`Log of ${name}`, 'log', 'list'),
  ];
}

function settings({ connection }: ConsoleContext): readonly Command[] {
  return [
    ...THEMES.map(({ name, icon }): Command => ({
      id: `theme ${name}`,
      title: name === 'system' ? 'Colours of the system' : `Use ${name} colours`,
      kind: 'setting',
      icon,
      run: () => {
        theme.value = name;
        announce('Colours changed.');
      },
    })),
    {
      id: 'sign out',
      title: 'Sign out of the console',
      kind: 'action',
      icon: 'leave',
      run: () => void connection.signOut(),
    },
  ];
}

/** Commands that contain the letters of the query in order. Fewer other letters before and between them rank higher. */
export function searchCommands<T extends { readonly title: string; readonly kind: string }>(
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
