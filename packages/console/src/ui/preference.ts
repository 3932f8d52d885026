// The user's preferences for this page, stored by the browser if it allows that.

import { type Signal, effect, signal } from '@preact/signals';
import type { IconName } from './icon.tsx';

/** Each is followed by the next when the user changes it. */
export const THEMES = [
  { name: 'light', icon: 'sun' },
  { name: 'dark', icon: 'moon' },
  { name: 'system', icon: 'screen' },
] as const satisfies readonly { readonly name: string; readonly icon: IconName }[];

type Theme = (typeof THEMES)[number]['name'];

export const theme: Signal<Theme> = storedPreference<Theme>(
  'theme',
  'system',
  THEMES.map(({ name }) => name),
);
/** Keys without Ctrl or ⌘ can be turned off, since they interfere with speech input. */
export const singleKeys: Signal<'on' | 'off'> = storedPreference<'on' | 'off'>(
  'single-keys',
  'on',
  ['on', 'off'],
);

/** Shows the theme on the page, now and whenever it changes. */
export function followTheme(): void {
  effect(() => {
    if (theme.value === 'system') delete document.documentElement.dataset['theme'];
    else document.documentElement.dataset['theme'] = theme.value;
  });
}

function storedPreference<T extends string>(
  name: string,
  otherwise: T,
  known: readonly T[],
): Signal<T> {
  const key = `plugboard.${name}`;
  const found = known.find((value) => value === read(key));
  const preference = signal<T>(found ?? otherwise);
  let isFirst = true;
  effect(() => {
    const { value } = preference;
    if (!isFirst) write(key, value);
    isFirst = false;
  });
  return preference;
}

function read(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    // The browser stores nothing.
    return null;
  }
}

function write(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // The preference lasts until the page is closed.
  }
}
