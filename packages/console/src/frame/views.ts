// The views of the page, in the order of the navigation. The first is part of the page; the others are loaded when they are
// first opened.

import type { ComponentType } from 'preact';
import { ServersView } from '../servers/servers-view.tsx';
import type { ConsoleStore } from '../store/console-store.ts';
import type { IconName } from '../ui/icon.tsx';

export interface ViewProps {
  /** What the view shows, such as the name of a server. */
  readonly path: readonly string[];
}

export interface View {
  readonly name: string;
  readonly title: string;
  readonly icon: IconName;
  /** The key to press after `g`. */
  readonly key: string;
  /** The number beside it, and its meaning for screen readers. */
  readonly count?: { readonly what: string; readonly in: (store: ConsoleStore) => number };
  load(): ComponentType<ViewProps> | Promise<ComponentType<ViewProps>>;
}

export const VIEWS: readonly [View, ...View[]] = [
  {
    name: 'servers',
    title: 'Servers',
    icon: 'servers',
    key: 's',
    count: {
      what: 'failed',
      in: ({ servers }) => servers.value.filter(({ state }) => state === 'failed').length,
    },
    load: () => ServersView,
  },
  {
    name: 'traffic',
    title: 'Traffic',
    icon: 'traffic',
    key: 'r',
    load: async () => (await import('../traffic/traffic-view.tsx')).TrafficView,
  },
  {
    name: 'waiting',
    title: 'Waiting',
    icon: 'waiting',
    key: 'w',
    count: { what: 'waiting', in: ({ waiting }) => waiting.value.length },
    load: async () => (await import('../waiting/waiting-view.tsx')).WaitingView,
  },
  {
    name: 'tools',
    title: 'Tools',
    icon: 'tools',
    key: 't',
    load: async () => (await import('../tools/tools-view.tsx')).ToolsView,
  },
  {
    name: 'definitions',
    title: 'Definitions',
    icon: 'shield',
    key: 'd',
    count: {
      what: 'kept back',
      in: ({ servers }) => servers.value.reduce((sum, { quarantined }) => sum + quarantined, 0),
    },
    load: async () => (await import('../definitions/definitions-view.tsx')).DefinitionsView,
  },
  {
    name: 'context',
    title: 'Context',
    icon: 'context',
    key: 'x',
    load: async () => (await import('../context/context-view.tsx')).ContextView,
  },
  {
    name: 'compare',
    title: 'Compare',
    icon: 'diff',
    key: 'c',
    load: async () => (await import('../compare/compare-view.tsx')).CompareView,
  },
  {
    name: 'checks',
    title: 'Checks',
    icon: 'checks',
    key: 'k',
    load: async () => (await import('../checks/checks-view.tsx')).ChecksView,
  },
];

export function viewOf(name: string): View {
  return VIEWS.find((view) => view.name === name) ?? VIEWS[0];
}
