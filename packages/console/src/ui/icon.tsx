// Line icons on a grid of 16, in the colour of the text. Hidden from screen readers: each has a text beside it, or is in a button
// with a name.

import type { JSX } from 'preact';

const PATHS = {
  servers: 'M2.5 3h11v4h-11zM2.5 9h11v4h-11zM5 5h.01M5 11h.01',
  traffic: 'M2 11.5h3l2-7 3 9 2-5.5h2',
  waiting: 'M8 2.5a4 4 0 0 1 4 4v3l1.5 2.5h-11L4 9.5v-3a4 4 0 0 1 4-4zM6.5 14h3',
  tools: 'M9.5 3a3 3 0 0 0-.7 4L3 12.7 4.3 14 10 8.2a3 3 0 0 0 3.5-4L11.6 6 10 4.5z',
  search: 'M7 2.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9zM10.3 10.3l3.2 3.2',
  check: 'M3 8.5l3.5 3.5L13 4.5',
  cross: 'M4 4l8 8M12 4l-8 8',
  alert: 'M8 2l6.5 11.5h-13zM8 6.5v3.5M8 12h.01',
  blocked: 'M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2zM3.8 3.8l8.4 8.4',
  lock: 'M4 7.5h8v6H4zM5.5 7.5V5a2.5 2.5 0 0 1 5 0v2.5',
  pause: 'M5.5 3.5v9M10.5 3.5v9',
  play: 'M5 3l7.5 5L5 13z',
  idle: 'M8 3.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9z',
  spin: 'M8 2a6 6 0 1 1-6 6',
  clock: 'M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2zM8 4.5V8l2.5 1.5',
  copy: 'M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3',
  back: 'M9.5 3.5L5 8l4.5 4.5',
  forward: 'M6.5 3.5L11 8l-4.5 4.5',
  down: 'M3.5 6L8 10.5 12.5 6',
  sun: 'M8 5.2a2.8 2.8 0 1 1 0 5.6 2.8 2.8 0 0 1 0-5.6zM8 1.5v1.5M8 13v1.5M1.5 8H3M13 8h1.5M3.4 3.4l1 1M11.6 11.6l1 1M3.4 12.6l1-1M11.6 4.4l1-1',
  moon: 'M13 9.5A5.5 5.5 0 0 1 6.5 3a5.5 5.5 0 1 0 6.5 6.5z',
  screen: 'M2 3h12v8H2zM5.5 13.5h5',
  keyboard: 'M1.5 4h13v8h-13zM4 6.5h.01M6.7 6.5h.01M9.3 6.5h.01M12 6.5h.01M5 9.5h6',
  restart: 'M13 8a5 5 0 1 1-1.5-3.5M13 2.5v2.5h-2.5',
  pulse: 'M2 8.5h3l1.5-4 3 7 1.5-3h3',
  plug: 'M6 2v3.5M10 2v3.5M4 5.5h8v2a4 4 0 0 1-8 0zM8 11.5V14',
  power: 'M8 2v5.5M5 4a5 5 0 1 0 6 0',
  fit: 'M2.5 6V2.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10',
  in: 'M8 3v10M3 8h10',
  live: 'M8 6a2 2 0 1 1 0 4 2 2 0 0 1 0-4zM4.5 4.5a5 5 0 0 0 0 7M11.5 4.5a5 5 0 0 1 0 7',
  list: 'M5.5 4h8M5.5 8h8M5.5 12h8M2.5 4h.01M2.5 8h.01M2.5 12h.01',
  shield: 'M8 2l5 1.8V8c0 3-2.2 5-5 6-2.8-1-5-3-5-6V3.8z',
  diff: 'M5 3v10M2.5 5.5L5 3l2.5 2.5M11 13V3M8.5 10.5L11 13l2.5-2.5',
  leave: 'M6.5 2.5h-4v11h4M6.5 8h7M10.5 5l3 3-3 3',
  checks: 'M2.5 4l1.2 1.2L6 3M2.5 9l1.2 1.2L6 8M8.5 4.5h5M8.5 9.5h5M2.5 13.5h11',
  context: 'M2.5 13.5v-4M6.2 13.5v-8M9.8 13.5V8M13.5 13.5V3',
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { readonly name: IconName }): JSX.Element {
  return (
    <svg class={`icon icon-${name}`} viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}
